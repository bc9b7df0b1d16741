package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What somebody asked for while the job is paused, and whose node is lost: a pause holds neither the run nor its
 * recoveries.
 */
class PausedRunTest extends NodeByHand {

    private static final String RECOVERY = "live_task where cause = 'RECOVERY'";

    @BeforeEach
    void open() {
        createYearlyJob();
    }

    @Test
    void the_recovery_of_a_run_of_a_paused_job_is_run() {
        jobs.setPaused(KEY, true, ANY);
        jobs.run(KEY, null);
        lose();
        assertThat(rows.count(RECOVERY + " and due_at is not null and hold is null"))
                .isEqualTo(1);

        a.schedule();

        assertThat(a.processes.started).hasSize(1);
    }

    @Test
    void the_recovery_of_a_recovery_of_such_a_run_is_run_too() {
        jobs.setPaused(KEY, true, ANY);
        jobs.run(KEY, null);
        lose();
        lose();
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RECOVERY' and due_at is not null");

        a.schedule();

        assertThat(a.processes.started)
                .singleElement()
                .satisfies(spec -> assertThat(spec.environment()).containsEntry("ROWLOCK_ATTEMPT", "3"));
    }

    @Test
    void what_the_schedule_asked_for_is_held_with_its_recovery_and_says_so() {
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 50 second, fire_time = due_at, cause = 'CATCH_UP'");
        HandDrivenNode b = started("b");
        jobs.setPaused(KEY, true, ANY);
        expire(b);
        a.schedule();

        assertThat(a.processes.started).isEmpty();
        assertThat(rows.one("select concat(due_at is null, ' ', hold) from " + RECOVERY))
                .isEqualTo("1 PAUSE");

        jobs.setPaused(KEY, false, ANY);
        a.schedule();

        assertThat(a.processes.started).hasSize(1);
    }

    @Test
    void a_pause_that_begins_while_the_recovery_waits_does_not_hold_it() {
        jobs.run(KEY, null);
        lose();

        jobs.setPaused(KEY, true, ANY);
        a.schedule();

        assertThat(a.processes.started).hasSize(1);
    }

    @Test
    void what_was_prepared_of_it_when_the_pause_began_is_run_as_well() {
        jobs.run(KEY, null);
        lose();
        rows.run("update live_task set due_at = utc_timestamp(3) + interval 1 second where cause = 'RECOVERY'");
        a.schedule();
        assertThat(rows.count(RECOVERY + " and state = 'PREPARED'")).isEqualTo(1);

        jobs.setPaused(KEY, true, ANY);
        a.compensator.runOnce();
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RECOVERY'");
        a.schedule();

        assertThat(a.processes.started).hasSize(1);
    }

    @Test
    void the_job_may_be_edited_and_resumed_and_deleted_while_the_recovery_waits() {
        jobs.setPaused(KEY, true, ANY);
        jobs.run(KEY, null);
        lose();

        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("command", "false"), ANY);
        jobs.setPaused(KEY, false, ANY);
        assertThat(rows.count(RECOVERY + " and due_at is not null and hold is null and job_version = 4"))
                .isEqualTo(1);
        jobs.setPaused(KEY, true, ANY);
        a.schedule();
        assertThat(a.processes.started)
                .singleElement()
                .satisfies(spec -> assertThat(spec.command()).hasToString("false"));
        a.processes.end(0);
        a.recorder.runOnce();

        jobs.run(KEY, null);
        lose();
        jobs.delete(KEY, ANY);

        assertThat(rows.count("live_task")).isZero();
        assertThat(rows.count("task_history where cause = 'RECOVERY' and outcome = 'CANCELLED'"))
                .isEqualTo(1);
    }

    /** What is due is started by a node that dies. */
    private void lose() {
        expire(started("b" + rows.count("task_history")));
    }

    private HandDrivenNode started(String name) {
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RECOVERY' and due_at is not null");
        HandDrivenNode node = playground.joined(name, playground.address());
        node.schedule();
        assertThat(node.processes.started).hasSize(1);
        return node;
    }

    private void expire(HandDrivenNode dead) {
        assertThat(a.sessions.expire(a.session(), dead.session(), beat(dead), "gone"))
                .isTrue();
        playground.nodes.remove(dead);
        dead.close();
    }

    private long beat(HandDrivenNode node) {
        return Long.parseLong(String.valueOf(rows.one("select beat from session where id = '" + node.session() + "'")));
    }
}
