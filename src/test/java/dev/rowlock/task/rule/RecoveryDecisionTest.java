package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.OnLost;
import dev.rowlock.task.rule.RecoveryDecision.LossFacts;
import dev.rowlock.task.rule.RecoveryDecision.RecoveryLimits;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecoveryDecisionTest {

    @ParameterizedTest
    @CsvSource({
        // onLost, losses, stops, maxLost, backoff, delay of the new attempt
        "RERUN,    1,      1,     0,       PT1S,    stays lost", // 0 is never, even after a stop
        "RERUN,    1,      1,     3,       PT1S,    PT0S",
        "RERUN,    10,     10,    3,       PT1S,    PT0S",
        "RERUN,    11,     11,    3,       PT1S,    stays lost",
        "RERUN,    13,     10,    3,       PT1S,    PT2S", // three that count, ten that do not
        "RERUN,    14,     10,    3,       PT1S,    stays lost",
        "RERUN,    12,     11,    3,       PT1S,    stays lost",
        "RERUN,    1000,   0,     1000,    PT24H,   PT24H", // no overflow
        "RERUN,    18,     0,     1000,    PT1S,    PT18H12M16S",
        "RERUN,    19,     0,     1000,    PT1S,    PT24H",
        "RERUN,    3,      0,     3,       PT0S,    PT0S",
        "RERUN,    1000,   0,     1000,    PT0S,    PT0S",
        "RERUN,    1,      0,     3,       PT1S,    PT0S",
        "RERUN,    2,      0,     3,       PT1S,    PT1S",
        "RERUN,    3,      0,     3,       PT1S,    PT2S",
        "RERUN,    4,      0,     3,       PT1S,    stays lost",
        "RERUN,    4,      0,     4,       PT0.5S,  PT2S",
        "RERUN,    1,      0,     1,       PT1S,    PT0S",
        "RERUN,    2,      0,     1,       PT1S,    stays lost",
        "FAIL,     1,      0,     3,       PT1S,    stays lost",
        "FAIL,     1,      1,     3,       PT1S,    stays lost",
    })
    void a_lost_task(OnLost onLost, long losses, long stops, int maxLost, Duration backoff, String delay) {
        var decision = RecoveryDecision.of(new LossFacts(onLost, losses, stops), new RecoveryLimits(maxLost, backoff));

        assertThat(decision.map(d -> d.delay().toString()).orElse("stays lost")).isEqualTo(delay);
    }
}
