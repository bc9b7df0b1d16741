package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("database")
class ClusterEndpointTest {

    @RegisterExtension
    static final Api api = new Api();

    @Test
    void a_node_that_was_asked_to_stop_is_shown_as_stopping() {
        session("s1", "a");
        session("s2", "b");
        api.update("update session set state = 'DRAINING', stopping = true where id = 's2'");

        JsonNode sessions = api.get("/cluster").body().path("sessions");

        assertThat(sessions.findValuesAsText("state")).containsExactly("ALIVE", "STOPPING");
        assertThat(api.one("select group_concat(state order by node) from v_node"))
                .isEqualTo("ALIVE,STOPPING");
    }

    @Test
    void an_earlier_life_of_a_node_that_is_there_is_none_that_is_missing() {
        session("s1", "a");
        past("s0", "a", "1 hour", "stopped in order");
        past("s2", "b", "1 hour", "stopped in order");

        assertThat(api.get("/cluster").body().path("sessions").findValuesAsText("id"))
                .contains("s0", "s1", "s2");
        JsonNode nodes = api.get("/overview").body().path("nodes");
        assertThat(nodes.findValuesAsText("node")).containsExactly("a", "b");
        assertThat(nodes.findValuesAsText("state")).containsExactly("ALIVE", "GONE");
    }

    @Test
    void a_node_that_is_gone_is_shown_for_a_day_with_since_when_and_why() {
        session("s1", "a");
        past("s0", "b", "23 hour", "stopped in order");
        past("s9", "c", "25 hour", "forgotten");

        JsonNode sessions = api.get("/cluster").body().path("sessions");

        assertThat(sessions.findValuesAsText("node")).containsExactly("a", "b");
        JsonNode gone = sessions.get(1);
        assertThat(gone.path("id").asText()).isEqualTo("s0");
        assertThat(gone.path("state").asText()).isEqualTo("GONE");
        assertThat(gone.path("goneReason").asText()).isEqualTo("stopped in order");
        assertThat(gone.path("goneAt").asText()).endsWith("Z");
        assertThat(gone.path("heartbeatAgeMs").asLong()).isGreaterThan(80_000_000);
        assertThat(sessions.get(0).has("goneAt")).isFalse();
    }

    @Test
    void labels_and_capacity_of_a_node_are_patched_and_taken_back() {
        session("s1", "a");
        api.update("update session set labels = '{\"role\": \"web\", \"spot\": \"yes\"}' where id = 's1'");

        Api.Reply patched = api.call(
                "PATCH",
                "/cluster/nodes/a",
                "{\"labels\": {\"role\": \"db\", \"spot\": null, \"disk\": \"ssd\"}, \"capacity\": 2}");
        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.body().path("labels")).hasToString("{\"disk\":\"ssd\",\"role\":\"db\"}");
        assertThat(patched.body().path("labelsSet")).hasToString("{\"disk\":\"ssd\",\"role\":\"db\",\"spot\":null}");
        assertThat(patched.body().path("capacity").asInt()).isEqualTo(2);
        assertThat(patched.body().path("effect").asText()).startsWith("node a starts nothing any more that it may not");
        assertThat(api.one("select concat(json_value(labels, '$.role'), ' ', capacity) from session"))
                .isEqualTo("db 2");

        JsonNode more = api.call("PATCH", "/cluster/nodes/a", "{\"labels\": {\"disk\": \"hdd\"}}")
                .body();
        assertThat(more.path("labels")).hasToString("{\"disk\":\"hdd\",\"role\":\"db\"}");
        assertThat(more.path("capacity").asInt()).isEqualTo(2);

        JsonNode back = api.call("PATCH", "/cluster/nodes/a", "{\"labels\": null, \"capacity\": null}")
                .body();
        assertThat(back.path("labels")).hasToString("{\"role\":\"web\",\"spot\":\"yes\"}");
        assertThat(back.path("capacity").asInt()).isEqualTo(4);
        assertThat(api.one("select count(*) from node_setting")).isEqualTo("0");
    }

    @Test
    void a_drained_node_is_shown_as_draining_and_takes_work_again_when_that_is_lifted() {
        session("s1", "a");

        JsonNode drained = api.call("POST", "/cluster/nodes/a/drain", "").body();
        assertThat(drained.path("state").asText()).isEqualTo("DRAINING");
        assertThat(drained.path("drained").asBoolean()).isTrue();
        assertThat(drained.path("warnings").get(0).asText()).contains("no node takes work");
        JsonNode shown = api.get("/cluster").body().path("sessions").get(0);
        assertThat(shown.path("state").asText() + shown.path("drained").asText())
                .isEqualTo("DRAININGtrue");
        assertThat(api.one("select concat(state, drained, labels) from v_node")).isEqualTo("DRAINING1{}");

        assertThat(api.call("POST", "/cluster/nodes/a/undrain", "")
                        .body()
                        .path("state")
                        .asText())
                .isEqualTo("ALIVE");
    }

    @Test
    void a_node_that_is_down_can_be_set_and_one_that_nobody_knows_is_refused_with_those_there_are() {
        session("s1", "a");
        past("s0", "b", "1 hour", "stopped in order");

        JsonNode set =
                api.call("PATCH", "/cluster/nodes/b", "{\"capacity\": 9}").body();
        assertThat(set.path("effect").asText()).isEqualTo("when node b joins: it is not alive");
        assertThat(api.get("/cluster")
                        .body()
                        .path("sessions")
                        .get(1)
                        .path("capacitySet")
                        .asInt())
                .isEqualTo(9);

        Api.Reply unknown = api.call("POST", "/cluster/nodes/x/drain", "");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.body().path("detail").asText()).isEqualTo("there is no node x; known are a, b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {}                              | ~~              | says nothing to change
            {"label": {}}                   | label           | is not a field of a node
            {"labels": "x"}                 | labels          | must be an object such as
            {"labels": {"a": 1}}            | labels.a        | must be a string, or null to remove the label
            {"labels": {"a b": "x"}}        | labels.a b      | a label's name must be 1 to 63 characters
            {"capacity": 0}                 | capacity        | must be a whole number from 1 to 10000
            {"capacity": "many"}            | capacity        | must be a whole number from 1 to 10000
            """)
    void says_what_is_wrong_with_a_patch(String body, String field, String message) {
        session("s1", "a");

        Api.Reply answer = api.call("PATCH", "/cluster/nodes/a", body);

        assertThat(answer.status()).isEqualTo(422);
        JsonNode error = answer.body().path("errors").get(0);
        assertThat(error.path("field").asText()).isEqualTo(field);
        assertThat(error.path("message").asText()).contains(message);
        assertThat(api.one("select count(*) from node_setting")).isEqualTo("0");
    }

    @Test
    void the_longest_retention_of_the_nodes_that_are_alive_is_accepted() {
        session("s1", "a");
        session("s2", "b");
        told("s1", "90d", "30d", 10);
        told("s2", "30d", "0s", 20);
        api.update("insert into setting (name, value) values ('history-kept', '365d 365d 50')");

        Api.Reply accepted = api.call("POST", "/cluster/retention/accept", null);

        assertThat(accepted.status()).isEqualTo(200);
        assertThat(accepted.body()).hasToString("{\"history\":\"90d\",\"audit\":\"0s\",\"versions\":20}");
        assertThat(kept()).isEqualTo("90d 0s 20");
        assertThat(api.one("select concat_ws(' ', action, name, json_value(was, '$.\"history.retention\"'),"
                        + " json_value(became, '$.\"history.retention\"')) from audit where kind = 'retention'"))
                .isEqualTo("accept history 365d 90d");
    }

    @Test
    void a_retention_is_not_accepted_before_each_node_that_is_alive_says_what_it_was_told() {
        api.update("insert into setting (name, value) values ('history-kept', '365d 365d 50')");
        session("s1", "a");
        session("s2", "b");
        told("s1", "90d", "30d", 10);

        Api.Reply refused = api.call("POST", "/cluster/retention/accept", null);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asText()).startsWith("not every node that is alive says");
        assertThat(kept()).isEqualTo("365d 365d 50");
    }

    private static void told(String session, String history, String audit, int versions) {
        api.update("update session set settings = '{\"history.retention\": \"" + history
                + "\", \"history.audit\": \"" + audit + "\", \"history.versions\": \"" + versions + "\"}' where id = '"
                + session + "'");
    }

    private static String kept() {
        return api.one("select value from setting where name = 'history-kept'");
    }

    private static void session(String id, String node) {
        api.update(
                "insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at,"
                        + " heartbeat_at, state) values ('" + id + "', '" + node
                        + "', 'h', 'b', 1, 1, '1', '{}', 4, utc_timestamp(3), utc_timestamp(3), 'ALIVE')");
    }

    private static void past(String id, String node, String ago, String reason) {
        String then = "utc_timestamp(3) - interval " + ago;
        api.update(
                "insert into session_past (node, id, host, pid, version, capacity, started_at, heartbeat_at, gone_at,"
                        + " reason) values ('" + node + "', '" + id + "', 'h', 1, '1', 4, " + then + ", " + then + ","
                        + " " + then
                        + ", '"
                        + reason + "')");
    }
}
