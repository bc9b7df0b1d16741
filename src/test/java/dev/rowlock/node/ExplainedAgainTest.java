package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.report.explain.Explanation;
import dev.rowlock.report.explain.Explanation.Verdict;
import dev.rowlock.task.backfill.BackfillRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Answers about a fire time that ran more than once; the clock begins at 20:00:30 UTC on 24 October. */
class ExplainedAgainTest extends AlertsByHand {

    private static final JobKey JOB = new JobKey("default", "j");
    private static final Instant FIRE_TIME = Instant.parse("2026-10-24T20:01:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void the_answer_about_a_fire_time_is_that_of_its_last_attempt_and_names_the_backfill() {
        failed();
        long backfill = backfill();
        turn();
        assertThat(at().verdict()).isEqualTo(Verdict.EXECUTING);
        end(0);

        Explanation said = at();
        assertThat(said.summary())
                .contains("default/j of 2026-10-24T20:01:00Z (by backfill " + backfill + ") ran on node a, started at ")
                .contains(": SUCCEEDED. Before that: task ")
                .contains(" FAILED: exit code 4.")
                .doesNotContain("on time", "No further attempt");
        assertThat(said.task()).isEqualTo(Long.valueOf(task("SUCCEEDED")));
        assertThat(explained(task("FAILED")).summary())
                .contains(", started on time, ")
                .contains(" The next attempt is task " + task("SUCCEEDED"));
    }

    @Test
    void of_two_backfills_the_later_one_is_the_answer() {
        failed();
        long first = backfill();
        turn();
        end(5);
        long second = backfill();
        turn();
        end(0);
        assertThat(at().summary())
                .contains("(by backfill " + second + ") ran")
                .contains(" of backfill " + first + " FAILED: exit code 5");
    }

    @Test
    void a_backfill_that_was_cancelled_before_it_ran_leaves_the_answer_to_what_ran() {
        failed();
        long backfill = backfill();
        cluster.time.hold();
        cluster.backfills.cancel(backfill);
        cluster.takeTurns();
        assertThat(at().summary())
                .contains("started on time")
                .contains("FAILED: exit code 4. No further attempt follows: the job asks for no retry.");
    }

    private void failed() {
        cluster.put("j", "\"schedule\": \"1 20 * * *\"");
        work(Duration.ofSeconds(31));
        end(4);
    }

    private long backfill() {
        work(MINUTE);
        BackfillRequest asked = BackfillRequest.parse(
                PlayedCluster.json("{\"from\": \"2026-10-24T20:01:00Z\", \"until\": \"2026-10-24T20:02:00Z\"}"));
        cluster.time.hold();
        return Objects.requireNonNull(
                cluster.backfills.request(JOB, asked, null).id());
    }

    private void turn() {
        cluster.takeTurns();
        work(SECOND);
    }

    private Explanation at() {
        cluster.time.hold();
        return cluster.explain().at(JOB, FIRE_TIME).orElseThrow();
    }

    private Explanation explained(long task) {
        cluster.time.hold();
        return cluster.explain().task(task).orElseThrow();
    }

    private long task(String outcome) {
        return Long.parseLong(cluster.rows.one("select id from task_history where outcome = '" + outcome + "'"));
    }

    private void end(int code) {
        cluster.time.hold();
        cluster.node("a").processes.end(code);
        cluster.node("a").recorder.runOnce();
    }

    private void work(Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(SECOND)) {
            cluster.time.advance(SECOND);
            cluster.time.hold();
            cluster.node("a").keeper.runOnce();
            cluster.node("a").schedule();
        }
    }
}
