package dev.rowlock.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("database")
class TaskEndpointsTest {

    @RegisterExtension
    static final Api api = new Api();

    private static final TaskRows rows = new TaskRows(api);

    @Test
    void a_task_says_what_holds_it_and_why() {
        api.put(TaskRows.JOB, "{\"schedule\": \"0 3 * * *\", \"command\": \"true\"}");
        assertThat(held()).isEqualTo("null null null");

        api.post(TaskRows.JOB + "/pause", "");
        assertThat(held()).isEqualTo("\"PAUSE\" \"the job is paused\" \"pause\"");

        api.update("update live_task set hold = 'ERROR', hold_reason = 'cannot be prepared: full'");
        assertThat(held()).isEqualTo("\"ERROR\" \"cannot be prepared: full\" \"error: cannot be prepared: full\"");
    }

    private static String held() {
        JsonNode task =
                api.get("/tasks?job=a&namespace=default").body().path("items").get(0);
        assertThat(api.get("/tasks/" + task.path("id")).body()).isEqualTo(task);
        return task.get("hold") + " " + task.get("holdReason") + " " + task.get("reason");
    }

    @Test
    void an_ended_task_says_how_it_ended() {
        rows.create();
        long id = rows.run();
        rows.executes(id);
        rows.ends(id, "KILLED", 5);
        rows.writes(id, "hello");

        JsonNode task = api.get("/tasks/" + id).body();

        assertThat(task.path("state").asText()).isEqualTo("ENDED");
        assertThat(task.path("outcome").asText()).isEqualTo("KILLED");
        assertThat(task.path("node").asText()).isEqualTo("node-a");
        assertThat(task.path("signal").asInt()).isEqualTo(15);
        assertThat(task.path("durationMs").asInt()).isEqualTo(1000);
        assertThat(task.path("outputBytes").asInt()).isEqualTo(5);
        assertThat(api.get(TaskRows.JOB).body().path("lastTask").path("id").asLong())
                .isEqualTo(id);
    }

    @Test
    void a_task_that_executes_elsewhere_is_killed_through_the_database() {
        rows.create();
        long id = rows.run();
        rows.executes(id);

        assertThat(api.post("/tasks/" + id + "/kill", "").status()).isEqualTo(202);
        assertThat(api.post("/tasks/" + id + "/kill", "").status()).isEqualTo(202);

        assertThat(api.rows("select session_id, launch_id, kind from task_request"))
                .containsExactly("s s-" + id + " KILL");
        assertThat(api.local().killed()).contains(new LaunchId("s-" + id));
        rows.ends(id, "KILLED");
        Reply late = api.post("/tasks/" + id + "/kill", "");
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.body().path("detail").asText()).contains("KILLED");
    }

    @Test
    void the_output_of_what_has_ended_is_head_and_tail_with_a_mark_between() {
        rows.create();
        long id = rows.run();
        rows.executes(id);
        rows.ends(id, "SUCCEEDED");
        assertThat(api.get("/tasks/" + id + "/output").text()).isEmpty();
        api.update(
                "insert into task_output values (" + id + ", 's-" + id + "', 100, 94, 'abc', 'xyz', utc_timestamp(3))");

        Reply output = api.get("/tasks/" + id + "/output");

        assertThat(output.header("Content-Type")).isEqualTo("text/plain;charset=utf-8");
        assertThat(output.text()).isEqualTo("abc\n[... 94 bytes were cut here ...]\nxyz");
        assertThat(api.get("/tasks/" + id + "/output?follow=true").text()).isEqualTo(output.text());
    }

    @Test
    void output_that_a_lost_node_has_is_not_taken_for_none() {
        rows.create();
        long id = rows.run();
        rows.executes(id);
        rows.ends(id, "LOST");
        api.update("update task_history set output_bytes = null where id = " + id);

        for (String query : List.of("", "?follow=true", "?from=0")) {
            Reply reply = api.get("/tasks/" + id + "/output" + query);
            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.body().path("detail").asText()).contains("is on node node-a", "with its data directory");
        }

        api.update("insert into task_output values (" + id + ", 's-" + id + "', 3, 0, 'abc', '', utc_timestamp(3))");
        assertThat(api.get("/tasks/" + id + "/output").text()).isEqualTo("abc");
    }

    @Test
    void the_output_from_a_position_is_one_stretch_that_ends_where_something_was_cut() {
        rows.create();
        long id = rows.run();
        rows.executes(id);
        rows.ends(id, "SUCCEEDED", 100);
        api.update(
                "insert into task_output values (" + id + ", 's-" + id + "', 100, 94, 'abc', 'xyz', utc_timestamp(3))");

        assertThat(stretch(id, "from=0")).isEqualTo("0 100 abc");
        assertThat(stretch(id, "from=2&follow=true")).isEqualTo("2 100 c");
        assertThat(stretch(id, "from=3")).isEqualTo("97 100 xyz");
        assertThat(stretch(id, "from=50&follow=true")).isEqualTo("97 100 xyz");
        assertThat(stretch(id, "from=99")).isEqualTo("99 100 z");
        assertThat(stretch(id, "from=100&follow=true")).isEqualTo("100 100 ");
        assertThat(stretch(id, "from=1000")).isEqualTo("1000 1000 ");
    }

    private static String stretch(long id, String query) {
        Reply reply = api.get("/tasks/" + id + "/output?" + query);
        assertThat(reply.status()).isEqualTo(200);
        return reply.header("Output-Position") + " " + reply.header("Output-End") + " " + reply.text();
    }

    @Test
    void followed_output_from_a_position_ends_at_a_gap() throws Exception {
        rows.create();
        long id = rows.run();
        rows.executes(id);
        api.local().writes("s-" + id, "one ");
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> stretch(id, "from=1&follow=true"));
        api.local().writes("s-" + id, new CommandOutput(100, "one two ".getBytes(UTF_8), "end".getBytes(UTF_8)));

        assertThat(first.get(30, TimeUnit.SECONDS)).matches("1 (4|100) ne two ");
        assertThat(stretch(id, "from=8")).isEqualTo("97 100 end");
    }

    @Test
    void the_output_of_what_executes_here_comes_from_here() {
        rows.create();
        long id = rows.run();
        rows.executes(id);
        api.local().writes("s-" + id, "so far");

        assertThat(api.get("/tasks/" + id + "/output").text()).isEqualTo("so far");
        assertThat(api.one("select count(*) from task_request")).isEqualTo("0");
    }

    @Test
    void the_output_of_what_executes_elsewhere_is_asked_for_and_awaited() throws Exception {
        rows.create();
        long id = rows.run();
        rows.executes(id);
        CompletableFuture<Reply> reply = CompletableFuture.supplyAsync(() -> api.get("/tasks/" + id + "/output"));
        awaitOne("select count(*) from task_request where kind = 'FOLLOW' and launch_id = 's-" + id + "'");

        rows.writes(id, "from afar");

        assertThat(reply.get(30, TimeUnit.SECONDS).text()).isEqualTo("from afar");
    }

    @Test
    void followed_output_is_streamed_until_the_task_has_ended() throws Exception {
        rows.create();
        long id = rows.run();
        rows.executes(id);
        api.local().writes("s-" + id, "one ");
        CompletableFuture<Reply> reply =
                CompletableFuture.supplyAsync(() -> api.get("/tasks/" + id + "/output?follow=true"));
        api.local().writes("s-" + id, "one two ");
        rows.ends(id, "SUCCEEDED", 13);
        api.local().clear();
        rows.writes(id, "one two three");

        assertThat(reply.get(30, TimeUnit.SECONDS).text()).isEqualTo("one two three");
    }

    @Test
    void the_cluster_shows_its_sessions() {
        rows.session("s1", "node-a");

        JsonNode cluster = api.get("/cluster").body();

        assertThat(cluster.path("self").asText()).isEqualTo("node-a");
        JsonNode session = cluster.path("sessions").get(0);
        assertThat(session.path("node").asText()).isEqualTo("node-a");
        assertThat(session.path("heartbeatAgeMs").asLong()).isBetween(0L, 60_000L);
        assertThat(session.path("stripes").asInt()).isEqualTo(64);
    }

    /** Until a count is 1: each query is a round trip to the database, so nothing spins. */
    private static void awaitOne(String sql) {
        long startedNanos = System.nanoTime();
        while (!api.one(sql).equals("1")) {
            assertThat(System.nanoTime() - startedNanos).isLessThan(TimeUnit.SECONDS.toNanos(30));
        }
    }

    @Test
    void all_that_a_job_executes_is_killed_by_one_call() {
        rows.create();
        rows.session("s", "node-a");
        rows.executes(rows.run());
        rows.executes(rows.run());
        rows.run();

        Reply reply = api.post(TaskRows.JOB + "/kill", "");

        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        assertThat(reply.body().path("count").asInt()).isEqualTo(2);
        assertThat(reply.body().path("items").get(0).path("state").asText()).isEqualTo("EXECUTING");
        assertThat(reply.body().path("warnings")).isEmpty();
        assertThat(api.rows("select count(*), max(kind) from task_request")).containsExactly("2 KILL");
        assertThat(api.local().killed()).hasSize(2);
        assertThat(api.post(TaskRows.JOB + "/kill", "{}").body().path("count").asInt())
                .isEqualTo(2);
    }

    @Test
    void what_waits_behind_the_killed_task_is_named_with_what_ends_it() {
        rows.create();
        rows.executes(rows.run());
        long retry = rows.run();
        api.update("update live_task set cause = 'RETRY', attempt = 2 where id = " + retry);

        Reply reply = api.post(TaskRows.JOB + "/kill", "");

        assertThat(reply.body().path("count").asInt()).isEqualTo(1);
        assertThat(reply.body().path("warnings")).hasSize(1);
        assertThat(reply.body().path("warnings").get(0).asText())
                .startsWith("task " + retry + " (RETRY for 20")
                .endsWith(" waits and is not killed; POST /api/v1/tasks/" + retry + "/kill ends it");
        assertThat(api.post("/tasks/" + retry + "/kill", "").status()).isEqualTo(200);
        assertThat(api.post(TaskRows.JOB + "/kill", "").body().path("warnings")).isEmpty();
    }

    @Test
    void of_many_that_wait_the_first_are_named() {
        rows.create();
        rows.executes(rows.run());
        for (int i = 0; i < 7; i++) {
            rows.run();
        }
        api.update("update live_task set queued_at = utc_timestamp(3) where state = 'IDLE'");

        Reply reply = api.post(TaskRows.JOB + "/kill", "");

        assertThat(reply.body().path("warnings")).hasSize(6);
        assertThat(reply.body().path("warnings").get(5).asText())
                .isEqualTo("2 more tasks of this job wait and are not killed");
    }

    @Test
    void of_a_job_that_executes_nothing_nothing_is_killed() {
        rows.create();
        rows.run();

        Reply reply = api.post(TaskRows.JOB + "/kill", "");

        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.body().path("items")).isEmpty();
        assertThat(reply.body().path("count").asInt()).isZero();
        assertThat(reply.body().path("warnings").get(0).asText()).contains("nothing was killed");
        assertThat(api.rows("select state from live_task")).containsExactly("IDLE");
        assertThat(api.post("/jobs/default/nobody/kill", "").status()).isEqualTo(404);
        assertThat(api.post(TaskRows.JOB + "/kill", "{\"a\": 1}").status()).isEqualTo(422);
    }
}
