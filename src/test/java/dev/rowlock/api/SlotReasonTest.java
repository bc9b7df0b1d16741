package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is due and held by nothing says that it waits for a slot, if that is so. */
@Tag("database")
class SlotReasonTest {

    @RegisterExtension
    static final Api api = new Api();

    @BeforeEach
    void fill() {
        for (String node : new String[] {"a", "b"}) {
            api.update("insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity,"
                    + " started_at, beat, heartbeat_at, state) values ('" + node + "', '" + node
                    + "', 'h', 'x', 1, 1, 't', '{}', 1, utc_timestamp(3), 1, utc_timestamp(3), 'ALIVE')");
        }
        for (int i = 0; i < 4; i++) {
            api.call("PUT", "/jobs/default/j" + i, "{\"schedule\": \"@manual\", \"command\": \"true\"}");
        }
        insert("j0", "utc_timestamp(3)", "'EXECUTING', 'a'");
        insert("j1", "utc_timestamp(3)", "'EXECUTING', 'b'");
        insert("j2", "utc_timestamp(3) - interval 1 minute", "'PREPARED', 'a'");
        insert("j3", "utc_timestamp(3) + interval 1 minute", "'IDLE', null");
    }

    private static void insert(String job, String due, String state) {
        api.update("insert into task (job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, state,"
                + " session_id, started_at) select id, 1, id % 64, " + due + ", 'run:1', 1, 'MANUAL', " + due + ", "
                + state + ", " + due + " from job where name = '" + job + "'");
    }

    private static String reason(String job) {
        return api.get("/tasks?job=default/" + job)
                .body()
                .path("items")
                .get(0)
                .path("reason")
                .asText();
    }

    private static String reasonInSql(String job) {
        return String.valueOf(api.one("select reason from v_upcoming where job = '" + job + "'"));
    }

    @Test
    void with_all_nodes_full_it_names_them() {
        assertThat(reasonInSql("j2")).isEqualTo("no node has a free slot: a (1 of 1), b (1 of 1)");
        assertThat(reasonInSql("j3")).as("not due yet").isEqualTo("null");
        assertThat(reason("j2")).isEqualTo("no node has a free slot: a (1 of 1), b (1 of 1)");
        assertThat(reason("j3")).as("not due yet").isEqualTo("null");
        assertThat(reason("j0")).as("executes").isEqualTo("null");
    }

    @Test
    void a_node_that_is_drained_does_not_count_and_one_with_a_free_slot_does() {
        api.update("update session set drained = true, capacity = 9 where node = 'b'");
        assertThat(reason("j2")).isEqualTo("no node has a free slot: a (1 of 1)");
        api.update("update session set drained = false where node = 'b'");
        assertThat(reason("j2")).isEqualTo("null");
        api.update("delete from session");
        assertThat(reason("j2")).isEqualTo("null");
        assertThat(reasonInSql("j2")).isEqualTo("null");
    }

    @Test
    void what_holds_it_comes_first() {
        api.update(
                "update live_task set hold = 'GROUP', hold_reason = 'g is full' where origin = 'run:1' and state = 'PREPARED'");
        assertThat(reason("j2")).contains("g is full").doesNotContain("slot");
        assertThat(reasonInSql("j2")).isEqualTo("g is full");
    }
}
