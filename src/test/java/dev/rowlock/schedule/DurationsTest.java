package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "0s, PT0S, 0s",
        "90s, PT90S, 1m30s",
        "5m, PT5M, 5m",
        "1h30m, PT1H30M, 1h30m",
        "500ms, PT0.5S, 500ms",
        "1d, PT24H, 1d",
        "1d1h1m1s1ms, PT25H1M1.001S, 1d1h1m1s1ms",
        "36h, PT36H, 1d12h",
        "1m1ms, PT1M0.001S, 1m1ms",
        "999999999d, PT23999999976H, 999999999d"
    })
    void a_duration_is_read_and_written(String text, Duration duration, String written) {
        assertThat(Durations.parse(text)).contains(duration);
        assertThat(Durations.format(duration)).isEqualTo(written);
        assertThat(Durations.parse(written)).contains(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "5",
                "s",
                "-5s",
                "+5s",
                "5 s",
                "5S",
                "1.5h",
                "1m1h",
                "5m5m",
                "5ms1s",
                "٣s",
                "9999999999s",
                "PT5S"
            })
    void what_is_no_duration_is_not_read(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }
}
