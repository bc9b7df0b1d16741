package dev.rowlock.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.field.TimeText.Towards;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times as people write them, and as tables print them. */
class TimeTextTest {

    /** 14:30 in Berlin. */
    private static final Instant NOW = Instant.parse("2026-11-27T13:30:00Z");

    @ParameterizedTest
    @CsvSource({
        "03:00,                            2026-11-27T02:00:00Z, 2026-11-28T02:00:00Z",
        "3:00,                             2026-11-27T02:00:00Z, 2026-11-28T02:00:00Z",
        "15:00,                            2026-11-26T14:00:00Z, 2026-11-27T14:00:00Z",
        "14:30,                            2026-11-27T13:30:00Z, 2026-11-28T13:30:00Z",
        "03:00:30,                         2026-11-27T02:00:30Z, 2026-11-28T02:00:30Z",
        "03:00Z,                           2026-11-27T03:00:00Z, 2026-11-28T03:00:00Z",
        "today,                            2026-11-26T23:00:00Z, 2026-11-26T23:00:00Z",
        "yesterday 14:00,                  2026-11-26T13:00:00Z, 2026-11-26T13:00:00Z",
        "Tomorrow 06:00,                   2026-11-28T05:00:00Z, 2026-11-28T05:00:00Z",
        "2026-11-27,                       2026-11-26T23:00:00Z, 2026-11-26T23:00:00Z",
        "2026-11-27 03:00,                 2026-11-27T02:00:00Z, 2026-11-27T02:00:00Z",
        "2026-11-27T03:00,                 2026-11-27T02:00:00Z, 2026-11-27T02:00:00Z",
        "2026-11-27 10:35:25 +00:00,       2026-11-27T10:35:25Z, 2026-11-27T10:35:25Z",
        "2026-11-27 10:35:25 +0100,        2026-11-27T09:35:25Z, 2026-11-27T09:35:25Z",
        "2026-11-27T10:35:25.250Z,         2026-11-27T10:35:25.250Z, 2026-11-27T10:35:25.250Z",
        "2026-11-27T10:35:25+01:00,        2026-11-27T09:35:25Z, 2026-11-27T09:35:25Z",
        "' 2026-11-27  10:35 ',            2026-11-27T09:35:00Z, 2026-11-27T09:35:00Z",
        "now,                              2026-11-27T13:30:00Z, 2026-11-27T13:30:00Z",
        "2h,                               2026-11-27T11:30:00Z, 2026-11-27T15:30:00Z",
        "2026-03-29 02:30,                 2026-03-29T01:30:00Z, 2026-03-29T01:30:00Z",
    })
    void a_time_is_meant_towards_the_past_or_the_future(String text, Instant past, Instant future) {
        TimeText time = TimeText.parse(text).orElseThrow();

        assertThat(time.at(NOW, ZoneId.of("Europe/Berlin"), Towards.PAST)).isEqualTo(past);
        assertThat(time.at(NOW, ZoneId.of("Europe/Berlin"), Towards.FUTURE)).isEqualTo(future);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "noon",
                "25:00",
                "2026-02-30",
                "2026-11-27 3",
                "14",
                "03:00 pm",
                "todayx",
                "2026-11-27x",
                "yesterday14:00",
                "T03:00",
                "03:00 Europe/Berlin",
                "2026-11-27T",
                "Z",
                "+01:00"
            })
    void nothing_else_is_a_time(String text) {
        assertThat(TimeText.parse(text)).isEmpty();
    }
}
