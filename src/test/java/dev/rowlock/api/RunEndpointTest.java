package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs that were asked for. */
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
        assertThat(api.rows("select left(origin, 4), attempt, due_at = fire_time, cursor_of from task"))
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
