package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that were asked for. */
@Tag("database")
class RunEndpointTest {

    @RegisterExtension
    static final Api api = new Api();

    private static final TaskRows rows = new TaskRows(api);

    @Test
    void a_run_makes_a_task_that_is_due_now() {
        rows.create();
        int wakes = api.wakes();

        Reply reply = api.post(TaskRows.JOB + "/run", "{}");

        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.header("Location"))
                .isEqualTo("/api/v1/tasks/" + reply.body().path("id"));
        assertThat(reply.body().path("cause").asText()).isEqualTo("MANUAL");
        assertThat(reply.body().path("state").asText()).isEqualTo("IDLE");
        assertThat(reply.body().path("fireTime").asText()).matches(".*T..:..:..\\.\\d{3}Z");
        assertThat(api.rows("select left(origin, 4), attempt, due_at = fire_time, cursor_of from live_task"))
                .containsExactly("run: 1 1 null");
        assertThat(api.wakes()).isGreaterThan(wakes);
    }

    @Test
    void the_same_idempotency_key_makes_one_task_even_when_it_has_ended() {
        rows.create();
        long first = api.post(TaskRows.JOB + "/run", "", "Idempotency-Key", "k")
                .body()
                .path("id")
                .asLong();
        assertThat(api.post(TaskRows.JOB + "/run", "", "Idempotency-Key", "k")
                        .body()
                        .path("id")
                        .asLong())
                .isEqualTo(first);
        rows.ends(first, "SUCCEEDED");
        assertThat(api.post(TaskRows.JOB + "/run", "", "Idempotency-Key", "k")
                        .body()
                        .path("id")
                        .asLong())
                .isEqualTo(first);
        assertThat(api.post(TaskRows.JOB + "/run", "", "Idempotency-Key", "other")
                        .body()
                        .path("id")
                        .asLong())
                .isNotEqualTo(first);
        assertThat(api.post(TaskRows.JOB + "/run", "", "Idempotency-Key", "k".repeat(201))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_key_belongs_to_its_caller_and_to_what_was_asked_for() {
        rows.create();
        String other = api.token("other", "editor");
        String path = TaskRows.JOB + "/run";
        String body = "{\"env\": {\"A\": \"1\", \"B\": \"2\"}}";
        Reply first = api.post(path, body, "Idempotency-Key", "k");
        Reply again = api.post(path, "{\"env\": {\"B\": \"2\", \"A\": \"1\"}}", "Idempotency-Key", "k");
        Reply theirs = api.call("POST", path, body, "Authorization", "Bearer " + other, "Idempotency-Key", "k");
        Reply another = api.post(path, "{\"env\": {\"A\": \"2\"}}", "Idempotency-Key", "k");

        assertThat(again.body().path("id")).isEqualTo(first.body().path("id"));
        assertThat(theirs.body().path("id")).isNotEqualTo(first.body().path("id"));
        assertThat(another.status()).isEqualTo(422);
        assertThat(another.fields()).containsExactly("Idempotency-Key");
        assertThat(another.text()).contains("another key");
        assertThat(api.one("select count(*) from live_task")).isEqualTo("2");
    }

    @Test
    void many_requests_with_one_idempotency_key_make_one_task() {
        rows.create();
        List<CompletableFuture<Long>> runs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            runs.add(CompletableFuture.supplyAsync(() -> api.post(TaskRows.JOB + "/run", "", "Idempotency-Key", "k")
                    .body()
                    .path("id")
                    .asLong()));
        }
        assertThat(runs.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    }

    @Test
    void what_is_asked_for_in_one_run_is_shown_and_stays_with_it() {
        rows.create();
        rows.session("s", "node-a");
        String body =
                "{\"command\": \"other\", \"env\": {\"A\": \"1\"}, \"node\": \"node-a\"," + " \"overlap\": \"QUEUE\"}";

        Reply reply = api.post(TaskRows.JOB + "/run", body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        long id = reply.body().path("id").asLong();
        assertThat(reply.body().path("overrides").path("command").asText()).isEqualTo("other");
        assertThat(reply.body().path("overrides").path("env").path("A").asText())
                .isEqualTo("1");
        assertThat(reply.body().path("overrides")).hasSize(4);
        assertThat(api.get("/tasks?job=default/a")
                        .body()
                        .path("items")
                        .get(0)
                        .path("overrides")
                        .path("node")
                        .asText())
                .isEqualTo("node-a");
        assertThat(api.rows("select needs from live_task")).containsExactly("1");
        Reply plain = api.post(TaskRows.JOB + "/run", "{}");
        assertThat(plain.body().path("overrides").isNull()).isTrue();
        assertThat(api.rows("select needs from live_task where id > " + id)).containsExactly("0");
    }

    @Test
    void a_large_command_is_shown_whole_by_its_task_alone() {
        rows.create();
        long id = api.post(TaskRows.JOB + "/run", "{\"command\": \"" + "x".repeat(60_000) + "\"}")
                .body()
                .path("id")
                .asLong();

        assertThat(api.get("/tasks/" + id)
                        .body()
                        .path("overrides")
                        .path("command")
                        .asText())
                .hasSize(60_000);
        assertThat(api.get("/tasks")
                        .body()
                        .path("items")
                        .get(0)
                        .path("overrides")
                        .toString())
                .matches("\\{\"bytes\":600\\d\\d}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"comand": "x"}                            | comand          | did you mean 'command'?
            {"command": ""}                            | command         | must not be blank
            {"command": 5}                             | command         | must be a string
            {"env": {"ROWLOCK_JOB": "x"}}              | env.ROWLOCK_JOB | set by Rowlock itself
            {"env": {"1A": "x"}}                       | env.1A          | not the name of a variable
            {"env": {"A": 1}}                          | env.A           | must be a string
            {"overlap": "SOMETIMES"}                   | overlap         | is not one of SKIP, QUEUE, ALLOW, REPLACE
            {"node": "nowhere"}                        | node            | 'nowhere' is not there; there are node-a
            {"node": "a b"}                            | node            | must be 1 to 64
            """)
    void what_is_wrong_is_named_and_nothing_runs(String body, String field, String message) {
        rows.create();
        rows.session("s", "node-a");
        Reply reply = api.post(TaskRows.JOB + "/run", body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.fields()).containsExactly(field);
        assertThat(reply.body().path("errors").get(0).path("message").asText()).contains(message);
        assertThat(api.rows("select id from live_task")).isEmpty();
    }

    @Test
    void a_node_that_left_today_may_be_waited_for() {
        rows.create();
        api.update("insert into session_past (id, node, host, pid, version, capacity, started_at, heartbeat_at,"
                + " gone_at, reason) values ('o', 'node-o', 'h', 1, '1', 4, utc_timestamp(3), utc_timestamp(3),"
                + " utc_timestamp(3), 'stopped')");

        Reply reply = api.post(TaskRows.JOB + "/run", "{\"node\": \"node-o\"}");

        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        assertThat(reply.body().path("warnings").get(0).asText()).contains("node node-o is not there");
    }

    @ParameterizedTest
    @CsvSource({"QUEUE, waits until", "REPLACE, is killed", "SKIP, SKIPPED"})
    void what_it_will_come_to_goes_by_the_overlap_asked_for(String overlap, String warning) {
        rows.create();
        rows.executes(rows.run());
        Reply reply = api.post(TaskRows.JOB + "/run", "{\"overlap\": \"" + overlap + "\"}");
        assertThat(reply.body().path("warnings").get(0).asText()).contains(warning);
        assertThat(api.post(TaskRows.JOB + "/run", "{\"overlap\": \"ALLOW\"}")
                        .body()
                        .path("warnings"))
                .isEmpty();
    }

    @Test
    void a_run_that_will_be_skipped_says_so() {
        rows.create();
        Reply first = api.post(TaskRows.JOB + "/run", "");
        assertThat(first.body().path("warnings").isEmpty()).isTrue();
        long id = first.body().path("id").asLong();
        rows.executes(id);

        Reply second = api.post(TaskRows.JOB + "/run", "");

        assertThat(second.status()).isEqualTo(202);
        assertThat(second.body().path("warnings").toString())
                .contains("SKIPPED")
                .contains("task " + id);
    }
}
