package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The part of a broadcast stays with its node: what becomes of it when that dies, is drained, or comes back. */
class BroadcastNodesTest extends Broadcasting {

    @Test
    void the_part_of_a_node_that_dies_is_missed_and_runs_nowhere_else() {
        create("");
        due();
        a.schedule();

        expire(b);
        lookAround();
        a.schedule();
        c.schedule();

        assertThat(rows.one(PARTS)).isEqualTo("node:a EXECUTING, node:c EXECUTING");
        assertThat(rows.one(ENDED)).isEqualTo("node:b MISSED");
        assertThat(rows.one(REASON + "'MISSED'")).isEqualTo("node b ended before it ran this");
        assertThat(nodeOf("MISSED")).isEqualTo("b node:b");
    }

    @Test
    void a_node_that_comes_back_in_time_runs_its_part() {
        create("");
        due();
        a.schedule();
        playground.nodes.remove(b);
        b.close();

        b = playground.joined("b", playground.address());
        b.schedule();

        assertThat(b.processes.started).hasSize(1);
    }

    @Test
    void the_part_of_a_drained_node_is_missed() {
        create("");
        due();
        a.schedule();
        rows.run("update session set drained = true, state = 'DRAINING' where node = 'b'");
        lookAround();

        everywhere();

        assertThat(b.processes.started).isEmpty();
        assertThat(rows.one(REASON + "'MISSED'"))
                .isEqualTo("node b took no more work (drained or stopping) before it ran this");
    }

    @Test
    void a_retry_keeps_the_place_of_its_node() {
        create(", \"broadcastParallel\": 1, \"retry\": {\"max\": 1, \"backoff\": \"1h\"}");
        due();
        everywhere();
        finish(a, 1);
        everywhere();
        assertThat(b.processes.started).isEmpty();

        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RETRY'");
        everywhere();
        assertThat(a.processes.started).hasSize(2);
        finish(a, 1);
        everywhere();

        assertThat(b.processes.started).hasSize(1);
        assertThat(rows.one(ENDED)).isEqualTo("node:a FAILED, node:a FAILED");
    }

    @Test
    void what_was_lost_is_recovered_where_its_node_is_back() {
        create("");
        due();
        everywhere();
        playground.nodes.remove(b);
        b.close();

        b = playground.joined("b", playground.address());
        b.schedule();

        assertThat(rows.one(ENDED)).isEqualTo("node:b LOST");
        assertThat(rows.one("select concat(cause, ' ', attempt, ' ', origin) from live_task where state = 'EXECUTING'"
                        + " and attempt > 1"))
                .isEqualTo("RECOVERY 2 node:b");
        assertThat(b.processes.started).hasSize(1);
    }

    @Test
    void a_part_that_its_node_had_no_room_for_is_no_misfire() {
        create("");
        due();
        a.schedule();
        rows.run("update live_task set fire_time = fire_time - interval 1 hour where origin = 'node:b'");

        b.schedule();

        assertThat(b.processes.started).hasSize(1);
    }
}
