package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code POST /apply} while others change the same jobs. */
@Tag("database")
class PlansAtOnceTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @RegisterExtension
    static final Api api = new Api();

    private static String body(String command, int jobs) {
        return IntStream.range(0, jobs)
                .mapToObj(i ->
                        "{\"name\": \"j" + i + "\", \"schedule\": \"0 3 * * *\", \"command\": \"" + command + "\"}")
                .collect(Collectors.joining(",", "{\"jobs\": [", "]}"));
    }

    private static CompletableFuture<Reply> applying(String body, String... headers) {
        return CompletableFuture.supplyAsync(() -> api.post("/apply", body, headers));
    }

    @Test
    void of_two_that_come_at_once_each_is_applied_as_a_whole() {
        for (int round = 0; round < 5; round++) {
            CompletableFuture<Reply> one = applying(body("one-" + round, 70));
            CompletableFuture<Reply> two = applying(body("two-" + round, 70));

            assertThat(List.of(one.join().status(), two.join().status()))
                    .as(one.join().text() + two.join().text())
                    .containsOnly(200);
            assertThat(api.rows(
                            "select distinct json_unquote(json_extract(definition, '$.command')), version from job"))
                    .hasSize(1)
                    .allMatch(row -> row.matches("(one|two)-\\d+ \\d+"));
        }
        assertThat(api.one("select count(*) from job_version where valid_until is null"))
                .isEqualTo("70");
    }

    @Test
    void a_plan_is_applied_once_by_whoever_comes_first() {
        String etag = api.post("/plan", body("a", 70)).body().path("etag").asText();
        CompletableFuture<Reply> one = applying(body("a", 70), "If-Match", "\"" + etag + "\"");
        CompletableFuture<Reply> two = applying(body("a", 70), "If-Match", "\"" + etag + "\"");

        assertThat(List.of(one.join().status(), two.join().status())).containsOnly(200);
        assertThat(api.rows("select distinct version from job")).containsExactly("1");
        assertThat(api.one("select count(*) from job_version")).isEqualTo("70");
        assertThat(api.one("select count(*) from live_task")).isEqualTo("70");
    }

    @Test
    void a_job_that_is_made_by_another_in_the_middle_undoes_all_of_it() throws Exception {
        String etag = api.post("/plan", body("a", 3)).body().path("etag").asText();
        CompletableFuture<Reply> applied;
        try (Connection other = api.testDatabase().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("insert into job (namespace, name, version, definition, paused, created_at, updated_at)"
                    + " values ('default', 'j1', 1, '{}', false, utc_timestamp(3), utc_timestamp(3))");
            applied = applying(body("a", 3), "If-Match", "\"" + etag + "\"");
            await("select count(*) from information_schema.processlist"
                    + " where db = database() and info like 'insert into job %'");
            other.commit();
        }

        assertThat(applied.join().status()).as(applied.join().text()).isEqualTo(412);
        assertThat(api.rows("select name from job")).containsExactly("j1");
        assertThat(api.one("select count(*) from job_version")).isEqualTo("0");
        assertThat(api.one("select count(*) from live_task")).isEqualTo("0");
    }

    @Test
    void a_job_that_another_changes_between_the_plan_and_the_locks_is_not_overwritten() throws Exception {
        api.post("/apply", body("a", 2));
        String etag = api.post("/plan", body("b", 2)).body().path("etag").asText();
        CompletableFuture<Reply> applied;
        try (Connection other = api.testDatabase().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select counter from cluster_lock where name like 'task-%' for update");
            applied = applying(body("b", 2), "If-Match", "\"" + etag + "\"");
            await("select count(*) from information_schema.processlist"
                    + " where db = database() and info like 'select l.name, l.counter%'");
            statement.execute("update job set version = 7 where name = 'j1'");
            other.commit();
        }

        assertThat(applied.join().status()).as(applied.join().text()).isEqualTo(412);
        assertThat(api.rows("select name, version, json_unquote(json_extract(definition, '$.command')) from job"))
                .containsExactlyInAnyOrder("j0 1 a", "j1 7 a");
        assertThat(api.one("select count(*) from job_version")).isEqualTo("2");
    }

    private static void await(String count) {
        Instant end = Instant.now().plus(LONG);
        while (api.one(count).equals("0")) {
            assertThat(Instant.now()).as(count).isBefore(end);
        }
    }
}
