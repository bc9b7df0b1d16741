package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Retry;
import dev.rowlock.task.Cause;
import dev.rowlock.task.rule.DueAgain.Before;
import dev.rowlock.task.rule.DueAgain.DueFacts;
import dev.rowlock.task.rule.RetryDecision.FailureFacts;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times in minutes from now, of jobs that are tried again after an hour. */
class DueAgainTest {

    private static final Instant NOW = Instant.parse("2026-03-20T10:00:00Z");
    private static final Retry HOURLY = new Retry(3, Duration.ofHours(1), Duration.ofHours(4), null, true);
    private static final long FAILED = 4711;

    @ParameterizedTest
    @CsvSource(textBlock = """
            # cause,   failures, losses, attempt before ended, due, due again
            RECOVERY,  0,        1,        -5,                   50,   0
            RECOVERY,  0,        2,        -5,                   50,  50
            RECOVERY,  0,        2,        10,                   50,   0
            RECOVERY,  0,        2,          ,                   50,  50
            MANUAL,    0,        0,          ,                   50,   0
            MANUAL,    0,        0,          ,                   -1,  -1
            RETRY,     1,        0,          ,                   50,  50
            """)
    void what_was_to_wait_keeps_its_wait_and_all_else_is_due_now(
            Cause cause, long failures, long losses, @Nullable Long ended, long due, long again) {
        Before before = ended == null ? null : new Before(FAILED, at(ended));
        DueFacts facts = new DueFacts(cause, false, NOW, at(due), failures, losses, before);

        assertThat(DueAgain.of(facts, HOURLY, NOW)).isEqualTo(at(again));
    }

    @Test
    void a_retry_that_was_made_before_the_clock_was_ahead_keeps_its_time() {
        Instant ended = at(-20);
        Instant due = ended.plus(delay(2));

        assertThat(DueAgain.of(retry(due, 2, ended), HOURLY, NOW)).isEqualTo(due);
    }

    @Test
    void one_that_was_given_back_while_it_was_ahead_gets_back_its_time() {
        Instant ended = at(-20);

        assertThat(DueAgain.of(retry(at(600), 1, ended), HOURLY, NOW)).isEqualTo(ended.plus(delay(1)));
        assertThat(DueAgain.of(retry(at(600), 1, at(-90)), HOURLY, NOW)).isEqualTo(NOW);
    }

    @Test
    void one_that_was_made_while_it_was_ahead_waits_from_now_however_often_that_is_asked() {
        Instant again = DueAgain.of(retry(at(30).plus(delay(1)), 1, at(30)), HOURLY, NOW);

        assertThat(again).isEqualTo(NOW.plus(delay(1)));
        assertThat(DueAgain.of(retry(again, 1, at(30)), HOURLY, NOW)).isEqualTo(again);
    }

    @Test
    void one_of_a_job_that_says_nothing_of_retries_any_more_keeps_its_time() {
        assertThat(DueAgain.of(retry(at(50), 1, at(-5)), null, NOW)).isEqualTo(at(50));
    }

    @Test
    void an_occurrence_is_due_by_its_schedule() {
        assertThat(DueAgain.of(new DueFacts(Cause.SCHEDULE, true, at(5), at(60), 0, 0, null), HOURLY, NOW))
                .isEqualTo(at(5));
        assertThat(DueAgain.of(new DueFacts(Cause.CATCH_UP, true, at(-5), at(60), 0, 0, null), HOURLY, NOW))
                .isEqualTo(NOW);
    }

    private static DueFacts retry(Instant due, long failures, Instant ended) {
        return new DueFacts(Cause.RETRY, false, NOW, due, failures, 0, new Before(FAILED, ended));
    }

    private static Duration delay(long failures) {
        return RetryDecision.of(new FailureFacts(FAILED, failures), HOURLY)
                .orElseThrow()
                .delay();
    }

    private static Instant at(long minutes) {
        return NOW.plus(Duration.ofMinutes(minutes));
    }
}
