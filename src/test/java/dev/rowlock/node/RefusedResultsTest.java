package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Results and losses that the database refuses: their rows say so, and all others go on. */
class RefusedResultsTest extends NodeByHand {

    @AfterEach
    void dropTrigger() {
        rows.run("drop trigger if exists no_reason");
    }

    @Test
    void a_result_that_history_refuses_does_not_stop_the_others_and_its_row_says_so() {
        long poisoned = started(50);
        a.processes.end(0);
        occupyHistory(poisoned);

        a.recorder.runOnce();

        assertThat(rows.count("task_history where started_at is not null")).isEqualTo(49);
        assertThat(rows.one("select concat(hold, ' ', hold_reason) from live_task where id = " + poisoned))
                .startsWith("ERROR the result cannot be recorded: ");
        assertThat(a.localTasks.running()).isZero();
        assertThat(a.recorder.runOnce().more()).isFalse();
    }

    @Test
    void a_refused_result_is_recorded_when_somebody_has_mended_what_was_wrong() {
        long poisoned = started(1);
        a.processes.end(0);
        occupyHistory(poisoned);
        a.recorder.runOnce();

        rows.run("delete from task_history");
        a.beatFor(Duration.ofSeconds(62));
        a.recorder.runOnce();

        assertThat(rows.one("select outcome from task_history where id = " + poisoned))
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void a_result_whose_reason_is_refused_is_recorded_without_it() {
        started(3);
        rows.run("create trigger no_reason before insert on task_history for each row "
                + "if new.reason is not null then signal sqlstate '45000' set message_text = 'no'; end if");
        a.processes.end(1);

        a.recorder.runOnce();

        assertThat(rows.count("task_history where outcome = 'FAILED' and exit_code = 1"))
                .isEqualTo(3);
    }

    @Test
    void a_refused_result_does_not_keep_its_node_from_joining_again() {
        long poisoned = started(5);
        a.processes.end(0);
        occupyHistory(poisoned);
        a.nanos.advance(HandDrivenNode.FENCE);

        a.keeper.runOnce();

        assertThat(a.lease.current()).isPresent();
        assertThat(rows.count("task_history where outcome = 'SUCCEEDED'")).isEqualTo(4);
        assertThat(rows.one(
                        "select concat(state, ' ', due_at is null, ' ', hold, ' ', hold_reason) from live_task where id = "
                                + poisoned))
                .startsWith("IDLE 1 ERROR the result cannot be recorded: ");
    }

    /** More than the splitting of one batch comes to an end with. */
    @Test
    void refused_results_do_not_keep_their_node_from_joining_again_however_many_they_are() {
        for (int i = 0; i < 150; i++) {
            rows.task(playground.job("j" + i, "0 0 1 1 *"), -50, true);
        }
        for (int i = 0; i < 3; i++) {
            a.schedule();
            a.processes.end(0);
        }
        assertThat(a.processes.started).hasSize(150);
        rows.run("create trigger no_reason before insert on task_history for each row "
                + "signal sqlstate '45000' set message_text = 'no'");
        a.nanos.advance(HandDrivenNode.FENCE);

        a.keeper.runOnce();

        assertThat(a.lease.current()).isPresent();
        assertThat(
                        rows.count(
                                "task where state = 'IDLE' and hold = 'ERROR' and hold_reason like 'the result cannot be recorded: %'"))
                .isEqualTo(150);
    }

    @Test
    void a_refused_result_does_not_keep_its_node_from_leaving() {
        long poisoned = started(5);
        a.processes.end(0);
        occupyHistory(poisoned);

        a.departure.leave();

        assertThat(rows.count("session where node = 'a'")).isZero();
        assertThat(rows.count("task_history where outcome = 'SUCCEEDED'")).isEqualTo(4);
        assertThat(rows.one(
                        "select concat(state, ' ', due_at is null, ' ', hold, ': ', hold_reason) from live_task where id = "
                                + poisoned))
                .startsWith("IDLE 1 ERROR: the result cannot be recorded: ");
    }

    @Test
    void a_loss_that_history_refuses_does_not_keep_a_dead_session_from_being_expired() {
        long poisoned = started(20);
        occupyHistory(poisoned);
        HandDrivenNode b = playground.joined("b", playground.address());

        b.beatFor(Duration.ofSeconds(40));
        b.reaper.runOnce();

        assertThat(rows.count("session where node = 'a'")).isZero();
        assertThat(rows.count("task_history where outcome = 'LOST' and node = 'a'"))
                .isEqualTo(19);
        assertThat(rows.count("live_task where cause = 'RECOVERY'")).isEqualTo(19);
        assertThat(rows.one(
                        "select concat(state, ' ', due_at is null, ' ', hold, ' ', hold_reason) from live_task where id = "
                                + poisoned))
                .startsWith("IDLE 1 ERROR its loss cannot be recorded: ");
    }

    @Test
    void a_loss_that_history_refused_is_recorded_and_recovered_when_that_is_mended() {
        long poisoned = started(1);
        occupyHistory(poisoned);
        HandDrivenNode b = playground.joined("b", playground.address());
        b.beatFor(Duration.ofSeconds(40));
        b.reaper.runOnce();
        b.reconsidering.runOnce();
        assertThat(b.problem().orElse("")).contains("default/j0").contains("its loss cannot be recorded");

        rows.run("update task_aside set look_at = utc_timestamp(3)");
        b.reconsidering.runOnce();
        assertThat(rows.one("select times from task_aside where task_id = " + poisoned))
                .isEqualTo("2");

        rows.run("delete from task_history");
        rows.run("update task_aside set look_at = utc_timestamp(3)");
        b.reconsidering.runOnce();
        b.schedule();

        assertThat(rows.one("select concat(outcome, ' ', reason) from task_history where id = " + poisoned))
                .startsWith("LOST its node was lost");
        assertThat(b.processes.started)
                .singleElement()
                .satisfies(spec -> assertThat(spec.environment()).containsEntry("ROWLOCK_CAUSE", "RECOVERY"));
    }

    @Test
    void an_edit_frees_a_loss_that_was_set_aside_as_well() {
        long poisoned = started(1);
        occupyHistory(poisoned);
        HandDrivenNode b = playground.joined("b", playground.address());
        b.beatFor(Duration.ofSeconds(40));
        b.reaper.runOnce();
        rows.run("delete from task_history");

        saveAgain("j0");
        b.reconsidering.runOnce();

        assertThat(rows.one("select outcome from task_history where id = " + poisoned))
                .isEqualTo("LOST");
    }
}
