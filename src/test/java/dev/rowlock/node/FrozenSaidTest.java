package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.job.JobJson;
import dev.rowlock.report.explain.Explanation;
import java.time.Duration;
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
