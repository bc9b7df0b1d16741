package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Jobs that are edited, paused and deleted while a node holds their tasks. */
class ChangedWhileHeldTest extends NodeByHand {

    @Test
    void what_is_prepared_is_not_fired_once_its_job_is_paused_and_goes_on_when_that_ends() {
        playground.lateEverySecond("j", 2);
        a.scheduler.runOnce();
        assertThat(a.localTasks.preparedCount()).isGreaterThan(25);

        jobs.setPaused(KEY, true, ANY);
        a.schedule();
        a.compensator.runOnce();
        assertThat(a.processes.started).isEmpty();
        assertThat(a.localTasks.preparedCount()).isZero();

        jobs.setPaused(KEY, false, ANY);
        runUntil("task_history where outcome = 'SUCCEEDED'", 2);
        playground.invariants.check();
    }

    @Test
    void what_is_prepared_is_not_fired_once_its_job_has_another_command() {
        playground.lateEverySecond("j", 2);
        a.scheduler.runOnce();

        jobs.patch(KEY, patch("command", "false"), ANY);
        a.schedule();

        assertThat(a.processes.started)
                .isNotEmpty()
                .allSatisfy(spec -> assertThat(spec.command()).hasToString("false"));
        a.processes.end(0);
        Playground.round(a);
        playground.invariants.check();
    }

    @Test
    void what_is_prepared_ends_as_cancelled_if_the_new_schedule_does_not_ask_for_it() {
        playground.everySecond("j", 3);
        a.schedule();

        jobs.patch(KEY, patch("schedule", "0 0 1 1 *"), ANY);
        a.schedule();
        a.compensator.runOnce();

        assertThat(a.processes.started).isEmpty();
        assertThat(rows.count("live_task")).isEqualTo(1);
        assertThat(rows.count("task_history where outcome = 'CANCELLED'")).isGreaterThan(25);
        playground.invariants.check();
    }

    @Test
    void what_runs_while_its_job_is_deleted_is_recorded_when_it_ends() {
        rows.task(playground.job("j", "0 0 1 1 *"), -50, true);
        a.schedule();

        jobs.delete(KEY, ANY);
        a.processes.end(0);
        a.recorder.runOnce();

        assertThat(rows.one("select concat(job, ' ', outcome) from task_history"))
                .isEqualTo("j SUCCEEDED");
        assertThat(rows.count("live_task")).isZero();
        playground.invariants.memoryAndTableAgree();
    }

    @Test
    void what_ran_on_a_node_that_died_after_its_job_was_deleted_is_lost_and_not_run_again() {
        HandDrivenNode b = playground.joined("b", playground.address());
        rows.task(playground.job("j", "0 0 1 1 *"), -50, true);
        b.schedule();
        assertThat(b.processes.started).hasSize(1);

        jobs.delete(KEY, ANY);
        a.beatFor(HandDrivenNode.TIMEOUT.plusSeconds(4));
        a.reaper.runOnce();
        a.schedule();

        assertThat(rows.one("select outcome from task_history where launch_id is not null"))
                .isEqualTo("LOST");
        assertThat(rows.count("live_task")).isZero();
        assertThat(a.processes.started).isEmpty();
    }

    @Test
    void what_its_gate_refused_after_its_job_was_deleted_ends_as_cancelled() {
        rows.task(playground.job("j", "0 0 1 1 *"), -50, true);
        a.schedule();

        jobs.delete(KEY, ANY);
        a.processes.refuse();
        a.compensator.runOnce();

        assertThat(rows.one("select outcome from task_history")).isEqualTo("CANCELLED");
        assertThat(rows.count("live_task")).isZero();
    }

    /** The edit found it started, so it went on being owed; that nothing of it had run turned out only afterwards. */
    @Test
    void what_was_started_before_an_edit_and_never_ran_is_run_once_though_the_new_schedule_does_not_ask_for_it() {
        playground.lateEverySecond("j", 2);
        a.schedule();
        int begun = a.processes.started.size();
        assertThat(begun).isPositive();

        jobs.patch(KEY, patch("schedule", "0 0 1 1 *"), ANY);
        a.processes.refuse();
        a.processes.started.clear();
        a.compensator.runOnce();
        for (int i = 0; i < 3; i++) {
            Playground.round(a);
        }

        assertThat(a.processes.started).hasSize(begun);
        assertThat(
                        rows.one(
                                "select group_concat(distinct job_version, ' ', outcome) from task_history where exit_code = 0"))
                .isEqualTo("2 SUCCEEDED");
        playground.invariants.check();
    }

    private void runUntil(String from, long count) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (rows.count(from) < count && System.nanoTime() < deadline) {
            Playground.round(a);
        }
        assertThat(rows.count(from)).isGreaterThanOrEqualTo(count);
    }

    private static ObjectNode patch(String field, String value) {
        return new ObjectMapper().createObjectNode().put(field, value);
    }
}
