package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import dev.rowlock.job.LaunchId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskEndpointsTest {

    private static final String JOB = "/jobs/default/a";

    @RegisterExtension
    static final Api api = new Api();

    private static void create() {
        api.put(JOB, "{\"schedule\": \"@manual\", \"command\": \"true\"}");
    }

    private static long run() {
        return api.post(JOB + "/run", "").body().path("id").asLong();
    }

    private static void executes(long id) {
        api.update("update task set state = 'EXECUTING', launch_id = 's-" + id
                + "', session_id = 's', started_at = utc_timestamp(3) where id = " + id);
    }

    private static void ends(long id, String outcome) {
        ends(id, outcome, 0);
    }

    private static void ends(long id, String outcome, int outputBytes) {
        api.update(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause, outcome,"
                        + " node, session_id, launch_id, due_at, started_at, ended_at, lateness_ms, duration_ms, exit_code, exit_signal,"
                        + " output_bytes, last_fire_time) select id, job_id, 'default', 'a', 1, fire_time, origin, attempt, cause, '"
                        + outcome
                        + "', 'node-a', session_id, launch_id, due_at, started_at, utc_timestamp(3), 5, 1000, 0, 15, "
                        + outputBytes
                        + ", fire_time from task"
                        + " where id = " + id);
        api.update("delete from task where id = " + id);
    }

    private static void writes(long id, String text) {
        api.update("replace into task_output values (" + id + ", 's-" + id + "', " + text.length() + ", 0, '" + text
                + "', '', utc_timestamp(3))");
    }

    private static void session(String id, String node) {
        api.update(
                "insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at,"
                        + " heartbeat_at, state) values ('" + id + "', '" + node
                        + "', 'h', 'b', 1, 1, '1', '{}', 4, utc_timestamp(3), utc_timestamp(3), 'ALIVE')");
    }

    @Test
    void a_task_says_what_holds_it_and_why() {
        api.put(JOB, "{\"schedule\": \"0 3 * * *\", \"command\": \"true\"}");
        assertThat(held()).isEqualTo("null null null");

        api.post(JOB + "/pause", "");
        assertThat(held()).isEqualTo("\"PAUSE\" \"the job is paused\" \"pause\"");

        api.update("update task set waits_for = 'error: cannot be prepared: full'");
        assertThat(held()).isEqualTo("\"ERROR\" \"cannot be prepared: full\" \"error: cannot be prepared: full\"");
    }

    private static String held() {
        JsonNode task =
                api.get("/tasks?job=a&namespace=default").body().path("items").get(0);
        assertThat(api.get("/tasks/" + task.path("id")).body()).isEqualTo(task);
        return task.get("hold") + " " + task.get("holdReason") + " " + task.get("reason");
    }

    @Test
    void a_run_makes_a_task_that_is_due_now() {
        create();
        int wakes = api.wakes();

        Reply reply = api.post(JOB + "/run", "{}");

        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.header("Location"))
                .isEqualTo("/api/v1/tasks/" + reply.body().path("id"));
        assertThat(reply.body().path("cause").asText()).isEqualTo("MANUAL");
        assertThat(reply.body().path("state").asText()).isEqualTo("IDLE");
        assertThat(reply.body().path("fireTime").asText()).matches(".*T..:..:..\\.\\d{3}Z");
        assertThat(api.rows("select left(origin, 4), attempt, due_at = fire_time, cursor_of from task"))
                .containsExactly("run: 1 1 null");
        assertThat(api.wakes()).isGreaterThan(wakes);
    }

    @Test
    void the_same_idempotency_key_makes_one_task_even_when_it_has_ended() {
        create();
        long first = api.post(JOB + "/run", "", "Idempotency-Key", "k")
                .body()
                .path("id")
                .asLong();
        assertThat(api.post(JOB + "/run", "", "Idempotency-Key", "k")
                        .body()
                        .path("id")
                        .asLong())
                .isEqualTo(first);
        ends(first, "SUCCEEDED");
        assertThat(api.post(JOB + "/run", "", "Idempotency-Key", "k")
                        .body()
                        .path("id")
                        .asLong())
                .isEqualTo(first);
        assertThat(api.post(JOB + "/run", "", "Idempotency-Key", "other")
                        .body()
                        .path("id")
                        .asLong())
                .isNotEqualTo(first);
        assertThat(api.post(JOB + "/run", "", "Idempotency-Key", "k".repeat(201))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void many_requests_with_one_idempotency_key_make_one_task() {
        create();
        List<CompletableFuture<Long>> runs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            runs.add(CompletableFuture.supplyAsync(() -> api.post(JOB + "/run", "", "Idempotency-Key", "k")
                    .body()
                    .path("id")
                    .asLong()));
        }
        assertThat(runs.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    }

    @Test
    void live_and_ended_tasks_are_listed_together_page_by_page() {
        create();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.add(run());
            if (i % 2 == 0) {
                ends(ids.get(i), "SUCCEEDED");
            }
        }
        api.update("update task set fire_time = '2026-01-01' where fire_time is not null and id < " + ids.get(4));
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
        create();
        session("s", "node-a");
        ends(run(), "FAILED");
        executes(run());
        run();

        Reply reply = api.get("/tasks" + query);

        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.body().path("items").size()).as(reply.text()).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"b", "default/b", "ops/a"})
    void a_job_that_never_was_is_not_taken_for_one_that_never_ran(String job) {
        create();

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
        create();
        ends(run(), "SUCCEEDED");
        api.call("DELETE", JOB, null);
        assertThat(api.get("/tasks?job=a&outcome=LOST").status()).isEqualTo(200);
        api.update("delete from job_version");
        assertThat(api.get("/tasks?job=a&outcome=LOST").status()).isEqualTo(200);
        api.update("delete from task_history");
        assertThat(api.get("/tasks?job=a").status()).isEqualTo(404);
    }

    @Test
    void a_run_that_will_be_skipped_says_so() {
        create();
        Reply first = api.post(JOB + "/run", "");
        assertThat(first.body().path("warnings").isEmpty()).isTrue();
        long id = first.body().path("id").asLong();
        executes(id);

        Reply second = api.post(JOB + "/run", "");

        assertThat(second.status()).isEqualTo(202);
        assertThat(second.body().path("warnings").toString())
                .contains("SKIPPED")
                .contains("task " + id);
    }

    /** At minute {@code from} of an hour, and up to minute {@code last}; answers its id. */
    private static long history(String outcome, int from, int last, String startedAt) {
        long id = run();
        ends(id, outcome);
        api.update("update task_history set fire_time = '2026-01-01 05:00:00' + interval " + from
                + " minute, last_fire_time = '2026-01-01 05:00:00' + interval " + last + " minute, occurrences = "
                + (last - from + 1) + ", node = null, reason = 'because " + id + "', started_at = " + startedAt
                + " where id = " + id);
        if (last > from) {
            api.update(
                    "insert into task_span (scale, fire_time, task_id, last_fire_time, namespace, job, outcome, ended_at)"
                            + " select length(bin(timestampdiff(second, fire_time, last_fire_time))), fire_time, id, last_fire_time,"
                            + " namespace, job, outcome, ended_at from task_history where id = " + id);
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
        create();
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
        assertThat(
                        api.rows(
                                "select id from v_history where namespace = 'default' and job = 'a'"
                                        + " and fire_time <= '2026-01-01 05:02' and last_fire_time >= '2026-01-01 05:02' order by fire_time desc"))
                .containsExactly(Long.toString(missed), Long.toString(paused));
    }

    @Test
    void the_last_task_is_one_that_ran_and_what_was_skipped_since_is_told_as_well() {
        create();
        api.update("update job set created_at = '2026-01-01'");
        assertThat(api.get(JOB).body().path("skippedSince").isNull()).isTrue();
        history("SKIPPED", 0, 0, "null");
        long ran = history("SUCCEEDED", 1, 1, "fire_time");
        assertThat(api.get(JOB).body().path("skippedSince").isNull()).isTrue();
        history("SKIPPED", 2, 2, "null");
        history("CANCELLED", 3, 3, "null");
        long missed = history("MISSED", 4, 8, "null");

        for (JsonNode job : List.of(
                api.get(JOB).body(), api.get("/jobs").body().path("items").get(0))) {
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
        create();
        api.update("update job set created_at = '2026-01-01'");
        history("SUCCEEDED", 0, 0, "fire_time");
        long running = run();
        executes(running);
        api.update("update task set fire_time = '2026-01-01 05:01:00'");
        long last = 0;
        for (int minute = 2; minute < 5; minute++) {
            last = history("SKIPPED", minute, minute, "null");
        }

        JsonNode job = api.get(JOB).body();

        assertThat(job.path("lastTask").path("id").asLong()).isEqualTo(running);
        assertThat(job.path("skippedSince").path("count").asInt()).isEqualTo(3);
        assertThat(job.path("skippedSince").path("reason").asText()).isEqualTo("because " + last);
        assertThat(api.put(JOB, job.toString()).status()).isEqualTo(200);
    }

    @Test
    void an_ended_task_says_how_it_ended() {
        create();
        long id = run();
        executes(id);
        ends(id, "KILLED", 5);
        writes(id, "hello");

        JsonNode task = api.get("/tasks/" + id).body();

        assertThat(task.path("state").asText()).isEqualTo("ENDED");
        assertThat(task.path("outcome").asText()).isEqualTo("KILLED");
        assertThat(task.path("node").asText()).isEqualTo("node-a");
        assertThat(task.path("signal").asInt()).isEqualTo(15);
        assertThat(task.path("durationMs").asInt()).isEqualTo(1000);
        assertThat(task.path("outputBytes").asInt()).isEqualTo(5);
        assertThat(api.get(JOB).body().path("lastTask").path("id").asLong()).isEqualTo(id);
    }

    @Test
    void a_task_that_executes_elsewhere_is_killed_through_the_database() {
        create();
        long id = run();
        executes(id);

        assertThat(api.post("/tasks/" + id + "/kill", "").status()).isEqualTo(202);
        assertThat(api.post("/tasks/" + id + "/kill", "").status()).isEqualTo(202);

        assertThat(api.rows("select session_id, launch_id, kind from task_request"))
                .containsExactly("s s-" + id + " KILL");
        assertThat(api.local().killed()).contains(new LaunchId("s-" + id));
        ends(id, "KILLED");
        Reply late = api.post("/tasks/" + id + "/kill", "");
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.body().path("detail").asText()).contains("KILLED");
    }

    @Test
    void the_output_of_what_has_ended_is_head_and_tail_with_a_mark_between() {
        create();
        long id = run();
        executes(id);
        ends(id, "SUCCEEDED");
        assertThat(api.get("/tasks/" + id + "/output").text()).isEmpty();
        api.update(
                "insert into task_output values (" + id + ", 's-" + id + "', 100, 94, 'abc', 'xyz', utc_timestamp(3))");

        Reply output = api.get("/tasks/" + id + "/output");

        assertThat(output.header("Content-Type")).isEqualTo("text/plain;charset=utf-8");
        assertThat(output.text()).isEqualTo("abc\n[... 94 bytes were cut here ...]\nxyz");
        assertThat(api.get("/tasks/" + id + "/output?follow=true").text()).isEqualTo(output.text());
    }

    @Test
    void the_output_of_what_executes_here_comes_from_here() {
        create();
        long id = run();
        executes(id);
        api.local().writes("s-" + id, "so far");

        assertThat(api.get("/tasks/" + id + "/output").text()).isEqualTo("so far");
        assertThat(api.one("select count(*) from task_request")).isEqualTo("0");
    }

    @Test
    void the_output_of_what_executes_elsewhere_is_asked_for_and_awaited() throws Exception {
        create();
        long id = run();
        executes(id);
        CompletableFuture<Reply> reply = CompletableFuture.supplyAsync(() -> api.get("/tasks/" + id + "/output"));
        awaitOne("select count(*) from task_request where kind = 'FOLLOW' and launch_id = 's-" + id + "'");

        writes(id, "from afar");

        assertThat(reply.get(30, TimeUnit.SECONDS).text()).isEqualTo("from afar");
    }

    @Test
    void followed_output_is_streamed_until_the_task_has_ended() throws Exception {
        create();
        long id = run();
        executes(id);
        api.local().writes("s-" + id, "one ");
        CompletableFuture<Reply> reply =
                CompletableFuture.supplyAsync(() -> api.get("/tasks/" + id + "/output?follow=true"));
        api.local().writes("s-" + id, "one two ");
        ends(id, "SUCCEEDED", 13);
        api.local().clear();
        writes(id, "one two three");

        assertThat(reply.get(30, TimeUnit.SECONDS).text()).isEqualTo("one two three");
    }

    @Test
    void the_cluster_shows_its_sessions() {
        session("s1", "node-a");

        JsonNode cluster = api.get("/cluster").body();

        assertThat(cluster.path("self").asText()).isEqualTo("node-a");
        JsonNode session = cluster.path("sessions").get(0);
        assertThat(session.path("node").asText()).isEqualTo("node-a");
        assertThat(session.path("heartbeatAgeMs").asLong()).isBetween(0L, 60_000L);
        assertThat(session.path("shards").asInt()).isEqualTo(64);
    }

    /** Until a count is 1: each look is a round trip to the database, so nothing spins. */
    private static void awaitOne(String sql) {
        long startedNanos = System.nanoTime();
        while (!api.one(sql).equals("1")) {
            assertThat(System.nanoTime() - startedNanos).isLessThan(TimeUnit.SECONDS.toNanos(30));
        }
    }
}
