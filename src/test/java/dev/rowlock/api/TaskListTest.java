package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which tasks are found, and what a job says of its last ones. */
@Tag("database")
class TaskListTest {

    @RegisterExtension
    static final Api api = new Api();

    private static final TaskRows rows = new TaskRows(api);

    @Test
    void live_and_ended_tasks_are_listed_together_page_by_page() {
        rows.create();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.add(rows.run());
            if (i % 2 == 0) {
                rows.ends(ids.get(i), "SUCCEEDED");
            }
        }
        api.update("update live_task set fire_time = '2026-01-01' where fire_time is not null and id < " + ids.get(4));
        api.update("update task_history set fire_time = '2026-01-01' where id < " + ids.get(4));

        List<Long> seen = new ArrayList<>();
        String cursor = "";
        do {
            Reply page = api.get("/tasks?limit=2" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
            page.body().path("items").forEach(t -> seen.add(t.path("id").asLong()));
            cursor = page.body().path("nextCursor").asText("");
            cursor = cursor.equals("null") ? "" : cursor;
        } while (!cursor.isEmpty());

        assertThat(seen)
                .containsExactlyElementsOf(
                        ids.stream().sorted((a, b) -> Long.compare(b, a)).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "?state=ENDED, 1",
        "?state=IDLE, 1",
        "?state=EXECUTING, 1",
        "?outcome=FAILED, 1",
        "?outcome=LOST, 0",
        "?job=a, 3",
        "?job=default/a, 3",
        "?namespace=default, 3",
        "?namespace=x, 0",
        "?node=node-a, 2",
        "?node=node-b, 0",
        "?since=2020-01-01T00:00:00Z, 3",
        "?until=2020-01-01T00:00:00Z, 0",
        "?state=IDLE&outcome=FAILED, 0",
        "?job=a&node=node-a&state=EXECUTING&since=2020-01-01T00:00:00Z, 1"
    })
    void tasks_are_filtered(String query, int count) {
        rows.create();
        rows.session("s", "node-a");
        rows.ends(rows.run(), "FAILED");
        rows.executes(rows.run());
        rows.run();

        Reply reply = api.get("/tasks" + query);

        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.body().path("items").size()).as(reply.text()).isEqualTo(count);
    }

    @Test
    void what_has_become_a_task_for_each_node_is_listed_when_it_is_asked_for() {
        rows.create();
        rows.ends(rows.run(), "EXPANDED");
        rows.ends(rows.run(), "SUCCEEDED");

        assertThat(outcomes("/tasks")).containsExactly("SUCCEEDED");
        assertThat(outcomes("/tasks?expanded=false")).containsExactly("SUCCEEDED");
        assertThat(outcomes("/tasks?expanded=true")).containsExactlyInAnyOrder("SUCCEEDED", "EXPANDED");
        assertThat(api.get("/tasks?expanded=perhaps").fields()).containsExactly("expanded");
    }

    @Test
    void what_was_withdrawn_before_its_time_is_listed_when_it_is_asked_for() {
        rows.create();
        rows.ends(rows.run(), "CANCELLED");
        rows.ends(rows.run(), "SUCCEEDED");
        api.update("update task_history set withdrawn = true where outcome = 'CANCELLED'");

        assertThat(outcomes("/tasks")).containsExactly("SUCCEEDED");
        assertThat(outcomes("/tasks?outcome=CANCELLED")).isEmpty();
        assertThat(outcomes("/tasks?withdrawn=true")).containsExactlyInAnyOrder("SUCCEEDED", "CANCELLED");
        assertThat(outcomes("/tasks?withdrawn=true&outcome=CANCELLED")).containsExactly("CANCELLED");
        assertThat(api.get("/tasks?withdrawn=perhaps").fields()).containsExactly("withdrawn");
        assertThat(api.get("/tasks?limit=1").body().path("total").path("count").asInt())
                .isEqualTo(1);
        assertThat(api.get("/tasks?limit=1&outcome=CANCELLED")
                        .body()
                        .path("total")
                        .path("count")
                        .asInt())
                .isZero();
    }

    private static List<String> outcomes(String path) {
        Reply reply = api.get(path);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.body().path("items").findValuesAsText("outcome");
    }

    @ParameterizedTest
    @CsvSource({"b", "default/b", "ops/a"})
    void a_job_that_never_was_is_not_taken_for_one_that_never_ran(String job) {
        rows.create();

        Reply reply = api.get("/tasks?state=ENDED&job=" + job);

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.fields()).containsExactly("job");
        assertThat(reply.body().path("detail").asText())
                .contains(job.contains("/") ? job : "default/" + job)
                .contains("NAMESPACE/NAME");
        assertThat(api.get("/tasks?state=ENDED&job=a").status()).isEqualTo(200);
    }

    @Test
    void a_job_that_was_deleted_is_known_as_long_as_anything_is_left_of_it() {
        rows.create();
        rows.ends(rows.run(), "SUCCEEDED");
        api.call("DELETE", TaskRows.JOB, null);
        assertThat(api.get("/tasks?job=a&outcome=LOST").status()).isEqualTo(200);
        api.update("delete from job_version");
        assertThat(api.get("/tasks?job=a&outcome=LOST").status()).isEqualTo(200);
        api.update("delete from task_history");
        assertThat(api.get("/tasks?job=a").status()).isEqualTo(404);
    }

    /** At minute {@code from} of an hour, and up to minute {@code last}; answers its id. */
    private static long history(String outcome, int from, int last, String startedAt) {
        long id = rows.run();
        rows.ends(id, outcome);
        api.update("update task_history set fire_time = '2026-01-01 05:00:00' + interval " + from
                + " minute, last_fire_time = '2026-01-01 05:00:00' + interval " + last + " minute, occurrences = "
                + (last - from + 1) + ", node = null, reason = 'because " + id + "', started_at = " + startedAt
                + " where id = " + id);
        if (last > from) {
            api.update("insert into task_span (scale, fire_time, task_id, last_fire_time, namespace, job, outcome,"
                    + " ended_at) select length(bin(timestampdiff(second, fire_time, last_fire_time))),"
                    + " fire_time, id, last_fire_time, namespace, job, outcome, ended_at from task_history"
                    + " where id = " + id);
        }
        return id;
    }

    private static List<Long> ids(String query) {
        List<Long> seen = new ArrayList<>();
        String cursor = "";
        do {
            Reply page = api.get("/tasks?" + query + cursor);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            page.body().path("items").forEach(t -> seen.add(t.path("id").asLong()));
            cursor = page.body().path("nextCursor").isTextual()
                    ? "&cursor=" + page.body().path("nextCursor").asText()
                    : "";
        } while (!cursor.isEmpty());
        return seen;
    }

    @Test
    void a_range_of_time_finds_the_rows_that_cover_it() {
        rows.create();
        long before = history("SUCCEEDED", 0, 0, "fire_time");
        long missed = history("MISSED", 1, 3, "null");
        long paused = history("SKIPPED", -600, 2, "null");
        long after = history("SUCCEEDED", 4, 4, "fire_time");
        String at2 = "since=2026-01-01T05:02:00Z&until=2026-01-01T05:02:01Z";

        assertThat(ids(at2)).containsExactly(missed, paused);
        assertThat(ids(at2 + "&limit=1")).containsExactly(missed, paused);
        assertThat(ids("limit=1&since=2026-01-01T05:02:00Z")).containsExactly(after, missed, paused);
        assertThat(ids("since=2026-01-01T05:00:00Z&limit=2")).containsExactly(after, missed, before, paused);
        assertThat(ids(at2 + "&job=a")).containsExactly(missed, paused);
        assertThat(ids(at2 + "&job=a&limit=1")).containsExactly(missed, paused);
        assertThat(ids(at2 + "&namespace=default&outcome=SKIPPED")).containsExactly(paused);
        assertThat(ids(at2 + "&namespace=other")).isEmpty();
        assertThat(ids(at2 + "&node=node-a")).isEmpty();
        assertThat(ids(at2 + "&state=IDLE")).isEmpty();
        assertThat(ids("since=2026-01-01T05:03:00.001Z&until=2026-01-01T05:03:30Z"))
                .isEmpty();
        assertThat(ids("since=2026-01-01T05:02:00Z&until=2026-01-01T05:02:00Z")).isEmpty();
        assertThat(api.rows("select id from v_history where namespace = 'default' and job = 'a'"
                        + " and fire_time <= '2026-01-01 05:02' and last_fire_time >= '2026-01-01"
                        + " 05:02' order by fire_time desc"))
                .containsExactly(Long.toString(missed), Long.toString(paused));
    }

    @Test
    void the_last_task_is_one_that_ran_and_what_was_skipped_since_is_told_as_well() {
        rows.create();
        api.update("update job set created_at = '2026-01-01'");
        assertThat(api.get(TaskRows.JOB).body().path("skippedSince").isNull()).isTrue();
        history("SKIPPED", 0, 0, "null");
        long ran = history("SUCCEEDED", 1, 1, "fire_time");
        assertThat(api.get(TaskRows.JOB).body().path("skippedSince").isNull()).isTrue();
        history("SKIPPED", 2, 2, "null");
        history("CANCELLED", 3, 3, "null");
        long missed = history("MISSED", 4, 8, "null");

        for (JsonNode job : List.of(
                api.get(TaskRows.JOB).body(),
                api.get("/jobs").body().path("items").get(0))) {
            assertThat(job.path("lastTask").path("id").asLong()).isEqualTo(ran);
            JsonNode skipped = job.path("skippedSince");
            assertThat(skipped.path("count").asInt()).isEqualTo(6);
            assertThat(skipped.path("exact").asBoolean()).isTrue();
            assertThat(skipped.path("outcome").asText()).isEqualTo("MISSED");
            assertThat(skipped.path("reason").asText()).isEqualTo("because " + missed);
            assertThat(skipped.path("lastFireTime").asText()).isEqualTo("2026-01-01T05:08:00.000Z");
        }
    }

    @Test
    void what_is_skipped_while_a_run_takes_long_does_not_hide_it() {
        rows.create();
        api.update("update job set created_at = '2026-01-01'");
        history("SUCCEEDED", 0, 0, "fire_time");
        long running = rows.run();
        rows.executes(running);
        api.update("update live_task set fire_time = '2026-01-01 05:01:00'");
        long last = 0;
        for (int minute = 2; minute < 5; minute++) {
            last = history("SKIPPED", minute, minute, "null");
        }

        JsonNode job = api.get(TaskRows.JOB).body();

        assertThat(job.path("lastTask").path("id").asLong()).isEqualTo(running);
        assertThat(job.path("skippedSince").path("count").asInt()).isEqualTo(3);
        assertThat(job.path("skippedSince").path("reason").asText()).isEqualTo("because " + last);
        assertThat(api.put(TaskRows.JOB, job.toString()).status()).isEqualTo(200);
    }
}
