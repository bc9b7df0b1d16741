package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.job.JobJson;
import dev.rowlock.report.explain.Explanation;
import dev.rowlock.task.backfill.BackfillRequest;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Reasons that name the freeze, wherever somebody asks; the clock begins at 20:00:30 UTC. */
class FrozenSaidTest extends AlertsByHand {

    private static final JobKey JOB = new JobKey("default", "j");
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void a_job_and_the_answer_about_now_name_the_freeze_that_holds_what_is_due() {
        job("j");
        long freeze = freeze();
        assertThat(JobJson.job(cluster.job("j")).path("hold").isNull())
                .as("nothing is due")
                .isTrue();
        work(MINUTE);

        String said = "freeze " + freeze + " by Rowlock until 2026-10-24T21:00:00.000Z: the move";
        assertThat(JobJson.job(cluster.job("j")).path("hold").toString())
                .isEqualTo("{\"kind\":\"FREEZE\",\"reason\":\"" + said + "\"}");
        assertThat(now().summary())
                .startsWith("default/j of 2026-10-24T20:01:00Z is held (task ")
                .contains("): " + said + ". The schedule of default/j ");

        cluster.endFreeze(freeze);
        work(Duration.ofSeconds(3));
        assertThat(JobJson.job(cluster.job("j")).path("hold").isNull()).isTrue();
        assertThat(now().summary()).startsWith("The schedule of default/j ");
    }

    @Test
    void a_backfill_that_waits_and_each_of_its_fire_times_name_the_freeze() {
        cluster.put("j", "\"schedule\": \"0 * * * *\"");
        long freeze = freeze();
        cluster.time.hold();
        long backfill = Objects.requireNonNull(cluster.backfills
                .request(
                        JOB,
                        BackfillRequest.parse(PlayedCluster.json(
                                "{\"from\": \"2026-10-24T10:00:00Z\", \"until\": \"2026-10-24T12:00:00Z\"}")),
                        null)
                .id());
        cluster.takeTurns();

        String said = "freeze " + freeze + " by Rowlock until 2026-10-24T21:00:00.000Z: the move";
        assertThat(cluster.backfills.get(backfill).progress().reason()).isEqualTo(said);
        long task = Long.parseLong(cluster.rows.one("select min(task_id) from backfill_time"));
        assertThat(cluster.tasks.get(task).holdReason()).isEqualTo(said);
        assertThat(cluster.explain().task(task).orElseThrow().summary())
                .contains(" is waiting (FREEZE): " + said + ".");

        cluster.endFreeze(freeze);
        assertThat(cluster.backfills.get(backfill).progress().reason()).isNull();
        assertThat(cluster.tasks.get(task).holdReason())
                .isEqualTo("its turn in backfill " + backfill + " has not come");
    }

    @Test
    void a_freeze_that_was_extended_is_told_with_its_present_end() {
        job("j");
        long freeze = freeze();
        work(MINUTE);
        cluster.changeFreeze(freeze, "\"until\": \"2026-10-24T23:00:00Z\"");

        String said = "freeze " + freeze + " by Rowlock until 2026-10-24T23:00:00";
        assertThat(JobJson.job(cluster.job("j")).at("/hold/reason").asText()).startsWith(said);
        assertThat(now().summary()).contains(said);
        long task = Long.parseLong(cluster.rows.one("select task_id from job_next"));
        assertThat(cluster.tasks.get(task).holdReason()).startsWith(said);
        Explanation why = cluster.explain().task(task).orElseThrow();
        assertThat(why.summary()).contains(said);
        assertThat(why.steps().stream().filter(step -> step.at().isAfter(why.now())))
                .extracting(step -> step.what() + " " + step.detail())
                .containsExactly("NEXT task " + task + " is held until then");
    }

    private Explanation now() {
        cluster.time.hold();
        return cluster.explain().at(JOB, null).orElseThrow();
    }

    private long freeze() {
        return cluster.freeze("\"all\": true, \"until\": \"2026-10-24T21:00:00Z\", \"reason\": \"the move\"");
    }

    private void work(Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(SECOND)) {
            cluster.time.advance(SECOND);
            cluster.time.hold();
            cluster.node("a").waits.runOnce();
            cluster.round();
        }
    }
}
