package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.support.LogLines;
import org.junit.jupiter.api.Test;

class JobCountsTest {

    private final JobCounts counts = new JobCounts();

    @Test
    void beyond_a_thousand_jobs_starts_are_refused_and_the_log_says_so_once() {
        try (LogLines lines = LogLines.of(JobCounts.class)) {
            for (int i = 0; i < JobCounts.MOST + 3; i++) {
                counts.started(i, job("j" + i, true));
            }

            assertThat(counts.all()).hasSize(JobCounts.MOST);
            assertThat(counts.refused()).isEqualTo(3);
            assertThat(lines.texts()).hasSize(1).first().asString().contains("default/j1000");
        }
        counts.started(0, job("j0", false));
        counts.started(2_000, job("late", true));

        assertThat(counts.all()).hasSize(JobCounts.MOST).containsKey(new JobKey("default", "late"));
    }

    @Test
    void a_job_that_was_made_again_goes_on_under_its_name() {
        counts.started(1, job("j", true));
        counts.started(2, job("j", true));
        counts.ended(job("j", true), Outcome.LOST, null, null);

        assertThat(counts.all().values()).singleElement().satisfies(job -> {
            assertThat(job.jobId()).isEqualTo(2);
            assertThat(job.started()).isEqualTo(2);
            assertThat(job.ended()).containsEntry(Outcome.LOST, 1L);
            assertThat(job.durations()).isZero();
        });
    }

    private static JobDefinition job(String name, boolean metrics) {
        return StoredDefinition.read(
                        new JobKey("default", name),
                        "{\"command\": \"true\", \"schedule\": \"@manual\", \"metrics\": " + metrics + "}",
                        false)
                .definition();
    }
}
