package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

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
