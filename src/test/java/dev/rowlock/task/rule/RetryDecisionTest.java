package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.Retry;
import dev.rowlock.task.rule.RetryDecision.FailureFacts;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryDecisionTest {

    private static final Duration BACKOFF = Duration.ofSeconds(10);

    /** Exit code -1: none. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            # outcome, exit code, onExitCodes, onTimeout, worth a retry
            FAILED,      1, '',     true,  true
            FAILED,     75, '75 9', true,  true
            FAILED,      1, '75 9', true,  false
            FAILED,     -1, '75',   true,  false
            FAILED,     -1, '',     true,  true
            TIMED_OUT,  -1, '75',   true,  true
            TIMED_OUT, 143, '',     false, false
            KILLED,    143, '',     true,  false
            LOST,       -1, '',     true,  false
            SUCCEEDED,   0, '',     true,  false
            SKIPPED,    -1, '',     true,  false
            MISSED,     -1, '',     true,  false
            CANCELLED,  -1, '',     true,  false
            """)
    void concerns_failures_and_timeouts(
            Outcome outcome, int exitCode, String codes, boolean onTimeout, boolean worthARetry) {
        Set<Integer> onExitCodes = Arrays.stream(codes.split(" "))
                .filter(code -> !code.isEmpty())
                .map(Integer::valueOf)
                .collect(Collectors.toSet());
        Retry retry = new Retry(1, BACKOFF, BACKOFF, onExitCodes.isEmpty() ? null : onExitCodes, onTimeout);

        assertThat(RetryDecision.concerns(retry, outcome, exitCode < 0 ? null : exitCode))
                .isEqualTo(worthARetry);
        assertThat(RetryDecision.concerns(null, outcome, exitCode)).isFalse();
    }

    /** The delay in seconds, before it is varied; -1: no retry. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            # failures, max, delay
             1,   3,  10
             2,   3,  20
             3,   3,  40
             4,   3,  -1
             9,  50,  60
            50,  50,  60
            51,  50,  -1
            """)
    void is_delayed_by_twice_as_much_each_time_up_to_the_longest(long failures, int max, long delay) {
        Retry retry = new Retry(max, BACKOFF, Duration.ofMinutes(1), null, true);

        var decision = RetryDecision.of(new FailureFacts(4711, failures), retry);

        assertThat(decision.isPresent()).isEqualTo(delay >= 0);
        decision.ifPresent(d -> assertThat(d.delay().toMillis()).isBetween(delay * 900, delay * 1_100));
    }

    @Test
    void varies_the_delay_by_ten_per_cent_either_way_and_always_the_same() {
        Retry retry = new Retry(1, BACKOFF, BACKOFF, null, true);

        var delays = LongStream.range(0, 10_000)
                .map(task -> RetryDecision.of(new FailureFacts(task, 1), retry)
                        .orElseThrow()
                        .delay()
                        .toMillis())
                .summaryStatistics();

        assertThat(delays.getMin()).isEqualTo(9_000);
        assertThat(delays.getMax()).isEqualTo(11_000);
        assertThat(delays.getAverage()).isBetween(9_950.0, 10_050.0);
        var facts = new FailureFacts(1, 1);
        assertThat(RetryDecision.of(facts, retry)).isEqualTo(RetryDecision.of(facts, retry));
    }
}
