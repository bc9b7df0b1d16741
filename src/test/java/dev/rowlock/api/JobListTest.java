package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs as they are found: by text, by label, and in any order, page by page. */
@Tag("database")
class JobListTest {

    @RegisterExtension
    static final Api api = new Api();

    @BeforeEach
    void clear() {
        api.update("delete from job_stats");
    }

    /** Every third has no fire time, every fourth never ran; several share what they are sorted by. */
    private static void twentyJobs() {
        for (int i = 0; i < 20; i++) {
            String name = "job-" + (char) ('a' + i);
            String schedule = i % 3 == 0 ? "@manual" : i % 3 == 1 ? "@daily" : "0 0 1 1 *";
            api.put("/jobs/default/" + name, "{\"schedule\": \"" + schedule + "\", \"command\": \"true\"}");
            if (i % 4 != 0) {
                String outcome = List.of("SUCCEEDED", "FAILED", "LOST").get(i % 3);
                api.update("insert into job_stats (job_id, last_outcome, last_ended, result, streak, streak_since)"
                        + " select id, '" + outcome + "', '2026-01-0" + (1 + i % 5) + "', if('" + outcome
                        + "' = 'SUCCEEDED', 'SUCCEEDED', 'FAILED'), " + i + ", '2026-01-01' from job where name = '"
                        + name + "'");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            name;    name
            next;    if(n.at is null, 1, 0), n.at, n.id, j.id
            outcome; coalesce(nullif(instr('FAILED TIMED_OUT LOST KILLED SUCCEEDED', s.last_outcome), 0), 99), j.id
            last;    if(s.last_ended is null, 1, 0), s.last_ended desc, if(s.last_ended is null, j.id, -j.id)
            """, quoteCharacter = '"')
    void each_order_shows_every_job_once_on_pages_of_any_size(String sort, String order) {
        twentyJobs();
        List<String> expected = api.rows("select j.name from job j left join job_stats s on s.job_id = j.id left join"
                + " (select job_id, fire_time as at, id from live_task) n on n.job_id = j.id order by "
                + order);

        assertThat(names("sort=" + sort + "&limit=100", null)).hasSize(20).isEqualTo(expected);
        assertThat(names("sort=" + sort + "&limit=1", null)).isEqualTo(expected);
        assertThat(names("sort=" + sort + "&limit=3", null)).isEqualTo(expected);
        assertThat(names("sort=" + sort + "&limit=7", null)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "next", "outcome", "last"})
    void what_does_not_change_is_shown_once_whatever_others_do(String sort) {
        twentyJobs();
        String[] changes = {
            "update live_task set fire_time = fire_time + interval 400 day where job_id = (select min(id) from job)",
            "update job_stats set last_ended = '2027-01-01', last_outcome = 'KILLED' order by job_id limit 1",
            "delete from job where name = 'job-c'",
            "update live_task set fire_time = '2026-01-01' where job_id = (select id from job where name = 'job-e')",
            "insert into job_stats (job_id, last_outcome, last_ended) select id, 'SUCCEEDED', '2027-01-02' from job"
                    + " where name = 'job-i'"
        };

        List<String> names = names("sort=" + sort + "&limit=3", changes);

        List<String> unchanged = new ArrayList<>();
        for (char c = 'a'; c < 'a' + 20; c++) {
            if ("abcei".indexOf(c) < 0) {
                unchanged.add("job-" + c);
            }
        }
        assertThat(names.stream().filter(unchanged::contains).toList()).containsExactlyInAnyOrderElementsOf(unchanged);
    }

    @Test
    void a_filter_holds_in_every_order() {
        twentyJobs();
        for (String sort : List.of("name", "next", "outcome", "last")) {
            assertThat(names("q=JOB-B&limit=2&sort=" + sort, null)).containsExactly("job-b");
        }
    }

    @Test
    void part_of_a_name_or_a_description_finds_a_job_in_any_case() {
        api.put("/jobs/ops/Backup-Nightly", "{\"schedule\": \"@daily\", \"command\": \"true\"}");
        api.put(
                "/jobs/ops/x",
                "{\"schedule\": \"@daily\", \"command\": \"true\", \"description\": \"Straßen, ÜBER night\"}");

        assertThat(names("q=night", null)).containsExactly("Backup-Nightly", "x");
        assertThat(names("q=BACKUP", null)).containsExactly("Backup-Nightly");
        assertThat(names("q=%C3%BCber", null)).containsExactly("x");
        assertThat(names("q=nope", null)).isEmpty();
        assertThat(names("q=night&namespace=other", null)).isEmpty();
        assertThat(names("q=Ops/X", null)).containsExactly("x");
        assertThat(names("q=%20night%20%20str", null)).containsExactly("x");
        assertThat(api.get("/jobs?q=night%20OPS&limit=1")
                        .body()
                        .at("/total/count")
                        .asInt())
                .isEqualTo(2);
        api.update("update job set definition = json_set(definition, '$.description', 'as an older node writes it')"
                + " where name = 'x'");
        assertThat(names("q=older", null)).containsExactly("x");
    }

    @Test
    void labels_find_what_bears_them_whatever_their_values_are_made_of() {
        label("a", "\"team\": \"ops\"");
        label("b", "\"team\": \"dev\", \"odd\": \"a \\\"b\\\\ /ü\"");
        label("c", "\"ops\": \"team\"");
        StringBuilder many = new StringBuilder("\"team\": \"ops\"");
        for (int i = 0; i < 40; i++) {
            many.append(", \"label-")
                    .append(i)
                    .append("\": \"")
                    .append("v".repeat(60))
                    .append('"');
        }
        label("d", many.toString());

        assertThat(names("label=team", null)).containsExactly("a", "b", "d");
        assertThat(names("label=team=ops", null)).containsExactly("a", "d");
        assertThat(names("label=team=op", null)).isEmpty();
        assertThat(names("label=odd=a%20%22b%5C%20%2F%C3%BC", null)).containsExactly("b");
        assertThat(names("label=label-39&label=team=ops&sort=next", null)).containsExactly("d");
    }

    @Test
    void each_job_shows_how_its_last_runs_ended() {
        twentyJobs();
        JsonNode job = api.get("/jobs?q=job-c").body().path("items").get(0);

        assertThat(job.path("streak").path("count").asInt()).isEqualTo(2);
        assertThat(job.path("streak").path("result").asText()).isEqualTo("FAILED");
        assertThat(job.path("streak").path("since").asText()).isEqualTo("2026-01-01T00:00:00.000Z");
        assertThat(job.has("zone") && job.has("nextFireTime") && job.has("lastTask"))
                .isTrue();
        assertThat(api.get("/jobs/default/job-a").body().path("streak").isNull())
                .isTrue();
    }

    @Test
    void what_is_wrong_is_said_by_name() {
        twentyJobs();
        assertThat(api.get("/jobs?sort=size").fields()).containsExactly("sort");
        String cursor =
                api.get("/jobs?sort=next&limit=1").body().path("nextCursor").asText();
        assertThat(api.get("/jobs?sort=last&cursor=" + cursor).fields()).containsExactly("cursor");
        assertThat(api.get("/jobs?cursor=" + cursor).fields()).containsExactly("cursor");
        assertThat(api.get("/tasks?minDuration=x&cause=y&label=%3D").fields())
                .containsExactlyInAnyOrder("minDuration", "cause", "label");
    }

    @Test
    void tasks_are_found_by_cause_duration_and_the_labels_of_their_job() {
        TaskRows rows = new TaskRows(api);
        api.put(TaskRows.JOB, "{\"schedule\": \"@daily\", \"command\": \"true\", \"labels\": {\"team\": \"ops\"}}");
        long ended = rows.run();
        rows.ends(ended, "FAILED");
        long waiting = rows.run();
        label("other", "\"team\": \"dev\"");

        assertThat(tasks("cause=MANUAL")).containsExactly(waiting, ended);
        assertThat(tasks("cause=RETRY")).isEmpty();
        assertThat(tasks("minDuration=1s")).containsExactly(ended);
        assertThat(tasks("minDuration=1001ms")).isEmpty();
        assertThat(tasks("label=team=ops&state=ENDED")).containsExactly(ended);
        assertThat(tasks("label=team=ops")).hasSize(3).contains(waiting, ended);
        assertThat(tasks("label=team=ops&cause=MANUAL&outcome=FAILED&since=2026-01-01T00:00:00Z"))
                .containsExactly(ended);
    }

    private static void label(String name, String labels) {
        Api.Reply reply = api.put(
                "/jobs/default/" + name,
                "{\"schedule\": \"@daily\", \"command\": \"true\", \"labels\": {" + labels + "}}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private static List<Long> tasks(String query) {
        Api.Reply reply = api.get("/tasks?" + query);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        List<Long> ids = new ArrayList<>();
        reply.body().path("items").forEach(task -> ids.add(task.path("id").asLong()));
        return ids;
    }

    /** @param changes one is made after each page */
    private static List<String> names(String query, String @Nullable [] changes) {
        List<String> names = new ArrayList<>();
        String cursor = "";
        int pages = 0;
        do {
            Api.Reply page = api.get("/jobs?" + query + cursor);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            page.body().path("items").forEach(job -> names.add(job.path("name").asText()));
            cursor = page.body().path("nextCursor").isTextual()
                    ? "&cursor=" + page.body().path("nextCursor").asText()
                    : "";
            if (changes != null && pages < changes.length) {
                api.update(changes[pages]);
            }
            pages++;
        } while (!cursor.isEmpty() && pages < 100);
        return names;
    }

    @Test
    void the_last_outcomes_are_told_to_who_asks_for_them() {
        api.put("/jobs/default/recent", "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        api.update(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                        + " outcome, ended_at, last_fire_time) select 900 + n.id, j.id, 'default', 'recent', 1, utc_timestamp(3)"
                        + " + interval n.id second, '', 1, 'SCHEDULE', n.outcome, utc_timestamp(3), utc_timestamp(3) from job j join (select 1 as id,"
                        + " 'MISSED' as outcome union all select 2, 'FAILED' union all select 3, 'SUCCEEDED') n"
                        + " where j.name = 'recent'");

        assertThat(api.get("/jobs?q=recent&recent=2")
                        .body()
                        .path("items")
                        .path(0)
                        .path("recent"))
                .extracting(JsonNode::asText)
                .containsExactly("FAILED", "SUCCEEDED");
        assertThat(api.get("/jobs?q=recent&recent=50&sort=outcome")
                        .body()
                        .path("items")
                        .path(0)
                        .path("recent"))
                .hasSize(3);
        assertThat(api.get("/jobs?q=recent").body().path("items").path(0).has("recent"))
                .isFalse();
        assertThat(api.get("/jobs/default/recent").body().has("recent")).isFalse();
        assertThat(api.get("/jobs?recent=51").text()).contains("recent", "whole number from 1 to 50");
        assertThat(api.get("/jobs?recent=0").status()).isEqualTo(400);
    }
}
