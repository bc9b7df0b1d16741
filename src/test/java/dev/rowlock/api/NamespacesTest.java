package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a token that is limited to namespaces sees, and changes, of what no request names. */
@Tag("database")
class NamespacesTest {

    private static final List<String> ALL = List.of("one", "three", "two");

    @RegisterExtension
    static final Api api = new Api();

    private String own = "";

    @BeforeEach
    void jobs() {
        for (String namespace : ALL) {
            api.put(
                    "/jobs/" + namespace + "/j",
                    "{\"schedule\": \"0 3 * * *\", \"command\": \"true\", \"labels\": {\"team\": \"x\"}}");
        }
        for (int i = 0; i < 9; i++) {
            api.update("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt,"
                    + " cause, outcome, ended_at, last_fire_time) select " + (5_000 + i) + ", id, namespace, name, 1,"
                    + " '2026-01-0" + (1 + i) + "', '', 1, 'SCHEDULE', 'FAILED', '2026-01-09', '2026-01-0" + (1 + i)
                    + "' from job where namespace = '" + ALL.get(i % 3) + "'");
        }
        own = api.token("limited", "editor", "one", "two");
    }

    private List<String> seen(String path) {
        return api.as(own, "GET", path, null).body().path("items").findValuesAsText("namespace");
    }

    @Test
    void lists_of_jobs_leave_out_the_others() {
        assertThat(seen("/jobs")).containsExactly("one", "two");
        assertThat(seen("/jobs?q=j&label=team")).containsExactly("one", "two");
        assertThat(new TreeSet<>(seen("/jobs?sort=next"))).containsExactly("one", "two");
        assertThat(seen("/jobs?namespace=two")).containsExactly("two");
        JsonNode first = api.as(own, "GET", "/jobs?limit=1", null).body();
        assertThat(seen("/jobs?limit=1&cursor=" + first.path("nextCursor").asText()))
                .containsExactly("two");
    }

    @Test
    void lists_of_tasks_are_merged_from_the_own_namespaces_page_by_page() {
        List<String> ids = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = api.as(own, "GET", "/tasks?state=ENDED&limit=2" + cursor, null)
                    .body();
            ids.addAll(page.path("items").findValuesAsText("id"));
            cursor = page.path("nextCursor").isNull()
                    ? ""
                    : "&cursor=" + page.path("nextCursor").asText();
        } while (!cursor.isEmpty());
        assertThat(ids).containsExactly("5008", "5006", "5005", "5003", "5002", "5000");
    }

    @Test
    void pausing_what_matches_leaves_the_others_alone() {
        JsonNode paused = api.as(own, "POST", "/jobs/pause", "{\"labels\": {\"team\": \"x\"}}")
                .body();
        assertThat(paused.path("matched").asInt()).isEqualTo(2);
        assertThat(api.rows("select namespace from job where paused order by namespace"))
                .containsExactly("one", "two");
        api.post("/jobs/pause", "{\"q\": \"j\"}");
        api.as(own, "POST", "/jobs/resume", "{\"q\": \"j\"}");
        assertThat(api.rows("select namespace from job where paused")).containsExactly("three");
    }

    @Test
    void running_again_leaves_the_others_alone() {
        JsonNode made = api.as(own, "POST", "/tasks/rerun", "{\"since\": \"2026-01-01T00:00:00Z\"}")
                .body();
        assertThat(new TreeSet<>(made.findValuesAsText("namespace"))).containsExactly("one", "two");
        assertThat(api.rows("select distinct namespace from live_task t join job j on j.id = t.job_id"
                        + " where t.origin like 'run:again-%' order by namespace"))
                .containsExactly("one", "two");
    }

    @Test
    void pruning_by_labels_leaves_the_others_alone() {
        String nothing = "{\"jobs\": [], \"prune\": {\"labels\": {\"team\": \"x\"}}}";
        Reply applied = api.call("POST", "/apply", nothing, "Authorization", "Bearer " + own, "If-Match", "*");
        assertThat(applied.status()).as(applied.text()).isEqualTo(200);
        assertThat(api.rows("select namespace from job")).containsExactly("three");
    }

    @Test
    void a_forecast_is_of_one_namespace() {
        Reply both = api.as(own, "GET", "/forecast", null);
        assertThat(both.status()).isEqualTo(403);
        assertThat(both.body().path("detail").asText())
                .isEqualTo("'limited' is limited to the namespaces one, two; name one of them in the parameter"
                        + " namespace");
        assertThat(api.as(own, "GET", "/forecast?namespace=one", null)
                        .body()
                        .path("jobs")
                        .asInt())
                .isEqualTo(1);
        String single = api.token("single", "viewer", "one");
        assertThat(api.as(single, "GET", "/forecast", null).body().path("jobs").asInt())
                .isEqualTo(1);
    }

    @Test
    void a_group_shows_the_tasks_of_the_own_namespaces() {
        api.put("/groups/g", "{\"limit\": 1}");
        for (String namespace : ALL) {
            api.call("PATCH", "/jobs/" + namespace + "/j", "{\"group\": \"g\"}");
            long id = api.post("/jobs/" + namespace + "/j/run", "")
                    .body()
                    .path("id")
                    .asLong();
            api.update("insert into group_slot (group_name, task_id, launch_id) values ('g', " + id + ", 'l')");
        }
        assertThat(api.as(own, "GET", "/groups/g", null).body().path("tasks").findValuesAsText("namespace"))
                .containsExactlyInAnyOrder("one", "two");
        assertThat(api.get("/groups/g").body().path("tasks")).hasSize(3);
    }

    /** Whatever a key has made for somebody else, it makes for its own caller. */
    @Test
    void the_same_key_of_another_caller_is_another_request() {
        String body = "{\"since\": \"2026-01-01T00:00:00Z\"}";
        String three = api.token("three", "operator", "three");
        api.call("POST", "/tasks/rerun", body, "Authorization", "Bearer " + three, "Idempotency-Key", "k");
        JsonNode again = api.call(
                        "POST", "/tasks/rerun", body, "Authorization", "Bearer " + own, "Idempotency-Key", "k")
                .body();
        assertThat(again.path("repeated").asBoolean()).isFalse();
        assertThat(new TreeSet<>(again.path("created").findValuesAsText("namespace")))
                .containsExactly("one", "two");
    }
}
