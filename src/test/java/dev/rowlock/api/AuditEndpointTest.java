package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.api.Api.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who changed what: one row for each change, in its transaction. */
@Tag("database")
class AuditEndpointTest {

    private static final String JOB = "{\"schedule\": \"@manual\", \"command\": \"true\"}";

    @RegisterExtension
    static final Api api = new Api();

    private final TaskRows task = new TaskRows(api);

    /** The rows that a call writes, newest first. */
    private static List<JsonNode> rowsOf(Supplier<Reply> call) {
        api.update("delete from audit");
        Reply reply = call.get();
        assertThat(reply.status()).as(reply.text()).isBetween(200, 299);
        return StreamSupport.stream(api.get("/audit").body().path("items").spliterator(), false)
                .toList();
    }

    private static JsonNode rowOf(Supplier<Reply> call) {
        List<JsonNode> rows = rowsOf(call);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static String said(JsonNode row) {
        return row.path("action").asText() + " " + row.path("kind").asText() + " "
                + row.path("namespace").asText() + "/" + row.path("name").asText();
    }

    @Test
    void a_change_says_who_from_where_and_what_was_before_and_after() {
        String token = api.token("dora", "editor", "default");
        api.put("/jobs/default/a", JOB);
        JsonNode row = rowOf(() -> api.call(
                "PATCH",
                "/jobs/default/a",
                "{\"command\": \"false\"}",
                "Authorization",
                "Bearer " + token,
                "X-Request-Id",
                "deploy-17"));

        assertThat(said(row)).isEqualTo("patch job default/a");
        assertThat(row.path("who").asText()).isEqualTo("dora");
        assertThat(row.path("role").asText()).isEqualTo("editor");
        assertThat(row.path("address").asText()).isEqualTo("127.0.0.1");
        assertThat(row.path("requestId").asText()).isEqualTo("deploy-17");
        assertThat(row.path("before").toString()).isEqualTo("{\"command\":\"true\",\"version\":1}");
        assertThat(row.path("after").toString()).isEqualTo("{\"command\":\"false\",\"version\":2}");
        assertThat(api.one("select concat(who, ' ', action, ' ', json_unquote(json_extract(became, '$.command')))"
                        + " from v_audit"))
                .isEqualTo("dora patch false");
    }

    @Test
    void every_kind_of_change_of_a_job_has_its_row() {
        String one = "/jobs/default/a";
        List<String> said = new ArrayList<>();
        List<Supplier<Reply>> calls = List.of(
                () -> api.post("/jobs", "{\"name\": \"a\", \"command\": \"true\", \"schedule\": \"@manual\"}"),
                () -> api.put(one, JOB.replace("true", "false")),
                () -> api.call("PATCH", one, "{\"description\": \"x\"}"),
                () -> api.post(one + "/rollback", "{\"version\": 1}"),
                () -> api.post(one + "/pause", "{\"reason\": \"y\"}"),
                () -> api.post(one + "/resume", ""),
                () -> api.post(one + "/reschedule", ""),
                () -> api.post(one + "/run", "{\"env\": {\"A\": \"b\"}}"),
                () -> {
                    api.update(
                            "update live_task set due_at = null, hold = 'ERROR', hold_reason = 'cannot be prepared'");
                    return api.post(one + "/release", "");
                },
                () -> api.post("/jobs/pause", "{\"namespace\": \"default\"}"),
                () -> api.post("/jobs/resume", "{\"namespace\": \"default\"}"),
                () -> api.post(
                        "/apply", "{\"jobs\": [{\"name\": \"a\", \"command\": \"z\", \"schedule\": \"@manual\"}]}"),
                () -> api.call("DELETE", one, null),
                () -> api.put(one, JOB));
        calls.forEach(call -> said.add(said(rowOf(call))));

        assertThat(said)
                .allMatch(text -> text.endsWith(" job default/a"))
                .extracting(text -> text.replace(" job default/a", ""))
                .containsExactly(
                        "create",
                        "replace",
                        "patch",
                        "rollback",
                        "pause",
                        "resume",
                        "reschedule",
                        "run",
                        "release",
                        "pause",
                        "resume",
                        "apply",
                        "delete",
                        "create");
    }

    /** MySQL has no way to compare it, and would refuse the query. */
    @Test
    void who_changed_alerts_can_be_asked_for() {
        api.put("/alerts/channels/audited", "{\"type\": \"command\", \"destination\": \"x\"}");
        api.put("/alerts/rules/audited", "{\"when\": [\"FAILED\"], \"channels\": [\"audited\"]}");
        for (String kind : List.of("alert-channel", "alert-rule")) {
            Reply found = api.get("/audit?kind=" + kind);
            assertThat(found.status()).as(found.text()).isEqualTo(200);
            assertThat(found.body().path("items").findValuesAsText("name")).containsExactly("audited");
        }
        api.call("DELETE", "/alerts/rules/audited", null);
        api.call("DELETE", "/alerts/channels/audited", null);
    }

    @Test
    void who_silenced_a_namespace_is_in_the_audit_of_that_namespace() {
        String lab = api.token("lab-admin", "admin", "lab");
        long id = api.post("/silences", "{\"namespace\": \"lab\", \"until\": \"2100-01-01T00:00:00Z\"}")
                .body()
                .path("id")
                .asLong();
        api.call("DELETE", "/silences/" + id, null);
        assertThat(api.as(lab, "GET", "/audit?kind=silence", null)
                        .body()
                        .path("items")
                        .findValuesAsText("action"))
                .containsExactly("delete", "create");
        assertThat(api.get("/audit?namespace=lab&kind=silence").body().path("items"))
                .hasSize(2);
    }

    @Test
    void a_kind_that_there_cannot_be_is_refused() {
        Reply reply = api.get("/audit?kind=%C3%A9");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.fields()).containsExactly("kind");
    }

    @Test
    void what_changes_nothing_writes_nothing() {
        api.put("/jobs/default/a", JOB);
        assertThat(rowsOf(() -> api.put("/jobs/default/a", JOB))).isEmpty();
        assertThat(rowsOf(() -> api.post("/jobs/pause", "{\"namespace\": \"nobody\"}")))
                .isEmpty();
        assertThat(rowsOf(() -> api.post("/plan", "{\"jobs\": []}"))).isEmpty();
        assertThat(rowsOf(() -> api.post("/jobs/default/a/resume", ""))).isEmpty();
        assertThat(rowsOf(() -> api.post("/jobs/default/a/release", ""))).isEmpty();
        api.post("/jobs/default/a/run", "", "Idempotency-Key", "k");
        assertThat(rowsOf(() -> api.post("/jobs/default/a/run", "", "Idempotency-Key", "k")))
                .isEmpty();
    }

    @Test
    void what_is_stopped_or_run_again_is_found_under_its_job() {
        task.create();
        long waiting = task.run();
        JsonNode cancelled = rowOf(() -> api.post("/tasks/" + waiting + "/kill", ""));
        assertThat(said(cancelled)).isEqualTo("kill task default/a");
        assertThat(cancelled.path("after").toString())
                .isEqualTo("{\"task\":" + waiting + ",\"outcome\":\"CANCELLED\"}");

        long running = task.run();
        task.executes(running);
        assertThat(said(rowOf(() -> api.post("/tasks/" + running + "/kill", ""))))
                .isEqualTo("kill task default/a");
        assertThat(said(rowOf(() -> api.post("/jobs/default/a/kill", "")))).isEqualTo("kill task default/a");

        task.ends(running, "FAILED");
        JsonNode again = rowOf(() -> api.post("/tasks/rerun", "{\"since\": \"2020-01-01T00:00:00Z\"}"));
        assertThat(said(again)).isEqualTo("rerun job default/a");
        assertThat(again.path("after").toString()).isEqualTo("{\"runAgain\":[" + running + "]}");
    }

    @Test
    void groups_nodes_the_clock_and_tokens_have_rows_without_a_namespace() {
        task.session("s", "node-a");
        List<String> said = new ArrayList<>();
        List<Supplier<Reply>> calls = List.of(
                () -> api.put("/groups/g", "{\"limit\": 2}"),
                () -> api.put("/groups/g", "{\"limit\": 3}"),
                () -> api.call("PATCH", "/groups/g", "{\"limit\": 4}"),
                () -> api.call("DELETE", "/groups/g", null),
                () -> api.post("/cluster/nodes/node-a/drain", ""),
                () -> api.post("/cluster/nodes/node-a/undrain", ""),
                () -> api.call("PATCH", "/cluster/nodes/node-a", "{\"capacity\": 3}"),
                () -> api.post("/cluster/clock/accept", ""),
                () -> api.post("/tokens", "{\"name\": \"t\", \"role\": \"viewer\"}"),
                () -> api.post("/tokens/t/rotate", ""),
                () -> api.call("DELETE", "/tokens/t", null));
        calls.forEach(call -> {
            JsonNode row = rowOf(call);
            assertThat(row.path("namespace").isNull()).isTrue();
            said.add(said(row).replace("null/", ""));
        });

        assertThat(said)
                .containsExactly(
                        "create group g",
                        "replace group g",
                        "patch group g",
                        "delete group g",
                        "drain node node-a",
                        "undrain node node-a",
                        "patch node node-a",
                        "accept cluster clock",
                        "create token t",
                        "rotate token t",
                        "delete token t");
    }

    @Test
    void a_change_whose_row_cannot_be_written_is_not_made() {
        api.put("/jobs/default/a", JOB);
        api.put("/groups/g", "{\"limit\": 1}");
        api.update("rename table audit to audit_away");
        try {
            for (Reply reply : List.of(
                    api.put("/jobs/default/b", JOB),
                    api.call("PATCH", "/jobs/default/a", "{\"command\": \"x\"}"),
                    api.call("DELETE", "/jobs/default/a", null),
                    api.post("/jobs/default/a/run", ""),
                    api.put("/groups/g", "{\"limit\": 2}"),
                    api.post("/tokens", "{\"name\": \"t\", \"role\": \"viewer\"}"))) {
                assertThat(reply.status()).isGreaterThanOrEqualTo(500);
            }
        } finally {
            api.update("rename table audit_away to audit");
        }
        assertThat(api.rows("select name, version from job")).containsExactly("a 1");
        assertThat(api.one("select count(*) from live_task")).isEqualTo("0");
        assertThat(api.one("select slots from job_group")).isEqualTo("1");
        assertThat(api.one("select count(*) from api_token")).isEqualTo("1");
    }

    @Test
    void all_that_one_request_changes_carries_its_id() {
        for (String name : List.of("a", "b", "c")) {
            api.put("/jobs/default/" + name, JOB);
        }
        List<JsonNode> rows =
                rowsOf(() -> api.post("/jobs/pause", "{\"namespace\": \"default\"}", "X-Request-Id", "night-shift"));
        assertThat(rows)
                .hasSize(3)
                .allMatch(row -> row.path("requestId").asText().equals("night-shift"));
    }

    @ParameterizedTest
    @CsvSource({"abc-1.2:3, true", "'a b', false", "'', false", "<script>, false"})
    void the_id_of_a_request_is_taken_if_it_is_well_formed(String sent, boolean taken) {
        Reply reply = api.call("GET", "/jobs", null, "X-Request-Id", sent);
        if (taken) {
            assertThat(reply.header("X-Request-Id")).isEqualTo(sent);
        } else {
            assertThat(reply.header("X-Request-Id")).matches("[0-9a-f-]{36}");
        }
    }

    @Test
    void secrets_are_masked() {
        JsonNode row = rowOf(() -> api.put(
                "/jobs/default/a",
                "{\"schedule\": \"@manual\", \"command\": \"curl https://u:hunter2@x --token hunter2 -H 'Authorization:"
                        + " Bearer hunter2hunter2'\", \"env\": {\"DB_PASSWORD\": \"hunter2\", \"TZ\": \"UTC\"}}"));
        assertThat(row.toString()).doesNotContain("hunter2").contains("\"TZ\":\"UTC\"", "\"DB_PASSWORD\":\"***\"");
    }

    @Test
    void rows_are_found_by_what_they_say_page_by_page() {
        String token = api.token("dora", "editor");
        for (int i = 0; i < 5; i++) {
            api.as(token, "PUT", "/jobs/ns" + i % 2 + "/j" + i, JOB);
        }
        api.call("DELETE", "/jobs/ns0/j0", null);

        assertThat(names("?who=dora")).containsExactly("j4", "j3", "j2", "j1", "j0");
        assertThat(names("?action=delete")).containsExactly("j0");
        assertThat(names("?namespace=ns0")).containsExactly("j0", "j4", "j2", "j0");
        assertThat(names("?namespace=ns0&name=j0&action=create")).containsExactly("j0");
        assertThat(names("?kind=token")).containsExactly("dora");
        assertThat(names("?until=2020-01-01T00:00:00Z")).isEmpty();
        assertThat(names("?since=2020-01-01T00:00:00Z&who=admin&kind=job")).containsExactly("j0");
        List<String> paged = new ArrayList<>();
        String cursor = "";
        do {
            Reply page = api.get("/audit?who=dora&limit=2" + cursor);
            paged.addAll(names(page));
            JsonNode next = page.body().path("nextCursor");
            cursor = next.isNull() ? "" : "&cursor=" + next.asText();
        } while (!cursor.isEmpty());
        assertThat(paged).containsExactly("j4", "j3", "j2", "j1", "j0");
        assertThat(names(api.as(api.token("own", "admin", "ns1"), "GET", "/audit", null)))
                .containsExactly("j3", "j1");
    }

    private static List<String> names(String query) {
        return names(api.get("/audit" + query));
    }

    private static List<String> names(Reply page) {
        List<String> names = new ArrayList<>();
        page.body().path("items").forEach(row -> names.add(row.path("name").asText()));
        return names;
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0, limit",
        "since=lately, since",
        "zone=Mars, zone",
        "action=jump, action",
        "cursor=x, cursor",
        "user=x, user"
    })
    void a_wrong_question_names_the_parameter(String query, String field) {
        Reply reply = api.get("/audit?" + query);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.fields()).containsExactly(field);
    }

    @Test
    void versions_and_explanations_say_who_made_them() {
        String token = api.token("dora", "editor");
        api.as(token, "PUT", "/jobs/default/a", JOB);
        api.call("PATCH", "/jobs/default/a", "{\"command\": \"x\"}");

        assertThat(api.get("/jobs/default/a/versions").body().path("items").findValuesAsText("changedBy"))
                .containsExactly("admin", "dora");
        assertThat(api.get("/jobs/default/a/versions/1")
                        .body()
                        .path("changedBy")
                        .asText())
                .isEqualTo("dora");
        assertThat(api.get("/jobs/default/a/explain").body().findValuesAsText("changedBy"))
                .containsExactly("admin");
    }
}
