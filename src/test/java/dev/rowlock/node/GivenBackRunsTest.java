package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.task.transition.Release;
import org.junit.jupiter.api.Test;

/** Starts of jobs with {@code maxRuns} that were none, as the answer of the database was lost. */
class GivenBackRunsTest extends NodeByHand {

    private static final String CURSOR =
            "select group_concat(concat(fire_time, ' ', state)) from live_task where cursor_of is not null";

    @Test
    void a_job_goes_on_after_its_last_run_was_given_back_and_is_missed() {
        create("0 0 1 1 *", ", \"maxRuns\": 1, \"misfire\": \"SKIP\"");
        startOne();
        assertThat(rows.count("live_task")).as("the last run ends the job").isOne();
        assertThat(rows.one(CURSOR)).isNull();

        giveBack();
        rows.run("update live_task set fire_time = fire_time - interval 5 minute, due_at = due_at - interval 5 minute");
        HandDrivenNode b = playground.joined("b", playground.address());
        b.schedule();
        b.schedule();

        assertThat(rows.one("select outcome from task_history")).isEqualTo("MISSED");
        assertThat(rows.one("select next_fire_time is not null from task_history"))
                .isEqualTo("1");
        assertThat(rows.one(CURSOR)).isNotNull();
    }

    @Test
    void a_job_ends_once_its_last_run_was_given_back_and_has_run() {
        create("0 0 1 1 *", ", \"maxRuns\": 1");
        startOne();
        giveBack();
        assertThat(rows.one(CURSOR)).isNotNull();

        a.schedule();
        a.processes.end(0);
        a.recorder.runOnce();

        assertThat(rows.one("select group_concat(outcome) from task_history")).isEqualTo("SUCCEEDED");
        assertThat(rows.count("live_task")).isZero();
    }

    @Test
    void a_job_that_may_run_no_more_by_then_stays_ended() {
        create("0 0 1 1 *", ", \"maxRuns\": 2");
        rows.run("insert into job_run (job_id, runs) select id, 1 from job");
        startOne();
        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("maxRuns", 1), ANY);

        giveBack();

        assertThat(rows.one(CURSOR)).isNull();
    }

    @Test
    void a_start_that_was_not_counted_is_not_taken_back() {
        create("0 0 1 1 *", ", \"overlap\": \"ALLOW\"");
        startOne();
        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("maxRuns", 5), ANY);
        rows.run("insert into job_run (job_id, runs) select id, 3 from job");

        giveBack();

        assertThat(rows.one("select runs from job_run")).isEqualTo("3");
    }

    private void create(String schedule, String more) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"j\", \"schedule\": \"" + schedule + "\", \"command\": \"true\"" + more + "}"));
    }

    private void startOne() {
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond, fire_time = utc_timestamp(0)");
        a.schedule();
        a.schedule();
        assertThat(rows.count("live_task where state = 'EXECUTING'")).isOne();
    }

    private void giveBack() {
        Release release = new Release(database);
        release.giveBack(release.held(a.session()));
        a.processes.started.clear();
    }
}
