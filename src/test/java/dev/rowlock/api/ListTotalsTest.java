package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.support.Numbers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lists say of how many there are, and how a list goes on whose search takes long. */
@Tag("database")
class ListTotalsTest {

    @RegisterExtension
    static final Api api = new Api();

    private static final TaskRows rows = new TaskRows(api);

    private static void jobs(int count) {
        api.update("insert into job (namespace, name, version, definition, paused, created_at, updated_at) select"
                + " if(n % 10 = 0, 'tenth', 'default'), concat('job-', n), 1, json_object('namespace', 'default', 'name',"
                + " concat('job-', n), 'schedule', '@manual', 'command', 'true', 'zone', 'UTC', 'labels',"
                + " json_object('team', 'ops')), false, utc_timestamp(3), utc_timestamp(3) from "
                + Numbers.upTo(count));
    }

    /** Each second one, the oldest by hand, and every hundredth expanded. */
    private static void history(int count) {
        api.update("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt,"
                + " cause, outcome, node, started_at, ended_at, duration_ms, last_fire_time) select 1000000 + n, 1,"
                + " 'default', 'a', 1, at, '', 1, if(n = 1, 'MANUAL', 'SCHEDULE'), if(n % 100 = 0, 'EXPANDED',"
                + " if(n % 2 = 0, 'FAILED', 'SUCCEEDED')), 'node-a', at, at, 20, at from (select n,"
                + " timestamp('2026-01-01') + interval n second as at from " + Numbers.upTo(count) + ") r");
    }

    private static String total(String path) {
        Api.Reply reply = api.get(path);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        JsonNode total = reply.body().path("total");
        return total.isNull()
                ? "none"
                : total.path("count").asText() + (total.path("more").asBoolean() ? " or more" : "");
    }

    @ParameterizedTest
    @CsvSource({
        "/jobs?limit=1, 30",
        "/jobs, 30",
        "/jobs?limit=1&namespace=tenth, 3",
        "/jobs?limit=1&q=job-1, 11",
        "/jobs?limit=1&q=job-1&sort=outcome, 11",
        "/jobs?limit=1&q=nothing, 0",
        "/jobs?limit=1&state=IDLE, none",
        "/jobs?limit=30&state=IDLE, 30",
        "/jobs?limit=1&label=team, none",
        "/jobs?limit=1&label=nobody, 0",
    })
    void jobs_are_counted_where_names_are_enough(String path, String total) {
        jobs(30);

        assertThat(total(path)).isEqualTo(total);
    }

    @Test
    void of_many_jobs_it_is_said_that_they_are_many() {
        jobs(10_001);

        assertThat(total("/jobs?limit=1")).isEqualTo("10000 or more");
        assertThat(total("/jobs?limit=1&q=job")).isEqualTo("10000 or more");
        assertThat(total("/jobs?limit=1&namespace=tenth")).isEqualTo("1000");
    }

    @Test
    void only_the_first_page_says_how_many_there_are() {
        jobs(3);
        rows.create();
        rows.run();
        rows.run();

        for (String list : List.of("/jobs?limit=1", "/jobs?sort=last&limit=1", "/tasks?limit=1")) {
            String cursor = api.get(list).body().path("nextCursor").asText();
            assertThat(total(list)).isNotEqualTo("none");
            assertThat(total(list + "&cursor=" + cursor)).isEqualTo("none");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/tasks?limit=1, 399",
        "/tasks?limit=1&expanded=true, 403",
        "/tasks?limit=1&state=ENDED, 396",
        "/tasks?limit=1&state=IDLE, 2",
        "/tasks?limit=1&state=EXECUTING, 1",
        "/tasks?limit=1&outcome=FAILED, 196",
        "/tasks?limit=1&outcome=FAILED&until=2026-01-01T00:01:40Z, 49",
        "/tasks?limit=1&outcome=FAILED&state=IDLE, 0",
        "/tasks?limit=1&since=2026-01-01T00:03:21Z, 201",
        "/tasks?limit=1&namespace=default, none",
        "/tasks?limit=1&job=a, none",
        "/tasks?limit=1000&job=a, 399",
        "/tasks?limit=1&state=IDLE&since=2026-01-01T00:03:21Z, none",
        "/tasks?limit=1&cause=SCHEDULE, none",
        "/tasks?limit=1&cause=RETRY, 0",
    })
    void tasks_are_counted_where_one_index_is_enough(String path, String total) {
        rows.create();
        rows.run();
        rows.run();
        rows.executes(rows.run());
        history(400);

        assertThat(total(path)).isEqualTo(total);
    }

    /** They are found by the last fire time that they stand for, and not by the first. */
    @Test
    void what_began_before_the_range_is_not_counted_but_told() {
        rows.create();
        history(40);
        api.update("update task_history set last_fire_time = fire_time + interval 20 second, outcome = 'MISSED',"
                + " node = null where id = 1000010");
        api.update("insert into task_span (scale, fire_time, task_id, last_fire_time, namespace, job, outcome,"
                + " ended_at) select 5, fire_time, id, last_fire_time, namespace, job, outcome, ended_at"
                + " from task_history where id = 1000010");

        assertThat(total("/tasks?limit=1&since=2026-01-01T00:00:21Z")).isEqualTo("20 or more");
        assertThat(total("/tasks?limit=30&since=2026-01-01T00:00:21Z")).isEqualTo("21");
        assertThat(total("/tasks?limit=1&since=2026-01-01T00:00:31Z")).isEqualTo("10");
    }

    @Test
    void a_token_with_namespaces_is_told_of_what_it_sees() {
        jobs(30);
        String token = api.token("few", "viewer", "tenth", "other");

        JsonNode page = api.as(token, "GET", "/jobs?limit=1", null).body();

        assertThat(page.path("total").path("count").asInt()).isEqualTo(3);
        assertThat(api.as(token, "GET", "/tasks", null)
                        .body()
                        .path("total")
                        .path("count")
                        .asInt())
                .isZero();
    }

    /** Nothing is lost or told twice, whatever the search of each namespace has passed. */
    @ParameterizedTest
    @CsvSource({"cause=MANUAL, 1", "cause=MANUAL&namespace=default, 1", "minDuration=1h, 0", "label=nobody, 0"})
    void a_search_for_what_is_rare_ends_early_and_says_where_to_go_on(String query, int found) {
        rows.create();
        history(25_000);
        String token = api.token("some", "viewer", "default", "tenth");
        api.update("update task_history set namespace = 'tenth' where id % 3 = 0");
        for (String who : List.of(Api.TOKEN, token)) {
            List<Long> seen = new ArrayList<>();
            int pages = 0;
            JsonNode page = api.as(who, "GET", "/tasks?" + query, null).body();
            for (; page.path("nextCursor").isTextual(); pages++) {
                page.path("items").forEach(task -> seen.add(task.path("id").asLong()));
                assertThat(page.path("total").isNull()).isTrue();
                String cursor = page.path("nextCursor").asText();
                page = api.as(who, "GET", "/tasks?" + query + "&cursor=" + cursor, null)
                        .body();
            }
            page.path("items").forEach(task -> seen.add(task.path("id").asLong()));
            assertThat(seen).hasSize(found).allMatch(id -> id == 1_000_001);
            assertThat(pages).isBetween(1, 3);
        }
    }
}
