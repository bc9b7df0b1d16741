package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class SpanTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static Span between(String schedule, Instant from, Instant to) {
        return Span.between(Schedule.parse(schedule, ZoneId.of("UTC"), DaylightSaving.SHIFT, START), from, to);
    }

    @Test
    void the_fire_time_itself_counts_and_so_does_the_end() {
        assertThat(between("* * * * *", START, START)).isEqualTo(new Span(START, START, 1));
        assertThat(between("* * * * *", START, START.plusSeconds(120)))
                .isEqualTo(new Span(START, START.plusSeconds(120), 3));
        assertThat(between("* * * * *", START, START.plusSeconds(119)))
                .isEqualTo(new Span(START, START.plusSeconds(60), 2));
    }

    @Test
    void years_of_seconds_are_counted_at_once() {
        Instant end = START.plusSeconds(86_400L * 365 * 3).plusMillis(500);

        assertThat(between("* * * * * *", START, end))
                .isEqualTo(new Span(START, end.minusMillis(500), 86_400L * 365 * 3 + 1));
        assertThat(between("0 0 29 2 *", Instant.parse("2024-02-29T00:00:00Z"), Instant.parse("2040-02-28T23:59:59Z")))
                .isEqualTo(new Span(Instant.parse("2024-02-29T00:00:00Z"), Instant.parse("2036-02-29T00:00:00Z"), 4));
    }
}
