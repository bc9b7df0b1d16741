package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Overrides;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.job.Run;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs for which somebody asks for something else than the job says. */
class OverriddenRunTest extends NodeByHand {

    private static final String OTHER =
            "{\"command\": \"other\", \"env\": {\"B\": \"run\", \"C\": \"run\"}, \"overlap\": \"ALLOW\"}";

    @BeforeEach
    void create() {
        put("");
    }

    @Test
    void it_runs_the_other_command_with_further_variables_and_says_so_in_history() {
        run(OTHER);
        a.schedule();

        assertThat(spec(0).command()).hasToString("other");
        assertThat(spec(0).environment())
                .containsEntry("A", "job")
                .containsEntry("B", "run")
                .containsEntry("C", "run");
        a.processes.end(0);
        a.recorder.runOnce();
        assertThat(Overrides.read(rows.one("select overrides from task_history")))
                .isEqualTo(overrides(OTHER));
        run("{}");
        a.schedule();
        assertThat(spec(1).command()).hasToString("true");
        assertThat(spec(1).environment()).containsEntry("B", "job").doesNotContainKey("C");
    }

    @Test
    void its_recovery_and_its_retry_go_by_it_too() {
        put(", \"retry\": {\"max\": 1, \"backoff\": \"1s\"}");
        run(OTHER);
        HandDrivenNode b = playground.joined("b", playground.address());
        b.schedule();
        a.sessions.expire(
                a.session(),
                b.session(),
                Long.parseLong(String.valueOf(rows.one("select beat from session where node = 'b'"))),
                "gone");
        playground.nodes.remove(b);
        b.close();
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RECOVERY'");
        a.schedule();
        assertThat(spec(0).command()).hasToString("other");

        a.processes.end(1);
        a.recorder.runOnce();
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RETRY'");
        a.schedule();

        assertThat(spec(1).command()).hasToString("other");
        assertThat(spec(1).environment()).containsEntry("C", "run").containsEntry("ROWLOCK_CAUSE", "RETRY");
        assertThat(rows.one("select count(*) from task_history where overrides is not null"))
                .isEqualTo("2");
    }

    @Test
    void what_is_cancelled_before_it_started_says_so_too() {
        run(OTHER);
        jobs.delete(KEY, ANY);
        assertThat(Overrides.read(rows.one("select overrides from task_history where cause = 'MANUAL'")))
                .isEqualTo(overrides(OTHER));
    }

    @Test
    void nodes_that_know_nothing_of_it_leave_it_alone() {
        run("{}");
        assertThat(rows.one("select needs from live_task where cause = 'MANUAL'"))
                .isEqualTo("0");
        run(OTHER);
        assertThat(rows.one("select max(needs) from live_task where cause = 'MANUAL'"))
                .isEqualTo("1");
    }

    @Test
    void the_node_that_it_names_is_in_its_selector() {
        run("{\"node\": \"a\"}");
        assertThat(rows.one("select s.expression from live_task t join selector s on s.id = t.selector"))
                .isEqualTo("node:a");
    }

    @Test
    void it_may_run_beside_another_though_the_job_says_skip() {
        run("{}");
        a.schedule();
        run(OTHER);
        run("{}");
        a.schedule();

        assertThat(a.processes.started).hasSize(2);
        assertThat(rows.one("select outcome from task_history")).isEqualTo("SKIPPED");
    }

    @Test
    void it_may_wait_for_another_though_the_job_says_skip_and_looks_again_within_a_second() {
        run("{}");
        a.schedule();
        Run second = run("{\"overlap\": \"QUEUE\"}");
        a.schedule();

        assertThat(rows.one("select concat(state, ' ', hold, ' ', due_at <= utc_timestamp(3) + interval 1 second)"
                        + " from live_task where id = " + second.task()))
                .isEqualTo("IDLE OVERLAP 1");
        a.processes.end(0);
        a.recorder.runOnce();
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 1 second where state = 'IDLE' and id = "
                + second.task());
        a.pollSoon();
        a.schedule();

        assertThat(rows.one("select state from live_task where id = " + second.task()))
                .isEqualTo("EXECUTING");
    }

    @Test
    void it_may_replace_another_though_the_job_says_skip() {
        Run first = run("{}");
        a.schedule();
        Run second = run("{\"overlap\": \"REPLACE\"}");
        a.schedule();
        a.recorder.runOnce();

        assertThat(rows.one("select concat(outcome, ' ', replaced_by) from task_history where id = " + first.task()))
                .isEqualTo("KILLED " + second.task());
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where id = "
                + second.task());
        a.schedule();
        assertThat(rows.one("select state from live_task where id = " + second.task()))
                .isEqualTo("EXECUTING");
    }

    private void put(String more) {
        jobs.put(
                new JobKey("default", "j"),
                PlayedCluster.json("{\"schedule\": \"0 0 1 1 *\", \"command\": \"true\","
                        + " \"env\": {\"A\": \"job\", \"B\": \"job\"}" + more + "}"),
                ANY);
    }

    private Run run(String what) {
        return jobs.run(KEY, overrides(what), null);
    }

    private static Overrides overrides(String what) {
        return Overrides.parse(PlayedCluster.json(what));
    }

    private LaunchSpec spec(int number) {
        return a.processes.started.get(number);
    }
}
