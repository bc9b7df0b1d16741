package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The parts of a broadcast: how many run at a time, and what a failure of one means to the rest. */
class BroadcastTurnsTest extends Broadcasting {

    @Test
    void overlap_counts_for_each_node_alone() {
        create("");
        due();
        everywhere();
        finish(a, 0);

        due();
        everywhere();

        assertThat(a.processes.started).hasSize(2);
        assertThat(b.processes.started).hasSize(1);
        assertThat(rows.one(ENDED)).isEqualTo("node:a SUCCEEDED, node:b SKIPPED, node:c SKIPPED");
    }

    @Test
    void so_many_run_at_a_time_in_the_order_of_their_names() {
        create(", \"broadcastParallel\": 2");
        due();
        a.schedule();
        assertThat(rows.one("select concat(hold, ' ', hold_reason, ' ', due_at is null) from live_task where origin ="
                        + " 'node:c'"))
                .isEqualTo("OVERLAP 2 other nodes first (broadcastParallel 2) 1");
        everywhere();
        assertThat(c.processes.started).isEmpty();

        finish(b, 0);
        everywhere();

        assertThat(c.processes.started).hasSize(1);
    }

    @Test
    void an_edit_lets_no_more_start_than_may_run_at_a_time() {
        create(", \"broadcastParallel\": 1");
        due();
        everywhere();
        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("description", "other"), ANY);

        everywhere();

        long first = part("a");
        assertThat(rows.one("select group_concat(hold_reason order by id) from live_task where hold = 'OVERLAP'"))
                .isEqualTo("task %d on a first (broadcastParallel 1),task %d on a, %d on b first (broadcastParallel 1)"
                        .formatted(first, first, part("b")));
        finish(a, 0);
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where due_at > utc_timestamp(3) and origin like 'node:%'");
        everywhere();
        assertThat(b.processes.started).hasSize(1);
        assertThat(c.processes.started).isEmpty();
    }

    @Test
    void the_next_one_goes_when_the_node_before_it_dies() {
        create(", \"broadcastParallel\": 1");
        due();
        everywhere();

        expire(a);
        lookAround();
        b.schedule();

        assertThat(b.processes.started).hasSize(1);
        assertThat(rows.one(ENDED)).isEqualTo("node:a LOST");
        assertThat(rows.count("live_task where cause = 'RECOVERY'")).isZero();
    }

    @Test
    void one_failure_cancels_what_has_not_started() {
        create(", \"broadcastParallel\": 2, \"stopOnFailure\": true");
        due();
        everywhere();

        long failed = part("a");
        finish(a, 3);
        everywhere();

        assertThat(c.processes.started).isEmpty();
        assertThat(rows.one(REASON + "'CANCELLED'")).isEqualTo("task " + failed + " on node a failed (stopOnFailure)");
        assertThat(nodeOf("CANCELLED")).isEqualTo("c node:c");
        assertThat(rows.one(PARTS)).isEqualTo("node:b EXECUTING");
    }

    @Test
    void a_failure_that_is_tried_again_cancels_nothing_yet() {
        create(", \"broadcastParallel\": 1, \"stopOnFailure\": true, \"retry\": {\"max\": 1, \"backoff\": \"1h\"}");
        due();
        everywhere();
        finish(a, 3);
        assertThat(rows.count("task_history where outcome = 'CANCELLED'")).isZero();

        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RETRY'");
        everywhere();
        finish(a, 3);

        assertThat(rows.count("task_history where outcome = 'CANCELLED'")).isEqualTo(2);
    }

    @Test
    void a_loss_for_good_cancels_what_has_not_started() {
        create(", \"broadcastParallel\": 1, \"stopOnFailure\": true");
        due();
        everywhere();

        long lost = part("a");
        expire(a);

        assertThat(rows.one(REASON + "'CANCELLED'")).isEqualTo("task " + lost + " on node a was lost (stopOnFailure)");
    }

    @Test
    void a_retry_whose_node_ends_is_missed_and_cancels_what_has_not_started() {
        create(", \"broadcastParallel\": 1, \"stopOnFailure\": true, \"retry\": {\"max\": 1, \"backoff\": \"1h\"}");
        due();
        everywhere();
        finish(a, 3);
        expire(a);
        lookAround();
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RETRY'");

        b.schedule();

        assertThat(rows.one(ENDED)).isEqualTo("node:a FAILED, node:b CANCELLED, node:c CANCELLED, node:a MISSED");
        assertThat(b.processes.started).isEmpty();
    }

    private long part(String node) {
        return Long.parseLong(
                Objects.requireNonNull(rows.one("select min(id) from live_task where origin = 'node:" + node + "'")));
    }
}
