package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JitterTest {

    @Test
    void spreads_jobs_over_the_whole_of_it() {
        var offsets = IntStream.range(0, 10_000)
                .mapToLong(i -> Jitter.offset(new JobKey("default", "job-" + i), Duration.ofSeconds(100))
                        .toMillis())
                .summaryStatistics();

        assertThat(offsets.getMin()).isBetween(0L, 100L);
        assertThat(offsets.getMax()).isBetween(99_900L, 99_999L);
        assertThat(offsets.getAverage()).isBetween(48_500.0, 51_500.0);
    }

    @Test
    void is_the_same_for_a_job_whenever_it_is_asked_and_on_every_machine() {
        JobKey job = new JobKey("billing", "invoices");

        long crc = 2_186_315_196L; // of "billing/invoices", by another program
        assertThat(Jitter.offset(job, Duration.ofSeconds(1000)).toMillis()).isEqualTo((crc * 1_000_000) >> 32);
    }

    @Test
    void leaves_nothing_over_where_there_is_none_and_takes_the_longest() {
        JobKey job = new JobKey("default", "a");
        assertThat(Jitter.offset(job, Duration.ZERO)).isZero();
        assertThat(Jitter.offset(job, Duration.ofMillis(1))).isZero();
        assertThat(Jitter.offset(job, Duration.ofDays(365))).isBetween(Duration.ZERO, Duration.ofDays(365));
    }
}
