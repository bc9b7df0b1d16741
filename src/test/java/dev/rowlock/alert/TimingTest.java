package dev.rowlock.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.job.QuietHours;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimingTest {

    @ParameterizedTest
    @CsvSource({
        // Over midnight, in winter.
        "22:00, 07:00, 2026-12-01T20:59:59Z,",
        "22:00, 07:00, 2026-12-01T21:00:00Z, 2026-12-02T06:00:00Z",
        "22:00, 07:00, 2026-12-02T05:59:59Z, 2026-12-02T06:00:00Z",
        "22:00, 07:00, 2026-12-02T06:00:00Z,",
        // Within a day.
        "12:00, 13:00, 2026-12-01T11:30:00Z, 2026-12-01T12:00:00Z",
        "12:00, 13:00, 2026-12-01T12:00:00Z,",
        // The night in which the clocks are set back is an hour longer, and the one in spring an hour shorter.
        "22:00, 07:00, 2026-10-24T20:00:00Z, 2026-10-25T06:00:00Z",
        "22:00, 07:00, 2026-03-28T21:00:00Z, 2026-03-29T05:00:00Z",
        // 02:30 comes twice on 2026-10-25: at 00:30 and 01:30 UTC.
        "22:00, 02:30, 2026-10-25T00:45:00Z, 2026-10-25T01:30:00Z",
        "02:30, 05:00, 2026-10-25T00:30:00Z, 2026-10-25T04:00:00Z",
        // 02:30 does not come on 2026-03-29: the clocks jump at 01:00 UTC.
        "22:00, 02:30, 2026-03-29T00:59:59Z, 2026-03-29T01:00:00Z",
        "22:00, 02:30, 2026-03-29T01:00:00Z,",
        "02:30, 05:00, 2026-03-29T01:00:00Z, 2026-03-29T03:00:00Z"
    })
    void quiet_hours_of_berlin_end(LocalTime from, LocalTime to, Instant now, Instant end) {
        assertThat(Timing.endOf(new QuietHours(ZoneId.of("Europe/Berlin"), from, to), now))
                .isEqualTo(end);
    }
}
