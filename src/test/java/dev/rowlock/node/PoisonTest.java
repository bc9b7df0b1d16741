package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.StopCause;
import org.junit.jupiter.api.Test;

/** One row with which something is wrong: it says so itself, and all others go on. */
class PoisonTest extends NodeByHand {

    @Test
    void a_job_that_cannot_be_prepared_does_not_stop_the_others_and_a_new_version_lets_it_go() {
        long job = playground.everySecond("bad", 0);
        long bad = Long.parseLong(String.valueOf(rows.one("select id from live_task")));
        rows.run(
                "insert into task (job_id, job_version, stripe, fire_time, attempt, cause, state) select job_id, 1, stripe, "
                        + "fire_time + interval 1 second, 1, 'SCHEDULE', 'IDLE' from live_task");
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);

        a.schedule();

        assertThat(a.processes.started).hasSize(1);
        assertThat(rows.one(
                        "select concat(state, ' ', due_at is null, ' ', hold, ' ', hold_reason) from live_task where id = "
                                + bad))
                .startsWith("IDLE 1 ERROR cannot be prepared: ");

        rows.run("delete from live_task where job_id = " + job + " and id <> " + bad);
        saveAgain("bad");
        a.schedule();

        assertThat(a.processes.started).hasSize(2);
        playground.invariants.check();
    }

    @Test
    void a_task_that_cannot_be_started_does_not_stop_the_others_and_its_row_says_so() {
        playground.lateEverySecond("bad", 2);
        a.scheduler.runOnce();
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);
        occupyHistory(Long.parseLong(String.valueOf(
                rows.one("select id from live_task where state = 'PREPARED' order by due_at limit 1, 1"))));

        a.schedule();

        assertThat(a.processes.started).hasSize(2);
        assertThat(rows.one("select hold_reason from live_task where hold = 'ERROR'"))
                .startsWith("cannot be started: ");
    }

    @Test
    void what_the_fence_ended_before_its_process_was_made_is_given_back_and_not_failed() {
        started(1);
        a.processes.neverStart(StopCause.FENCE);

        a.compensator.runOnce();
        a.recorder.runOnce();

        assertThat(rows.count("task_history")).isZero();
        assertThat(rows.count("live_task where state = 'IDLE' and launch_id is null and due_at <= utc_timestamp(3)"))
                .isEqualTo(1);
    }

    @Test
    void what_was_prepared_and_is_ours_no_more_is_forgotten_by_the_next_compensation() {
        playground.everySecond("j", 2);
        a.schedule();
        rows.run("update live_task set state = 'IDLE', launch_id = null, session_id = null where state = 'PREPARED'");

        a.compensator.runOnce();

        assertThat(a.localTasks.preparedCount()).isZero();
        playground.invariants.memoryAndTableAgree();
    }
}
