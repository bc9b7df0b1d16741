package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code POST /plan} and {@code POST /apply}: what many definitions would change, and just that. */
@Tag("database")
class PlanEndpointsTest {

    @RegisterExtension
    static final Api api = new Api();

    private static String job(String name, String schedule, String more) {
        return "{\"name\": \"" + name + "\", \"schedule\": \"" + schedule + "\", \"command\": \"true\"" + more + "}";
    }

    private static String body(List<String> jobs, String more) {
        return "{\"jobs\": [" + String.join(", ", jobs) + "]" + more + "}";
    }

    private static JsonNode plan(String body) {
        Reply reply = api.post("/plan", body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.header("ETag"))
                .isEqualTo("\"" + reply.body().path("etag").asText() + "\"");
        return reply.body();
    }

    private static Reply apply(String body, JsonNode plan) {
        return api.post("/apply", body, "If-Match", "\"" + plan.path("etag").asText() + "\"");
    }

    private static List<String> actions(JsonNode plan) {
        return StreamSupport.stream(plan.path("changes").spliterator(), false)
                .map(change -> change.path("namespace").asText() + "/"
                        + change.path("name").asText() + " "
                        + change.path("action").asText())
                .toList();
    }

    /** Every row of every table. */
    private static Map<String, List<String>> everything() {
        Map<String, List<String>> tables = new TreeMap<>();
        for (String table : api.rows("select table_name from information_schema.tables"
                + " where table_schema = database() and table_type = 'BASE TABLE'")) {
            tables.put(
                    table, api.rows("select * from " + table).stream().sorted().toList());
        }
        return tables;
    }

    /** One job that stays, one that changes, one that is new, and one that is not named. */
    private static String mixed() {
        api.post("/jobs", job("same", "0 3 * * *", ""));
        api.post("/jobs", job("other", "0 3 * * *", ", \"env\": {\"A\": \"1\"}"));
        api.post("/jobs", job("gone", "0 5 * * *", ""));
        api.post(
                "/jobs",
                "{\"namespace\": \"elsewhere\", \"name\": \"x\", \"schedule\": \"@every 1m\","
                        + " \"command\": \"true\"}");
        return body(
                List.of(
                        job("same", "0 3 * * *", ""),
                        job("other", "0 3,4 * * *", ", \"env\": {\"A\": \"2\"}"),
                        job("new", "@hourly", ", \"priority\": 5")),
                ", \"prune\": {\"namespace\": \"default\"}");
    }

    @Test
    void a_plan_tells_what_becomes_of_each_job_and_changes_nothing() {
        String body = mixed();
        Map<String, List<String>> before = everything();

        JsonNode plan = plan(body);

        assertThat(everything()).isEqualTo(before);
        assertThat(actions(plan))
                .containsExactly(
                        "default/same NONE", "default/other CHANGE", "default/new CREATE", "default/gone REMOVE");
        assertThat(plan.path("summary").toString()).isEqualTo("{\"create\":1,\"change\":1,\"remove\":1,\"none\":1}");
        JsonNode other = plan.path("changes").path(1);
        assertThat(other.path("fields").toString())
                .isEqualTo("[{\"field\":\"schedule\",\"before\":\"0 3 * * *\",\"after\":\"0 3,4 * * *\"},"
                        + "{\"field\":\"env.A\",\"before\":\"1\",\"after\":\"2\"}]");
        assertThat(other.path("fireTimes").path("addedCount").asInt()).isEqualTo(7);
        assertThat(other.path("fireTimes").path("added")).hasSize(7);
        assertThat(other.path("fireTimes").path("removedCount").asInt()).isZero();
        JsonNode created = plan.path("changes").path(2);
        assertThat(created.path("fields").findValuesAsText("field")).containsExactly("schedule", "command", "priority");
        assertThat(created.path("fireTimes").path("addedCount").asInt()).isBetween(167, 168);
        JsonNode removed = plan.path("changes").path(3);
        assertThat(removed.path("fields")).isEmpty();
        assertThat(removed.path("fireTimes").path("removedCount").asInt()).isEqualTo(7);
        assertThat(sum(plan, "before")).isEqualTo(3 * 7);
        assertThat(sum(plan, "after")).isBetween(3 * 7 + 167, 3 * 7 + 168);
    }

    private static int sum(JsonNode plan, String when) {
        return StreamSupport.stream(plan.path("load").spliterator(), false)
                .mapToInt(hour -> hour.path(when).asInt())
                .sum();
    }

    @Test
    void what_is_applied_is_what_was_planned_and_a_repetition_does_nothing() {
        String body = mixed();
        JsonNode plan = plan(body);
        int wakes = api.wakes();

        Reply applied = apply(body, plan);

        assertThat(applied.status()).as(applied.text()).isEqualTo(200);
        assertThat(applied.body().path("changes")).isEqualTo(plan.path("changes"));
        assertThat(api.wakes()).isGreaterThan(wakes);
        assertThat(api.rows("select namespace, name, version, json_unquote(json_extract(definition, '$.schedule'))"
                        + " from job order by namespace, name"))
                .containsExactly(
                        "default new 1 @hourly",
                        "default other 2 0 3,4 * * *",
                        "default same 1 0 3 * * *",
                        "elsewhere x 1 @every 1m");
        assertThat(api.rows("select job, outcome, reason from task_history"))
                .containsExactly("gone CANCELLED the job was deleted");
        assertThat(api.one("select count(*) from live_task where cursor_of is not null"))
                .isEqualTo("4");
        Map<String, List<String>> after = everything();

        Reply again = apply(body, plan);

        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.body().path("summary").path("none").asInt()).isEqualTo(3);
        assertThat(actions(plan(body))).allMatch(action -> action.endsWith("NONE"));
        assertThat(everything()).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a job is edited    | PUT    | /jobs/default/other        | {"schedule": "0 7 * * *", "command": "true"}
            a job is paused    | POST   | /jobs/default/same/pause   | {}
            a job is deleted   | DELETE | /jobs/default/other        |
            a job is made      | PUT    | /jobs/default/new          | {"schedule": "0 7 * * *", "command": "true"}
            one to be pruned   | PUT    | /jobs/default/gone         | {"schedule": "0 7 * * *", "command": "true"}
            another to prune   | PUT    | /jobs/default/further      | {"schedule": "0 7 * * *", "command": "true"}
            """)
    void what_somebody_changed_since_is_not_overwritten(String what, String method, String path, String change) {
        String body = mixed();
        JsonNode plan = plan(body);
        assertThat(api.call(method, path, change).status()).isIn(200, 201, 204);
        Map<String, List<String>> before = everything();

        Reply reply = apply(body, plan);

        assertThat(reply.status()).as(what + reply.text()).isEqualTo(412);
        assertThat(reply.text()).contains("was changed since");
        assertThat(everything()).isEqualTo(before);
        assertThat(apply(body, plan(body)).status()).isEqualTo(200);
    }

    @Test
    void a_plan_of_something_else_is_refused() {
        JsonNode plan = plan(body(List.of(job("a", "0 3 * * *", "")), ""));

        assertThat(apply(body(List.of(job("a", "0 4 * * *", "")), ""), plan).status())
                .isEqualTo(412);
        assertThat(apply(body(List.of(job("a", "0 3 * * *", "")), ", \"days\": 1"), plan)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void without_if_match_what_is_planned_by_now_is_applied() {
        String body = body(List.of(job("a", "0 3 * * *", "")), "");

        assertThat(api.post("/apply", body).status()).isEqualTo(200);
        assertThat(api.post("/apply", body.replace("0 3", "0 4"), "If-Match", "*")
                        .status())
                .isEqualTo(200);
        String third = body.replace("0 3", "0 5");
        assertThat(api.post(
                                "/apply",
                                third,
                                "If-Match",
                                plan(third).path("etag").asText())
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/apply", body, "If-Match", "\"two words\"").status())
                .isEqualTo(400);
        assertThat(api.one("select version from job")).isEqualTo("3");
    }

    @Test
    void one_bad_job_at_the_end_and_nothing_is_changed() {
        mixed();
        api.put("/groups/there", "{\"limit\": 1}");
        String body = body(
                List.of(
                        job("new", "0 3 * * *", ", \"group\": \"there\""),
                        job("other", "0 3 * * *", ", \"group\": \"not-there\""),
                        job("bad", "0 3 * *", ", \"prioritty\": 3"),
                        job("odd", "0 3 * * *", ", \"overlapLimit\": 3"),
                        "{\"schedule\": \"@manual\", \"command\": \"true\"}"),
                "");
        Map<String, List<String>> before = everything();

        Reply planned = api.post("/plan", body);
        Reply applied = api.post("/apply", body);

        assertThat(planned.status()).isEqualTo(422);
        assertThat(planned.fields())
                .contains(
                        "jobs[2].prioritty",
                        "jobs[2].schedule",
                        "jobs[3].overlapLimit",
                        "jobs[4].name",
                        "jobs[1].group");
        assertThat(planned.text()).contains("there is no group 'not-there'");
        assertThat(applied.text()).isEqualTo(planned.text());
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void jobs_stay_paused_unless_it_is_said_and_paused_ones_are_no_load() {
        api.post("/jobs", job("a", "0 3 * * *", ""));
        api.post("/jobs/default/a/pause", "{\"reason\": \"a move\"}");
        String body = body(List.of(job("a", "0 4 * * *", ""), job("b", "0 4 * * *", ", \"paused\": true")), "");

        JsonNode plan = plan(body);
        assertThat(sum(plan, "before") + sum(plan, "after")).isZero();
        assertThat(plan.path("changes").findValues("warnings"))
                .allSatisfy(warnings -> assertThat(warnings.toString()).contains("is paused"));
        apply(body, plan);

        assertThat(api.rows("select name, paused, pause_reason from job order by name"))
                .containsExactly("a 1 a move", "b 1 null");
        JsonNode resumed = plan(body.replace("\"paused\": true", "\"paused\": false"));
        assertThat(actions(resumed)).containsExactly("default/a NONE", "default/b CHANGE");
        assertThat(sum(resumed, "after")).isEqualTo(7);
    }

    @Test
    void pruning_touches_only_what_bears_the_labels_in_the_namespace() {
        api.post("/jobs", job("kept", "@manual", ", \"labels\": {\"by\": \"git\"}"));
        api.post("/jobs", job("pruned", "@manual", ", \"labels\": {\"by\": \"git\", \"x\": \"y\"}"));
        api.post("/jobs", job("by-hand", "@manual", ", \"labels\": {\"by\": \"hand\"}"));
        api.post("/jobs", job("bare", "@manual", ""));
        api.put(
                "/jobs/elsewhere/same-label",
                "{\"schedule\": \"@manual\", \"command\": \"true\", \"labels\": {\"by\": \"git\"}}");
        List<String> named = List.of(job("kept", "@manual", ", \"labels\": {\"by\": \"git\"}"));

        assertThat(actions(plan(body(named, ", \"prune\": {\"labels\": {\"by\": \"git\"}}"))))
                .containsExactly("default/kept NONE", "default/pruned REMOVE", "elsewhere/same-label REMOVE");
        String both = body(named, ", \"prune\": {\"namespace\": \"default\", \"labels\": {\"by\": \"git\"}}");
        JsonNode plan = plan(both);
        assertThat(actions(plan)).containsExactly("default/kept NONE", "default/pruned REMOVE");
        assertThat(actions(plan(body(named, "")))).containsExactly("default/kept NONE");

        assertThat(apply(both, plan).status()).isEqualTo(200);
        assertThat(api.rows("select name from job order by name"))
                .containsExactly("bare", "by-hand", "kept", "same-label");
    }

    @Test
    void more_than_a_thousand_jobs_are_not_pruned_at_once() {
        api.update("insert into job (namespace, name, version, definition, paused, created_at, updated_at)"
                + " select 'many', concat('j', n), 1, '{}', false, utc_timestamp(3), utc_timestamp(3) from "
                + dev.rowlock.support.Numbers.upTo(1_001));

        Reply reply = api.post("/plan", body(List.of(), ", \"prune\": {\"namespace\": \"many\"}"));
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly("prune");

        api.update("delete from job where name = 'j1001'");
        JsonNode plan = plan(body(List.of(), ", \"prune\": {\"namespace\": \"many\"}"));
        assertThat(plan.path("summary").path("remove").asInt()).isEqualTo(1_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                  | jobs          | is required: a list of jobs
            {"jobs": {}}                                        | jobs          | is required: a list of jobs
            {"jobs": [5]}                                       | jobs[0]       | must be an object, not a number
            {"jobs": [], "prune": {}}                           | prune         | an empty filter would delete every job
            {"jobs": [], "prune": {"namespaec": "x"}}           | prune.namespaec | did you mean 'namespace'?
            {"jobs": [], "prune": "x"}                          | prune         | must be an object
            {"jobs": [], "days": 0}                             | days          | from 1 to 31
            {"jobs": [], "days": 32}                            | days          | from 1 to 31
            {"jobs": [], "dys": 3}                              | dys           | did you mean 'days'?
            {"jobs": [{"name": "a"}, {"name": "a"}]}            | jobs[1].name  | is the same job as jobs[0]; name each job once
            {"jobs": [], "bogus": 3}                            | bogus         | there are calendars, jobs, prune, days
            """)
    void what_is_wrong_is_named(String body, String field, String message) {
        for (String path : List.of("/plan", "/apply")) {
            Reply reply = api.post(path, body);
            assertThat(reply.status()).as(reply.text()).isEqualTo(422);
            assertThat(reply.fields()).containsExactly(field);
            assertThat(reply.text()).contains(message);
        }
    }

    @Test
    void an_empty_list_is_not_taken_for_the_wish_to_delete_everything() {
        api.post("/jobs", job("first", "@manual", ""));
        String nothing = body(List.of(), ", \"prune\": {\"namespace\": \"default\"}");
        String etag = "\"" + plan(nothing).get("etag").asText() + "\"";

        Reply refused = api.post("/apply", nothing);
        assertThat(refused.status()).as(refused.text()).isEqualTo(422);
        assertThat(refused.fields()).containsExactly("jobs");
        assertThat(refused.text()).contains("send the etag of the plan as If-Match");
        assertThat(api.one("select count(*) from job")).isEqualTo("1");

        assertThat(api.post("/apply", nothing, "If-Match", etag).status()).isEqualTo(200);
        assertThat(api.one("select count(*) from job")).isEqualTo("0");
        assertThat(api.post("/apply", nothing).status())
                .as("there is nothing to delete")
                .isEqualTo(200);
    }

    @Tag("slow")
    @Test
    void a_thousand_jobs_of_every_second_are_planned_within_seconds_in_a_bounded_answer() {
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            jobs.add(job(
                    "j" + i, "* * * * * *", ", \"zone\": \"Europe/Berlin\", \"stdin\": \"" + "x".repeat(2_000) + "\""));
        }
        String body = body(jobs, "");

        long began = System.nanoTime();
        Reply created = api.post("/plan", body);
        Reply applied = api.post("/apply", body);
        long done = System.nanoTime();
        Reply changed = api.post("/plan", body.replace("* * * * * *", "*/2 * * * * *"));

        assertThat(created.status()).as(created.text()).isEqualTo(200);
        assertThat(created.text().length()).isLessThan(3_000_000);
        assertThat(created.body()
                        .path("changes")
                        .path(999)
                        .path("fireTimes")
                        .path("addedCount")
                        .asInt())
                .isEqualTo(7 * 86_400);
        assertThat(sum(created.body(), "after")).isEqualTo(7 * 86_400 * 1_000);
        assertThat(applied.status()).as(applied.text()).isEqualTo(200);
        assertThat((done - began) / 1_000_000_000).isLessThan(30);
        assertThat(changed.text().length()).isLessThan(3_000_000);
        assertThat(changed.body()
                        .path("changes")
                        .path(0)
                        .path("fireTimes")
                        .path("removedCount")
                        .asInt())
                .isEqualTo(7 * 86_400 / 2);
        assertThat(changed.body().path("changes").path(0).path("fireTimes").path("removed"))
                .hasSize(20);
        assertThat(api.one("select count(*) from live_task where cursor_of is not null"))
                .isEqualTo("1000");
    }
}
