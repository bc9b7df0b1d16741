package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FinishByTest {

    @ParameterizedTest
    @CsvSource({
        "06:00,    2026-03-02T04:59:00Z, Europe/Berlin,    2026-03-02T05:00:00Z",
        "06:00,    2026-03-02T05:00:00Z, Europe/Berlin,    2026-03-03T05:00:00Z", // the next one after it
        "06:00,    2026-03-02T05:01:00Z, Europe/Berlin,    2026-03-03T05:00:00Z",
        "06:00:30, 2026-03-02T05:00:00Z, Europe/Berlin,    2026-03-02T05:00:30Z",
        "02:30,    2026-03-28T23:00:00Z, Europe/Berlin,    2026-03-29T01:30:00Z", // skipped: 03:30 there
        "02:30,    2026-10-24T22:00:00Z, Europe/Berlin,    2026-10-25T00:30:00Z", // repeated: the first
        "00:00,    2026-09-06T03:00:00Z, America/Santiago, 2026-09-06T04:00:00Z", // midnight is skipped
        "2h,       2026-03-29T00:30:00Z, Europe/Berlin,    2026-03-29T02:30:00Z",
        "90s,      2026-03-02T05:01:00Z, UTC,              2026-03-02T05:02:30Z",
    })
    void is_the_next_such_time_or_so_long_after(String text, Instant fireTime, String zone, Instant deadline) {
        FinishBy finishBy = FinishBy.parse(text).orElseThrow();

        assertThat(finishBy.of(fireTime, ZoneId.of(zone))).isEqualTo(deadline);
        assertThat(finishBy.farthest()).isGreaterThanOrEqualTo(java.time.Duration.between(fireTime, deadline));
        assertThat(FinishBy.parse(finishBy.text())).contains(finishBy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6:00", "24:00", "06:60", "06:00 ", "06:00Z", "0s", "31d", "-2h", "tomorrow"})
    void is_no_other_text(String text) {
        assertThat(FinishBy.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "06:00, 2026-03-02T04:59:00Z, 2026-03-01T04:59:59.999Z",
        "06:00, 2026-03-02T05:00:00Z, 2026-03-02T04:59:59.999Z",
        "02:30, 2026-03-29T02:00:00Z, 2026-03-29T01:29:59.999Z", // skipped: 03:30 there
        "2h,    2026-03-29T02:00:00Z, 2026-03-29T00:00:00Z",
    })
    void knows_the_last_fire_time_whose_deadline_is_over(String text, Instant now, Instant last) {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        FinishBy finishBy = FinishBy.parse(text).orElseThrow();

        assertThat(finishBy.passedBefore(now, berlin)).isEqualTo(last);
        assertThat(finishBy.of(last, berlin)).isBeforeOrEqualTo(now);
        assertThat(finishBy.of(last.plusMillis(1), berlin)).isAfter(now);
    }
}
