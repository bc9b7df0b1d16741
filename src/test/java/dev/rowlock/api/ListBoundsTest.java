package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.OpenApi;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bounds of every list in the contract: in rows by its parameter, and in bytes however large the rows are. */
@Tag("database")
class ListBoundsTest {

    /** Rows that are asked for at once: of the large ones far more than an answer may have bytes for. */
    private static final int AT_ONCE = 400;

    private static final int ROWS = AT_ONCE + 10;

    /** Of one answer: a page of a million characters, of which one row, or what is fixed of each, may be more. */
    private static final int MOST_BYTES = 6 << 20;

    private static final String DEFINITION = "json_object('namespace', 'default', 'name', %s, 'schedule', '@manual',"
            + " 'command', repeat('x', 20000), 'zone', 'UTC', 'labels', json_object())";

    private static final OpenApi CONTRACT = OpenApi.ofFile();

    /** How each list is filled with the largest rows that its table takes, or with rows of 20,000 characters. */
    private static final Map<String, List<String>> FILLED = Map.ofEntries(
            Map.entry(
                    "/jobs",
                    List.of("insert into job (namespace, name, version, definition, paused, created_at, updated_at)"
                            + " select 'default', concat('job-', n), 1, " + DEFINITION.formatted("concat('job-', n)")
                            + ", false, '2026-01-01', '2026-01-01' from " + Numbers.upTo(ROWS))),
            Map.entry(
                    "/jobs/{ns}/{name}/versions",
                    List.of("insert into job_version (job_id, version, namespace, name, definition, paused, valid_from)"
                            + " select 1, n, 'default', 'j', " + DEFINITION.formatted("'j'")
                            + ", false, '2026-01-01' from " + Numbers.upTo(ROWS))),
            Map.entry(
                    "/tasks",
                    List.of("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin,"
                            + " attempt, cause, outcome, reason, node, started_at, ended_at, last_fire_time,"
                            + " overrides, note) select n, 1, repeat('n', 64), repeat('j', 128), 1, '2026-01-01', '', 1,"
                            + " 'MANUAL', 'FAILED', repeat('€', 500), repeat('n', 64), '2026-01-01', '2026-01-01',"
                            + " '2026-01-01', json_object('command', repeat('x', 20000)), repeat('€', 200) from "
                            + Numbers.upTo(ROWS))),
            Map.entry(
                    "/backfills",
                    List.of("insert into backfill (job_id, namespace, job, from_at, until_at, only_which, run_order,"
                            + " parallel, priority, fire_times, created_at) select n, repeat('n', 64), repeat('j', 128),"
                            + " '2026-01-01', '2026-01-02', 'ALL', 'OLDEST_FIRST', 1, 0, 1, '2026-01-01' from "
                            + Numbers.upTo(ROWS))),
            Map.entry(
                    "/groups",
                    List.of("insert into job_group (name, slots, description, created_at, updated_at) select"
                            + " concat(repeat('g', 60), n), 1, repeat('€', 500), '2026-01-01', '2026-01-01' from "
                            + Numbers.upTo(ROWS))),
            Map.entry(
                    "/tokens",
                    List.of("insert into api_token (name, hash, created_at, namespaces) select concat('t-', n),"
                            + " repeat('0', 64), '2026-01-01', concat('[', repeat('\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\",', 40),"
                            + " '\"n\"]') from " + Numbers.upTo(ROWS))),
            Map.entry(
                    "/secrets",
                    List.of("insert into secret (namespace, name, version, key_id, sealed, created_at, updated_at)"
                            + " select repeat('n', 64), concat(repeat('s', 120), n), 1, 'k', 'x', '2026-01-01',"
                            + " '2026-01-01' from " + Numbers.upTo(ROWS))),
            Map.entry(
                    "/secrets/{ns}",
                    List.of("insert into secret (namespace, name, version, key_id, sealed, created_at, updated_at)"
                            + " select 'default', concat(repeat('s', 120), n), 1, 'k', 'x', '2026-01-01',"
                            + " '2026-01-01' from " + Numbers.upTo(ROWS))),
            Map.entry(
                    "/audit",
                    List.of("insert into audit (at, who, role, address, request_id, action, kind, namespace, name, was)"
                            + " select '2026-01-01', repeat('w', 128), 'admin', '127.0.0.1', 'r', 'create', 'job',"
                            + " 'default', n, json_object('command', repeat('x', 20000)) from "
                            + Numbers.upTo(ROWS))),
            Map.entry(
                    "/alerts",
                    List.of(
                            "insert into alert (id, rule, kind, subject, event, detail, at, raised_at, sending) select"
                                    + " n, repeat('r', 64), 'FAILED', n, n, json_object('reason', repeat('x', 20000)),"
                                    + " '2026-01-01', '2026-01-01', 'SENT' from " + Numbers.upTo(ROWS),
                            "insert into alert_message (id, uid, channel, group_key, state, created_at, next_at,"
                                    + " expires_at, last_error) select n, n, repeat('c', 64), '', 'SENT', '2026-01-01',"
                                    + " '2026-01-01', '2026-01-01', repeat('€', 500) from " + Numbers.upTo(50),
                            "insert into alert_part select m.id, a.id, 'REMINDER' from alert_message m join alert a")),
            Map.entry(
                    "/alerts/channels",
                    List.of(definitions(
                            "alert_channel",
                            "'type', 'slack', 'destination', 'x', 'signed', json_extract('false', '$')"))),
            Map.entry("/alerts/rules", List.of(definitions("alert_rule", "'when', json_array('FAILED')"))),
            Map.entry(
                    "/calendars",
                    List.of(
                            "insert into calendar (name, version, mark, created_at, updated_at) select"
                                    + " concat('c-', n), 1, '1-x', '2026-01-01', '2026-01-01' from "
                                    + Numbers.upTo(ROWS),
                            "insert into calendar_version (name, version, mark, definition, valid_from) select"
                                    + " concat('c-', n), 1, '1-x', json_object('description', repeat('x', 20000)),"
                                    + " '2026-01-01' from " + Numbers.upTo(ROWS))),
            Map.entry(
                    "/freezes",
                    List.of(
                            "insert into freeze (scope, effect, from_at, until_at, reason, made_by, created_at, changed_at) select"
                                    + " json_object('all', true, 'labels', json_object('a', repeat('x', 10000))), 'HOLD', '2026-01-01',"
                                    + " '2026-01-02', repeat('x', 500), 'x', '2026-01-01', '2026-01-01' from "
                                    + Numbers.upTo(ROWS))),
            Map.entry(
                    "/silences",
                    List.of("insert into alert_silence (definition, until_at, created_at) select json_object('until',"
                            + " '2026-01-01T00:00:00.000Z', 'reason', repeat('x', 20000)), '2026-01-01', '2026-01-01'"
                            + " from " + Numbers.upTo(ROWS))));

    @RegisterExtension
    static final Api api = new Api();

    private static String definitions(String table, String fields) {
        String version = table.equals("alert_channel") ? "version, " : "";
        return "insert into " + table + " (name, definition, " + version + "created_at, updated_at) select"
                + " concat('n-', n), json_object(" + fields + ", 'description', repeat('x', 20000)), "
                + (version.isEmpty() ? "" : "1, ") + "'2026-01-01', '2026-01-01' from " + Numbers.upTo(ROWS);
    }

    /** The lists of the contract, with the highest limit that each declares; 0: none. */
    private static Map<String, Integer> lists() {
        Map<String, Integer> lists = new TreeMap<>();
        for (OpenApi.Call call : CONTRACT.calls()) {
            JsonNode page = page(call);
            if (page.path("properties").has("nextCursor")) {
                int limit = call.parametersIn("query")
                        .filter(one -> one.path("name").asText().equals("limit"))
                        .mapToInt(one -> one.at("/schema/maximum").asInt())
                        .sum();
                lists.put(call.path().replace("/api/v1", ""), limit);
            }
        }
        return lists;
    }

    private static JsonNode page(OpenApi.Call call) {
        return CONTRACT.resolved(call.said().at("/responses/200/content/application~1json/schema"));
    }

    @Test
    void every_list_has_a_limit_and_a_cursor() {
        assertThat(lists().keySet()).containsExactlyInAnyOrderElementsOf(FILLED.keySet());
        lists().forEach((path, limit) -> {
            assertThat(limit).as(path).isBetween(1, 1_000);
            OpenApi.Call call = CONTRACT.call("GET", "/api/v1" + path);
            assertThat(call.parameters("query")).as(path).contains("cursor");
            assertThat(page(call).path("required").toString()).as(path).contains("\"items\"", "\"nextCursor\"");
        });
    }

    @Test
    void every_page_has_a_bound_in_bytes_and_the_pages_have_all_rows() {
        Map<String, String> wrong = new LinkedHashMap<>();
        lists().forEach((path, limit) -> {
            FILLED.get(path).forEach(api::update);
            String list = path.replace("{ns}", "default").replace("{name}", "j") + "?limit=" + Math.min(limit, AT_ONCE);
            String cursor = "";
            int rows = 0;
            int largest = 0;
            do {
                Api.Reply page = api.get(list + cursor);
                assertThat(page.status()).as(list + ": " + page.text()).isEqualTo(200);
                rows += page.body().path("items").size();
                largest = Math.max(largest, page.text().getBytes(StandardCharsets.UTF_8).length);
                String next = page.body().path("nextCursor").asText(null);
                cursor = next == null ? null : "&cursor=" + next;
            } while (cursor != null);
            if (rows < ROWS || rows > ROWS + 1 || largest > MOST_BYTES) { // the token of the tests is there, too
                wrong.put(list, rows + " rows, " + largest + " bytes at once");
            }
            clean();
        });
        assertThat(wrong).isEmpty();
    }

    @BeforeEach
    void clean() {
        for (String table : List.of(
                "alert",
                "alert_part",
                "alert_message",
                "alert_channel",
                "alert_rule",
                "alert_silence",
                "freeze",
                "backfill",
                "calendar",
                "calendar_version",
                "job",
                "job_version",
                "task_history",
                "secret",
                "audit")) {
            api.update("delete from " + table);
        }
        api.update("delete from api_token where name <> 'admin'");
    }

    /** An open alert is told again every minute, for months. */
    @Test
    void an_alert_has_its_last_messages_and_a_count() {
        api.update("insert into alert (id, rule, kind, subject, event, detail, at, raised_at, sending) values"
                + " (7, 'r', 'FAILED', 's', 'e', '{}', '2026-01-01', '2026-01-01', 'SENT'),"
                + " (8, 'r', 'FAILED', 't', 'f', '{}', '2026-01-01', '2026-01-01', 'NONE')");
        api.update("insert into alert_message (id, uid, channel, group_key, state, created_at, next_at, expires_at)"
                + " select n, concat('msg_', n), 'ops', '', 'SENT', '2026-01-01', '2026-01-01', '2026-01-01' from "
                + Numbers.upTo(1_200));
        api.update("insert into alert_part select n, 7, 'REMINDER' from " + Numbers.upTo(20));

        JsonNode items = api.get("/alerts?rule=r").body().path("items");
        assertThat(items.findValuesAsText("messageCount")).containsExactly("0", "20");
        assertThat(items.path(0).path("messages")).isEmpty();
        assertThat(items.path(1).path("messages").findValuesAsText("id"))
                .containsExactly("msg_16", "msg_17", "msg_18", "msg_19", "msg_20");

        api.update("insert ignore into alert_part select n, 7, 'REMINDER' from " + Numbers.upTo(1_200));
        assertThat(api.get("/alerts?rule=r")
                        .body()
                        .path("items")
                        .path(1)
                        .path("messageCount")
                        .asInt())
                .isEqualTo(1_000);
    }
}
