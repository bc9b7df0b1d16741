package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Overrides;
import dev.rowlock.exec.StopCause;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.request.RunningCommands;
import dev.rowlock.task.request.Tasks;
import dev.rowlock.task.rerun.RequestStore;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In whatever way a task leaves that others of its job wait for, the next of them starts. */
class WakingTest extends NodeByHand {

    /** How the first of a queue leaves, while another task of the job executes or as that ends. */
    enum Way {
        RUNS,
        IS_KILLED_BY_ITS_ID,
        FINDS_NO_NODE,
        CANNOT_BE_PREPARED,
        CANNOT_BE_STARTED,
        MISSES_ITS_DEADLINE,
        IS_PAUSED
    }

    @AfterEach
    void dropTrigger() {
        rows.run("drop trigger if exists refused");
    }

    @ParameterizedTest
    @EnumSource
    void the_second_of_a_queue_starts_when_the_first(Way way) {
        create("QUEUE", ", \"startDeadline\": \"1h\"");
        HandDrivenNode b = playground.joined("b", playground.address());
        run(null);
        a.schedule();
        long first = run(way == Way.FINDS_NO_NODE ? "b" : null);
        a.schedule();
        b.schedule();
        long second = run(null);
        a.schedule();
        assertThat(rows.count("live_task where hold = 'OVERLAP' and due_at is null or due_at > utc_timestamp(3)"
                        + " + interval 5 second"))
                .as("nobody looks by itself soon")
                .isGreaterThanOrEqualTo(2);

        leave(way, first, b);
        a.keeper.runOnce();
        a.slots.lack(true); // so it leaves what comes next to who looks for it
        finish();
        a.slots.lack(false);
        for (int i = 0; i < 3; i++) {
            a.schedule();
            finishAllBut(second);
        }

        assertThat(executing()).isEqualTo(String.valueOf(second));
    }

    private void leave(Way way, long first, HandDrivenNode b) {
        switch (way) {
            case RUNS -> {}
            case IS_KILLED_BY_ITS_ID -> tasks().kill(first);
            case FINDS_NO_NODE -> b.departure.leave();
            case CANNOT_BE_PREPARED -> refuse(first, "PREPARED");
            case CANNOT_BE_STARTED -> refuse(first, "EXECUTING");
            case MISSES_ITS_DEADLINE ->
                rows.run("update live_task set fire_time = fire_time - interval 2 hour where id = " + first);
            case IS_PAUSED -> {
                rows.run("update live_task set cause = 'SCHEDULE', origin = '' where id = " + first);
                jobs.setPaused(KEY, true, ANY);
            }
        }
    }

    @Test
    void what_waits_for_a_start_that_was_given_back_goes_on_when_that_is_missed() {
        create("QUEUE", ", \"misfire\": \"SKIP\", \"misfireThreshold\": \"5s\"");
        long first = run(null);
        rows.run("update live_task set cause = 'SCHEDULE', origin = '' where id = " + first);
        a.schedule();
        long second = run(null);
        long third = run(null);
        a.schedule();
        a.localTasks.dropExecuting(a.processes.started.get(0).launchId()); // its commit was not answered
        rows.run("update live_task set fire_time = fire_time - interval 1 minute, due_at = due_at - interval 1 minute"
                + " where id = " + first);

        a.compensator.runOnce();
        a.schedule();
        a.schedule();

        assertThat(rows.one("select outcome from task_history where id = " + first))
                .isEqualTo("MISSED");
        assertThat(executing()).isEqualTo(String.valueOf(second));
        finish();
        a.schedule();
        assertThat(executing()).isEqualTo(String.valueOf(third));
    }

    /** The retry is of another run, and waits for an hour. */
    @Test
    void what_replaces_another_starts_when_that_is_dead_whatever_retry_waits_for_its_time() {
        create("REPLACE", ", \"retry\": {\"max\": 1, \"backoff\": \"1h\"}");
        run(null);
        a.schedule();
        a.processes.end(1);
        a.recorder.runOnce();
        assertThat(rows.one("select group_concat(cause) from live_task where cursor_of is null"))
                .isEqualTo("RETRY");
        long victim = run(null);
        a.schedule();
        long newest = run(null);
        a.processes.ignoresTerm = true;
        a.schedule();
        assertThat(executing()).isEqualTo(String.valueOf(victim));

        a.processes.stop(StopCause.REQUEST);
        a.recorder.runOnce();
        a.schedule();

        assertThat(executing()).isEqualTo(String.valueOf(newest));
        assertThat(rows.count("live_task where cause = 'RETRY'")).isOne();
    }

    private void create(String overlap, String more) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"j\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"overlap\": \"" + overlap + "\""
                        + more + "}"));
    }

    private long run(@Nullable String node) {
        Overrides asked = node == null ? Overrides.NONE : new Overrides(null, Map.of(), node, null);
        return jobs.run(KEY, asked, null).task();
    }

    private void refuse(long task, String state) {
        rows.run("create trigger refused before update on task for each row if old.id = " + task + " and new.state = '"
                + state + "' then signal sqlstate '45000' set message_text = 'no'; end if");
    }

    private @Nullable String executing() {
        return rows.one("select group_concat(id) from live_task where state = 'EXECUTING'");
    }

    private void finish() {
        a.processes.end(0);
        a.recorder.runOnce();
    }

    private void finishAllBut(long task) {
        if (!String.valueOf(task).equals(executing())) {
            finish();
        }
    }

    private Tasks tasks() {
        return new Tasks(
                new TaskQueries(database),
                new JobStore(database),
                new RequestStore(database),
                new RunningCommands() {
                    @Override
                    public Optional<CommandOutput> output(LaunchId launch) {
                        return Optional.empty();
                    }

                    @Override
                    public void kill(LaunchId launch) {}
                },
                () -> {});
    }
}
