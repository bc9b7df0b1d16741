package dev.rowlock.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.control.Elapsed.Span;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class ElapsedTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static Elapsed of(String schedule) {
        return new Elapsed(Schedule.parse(schedule, ZoneId.of("UTC"), DaylightSaving.SHIFT, START));
    }

    @Test
    void the_fire_time_itself_counts_and_so_does_the_end() {
        assertThat(of("* * * * *").between(START, START)).isEqualTo(new Span(START, START, 1, true));
        assertThat(of("* * * * *").between(START, START.plusSeconds(120)))
                .isEqualTo(new Span(START, START.plusSeconds(120), 3, true));
        assertThat(of("* * * * *").between(START, START.plusSeconds(119)))
                .isEqualTo(new Span(START, START.plusSeconds(60), 2, true));
    }

    @Test
    void a_count_made_before_is_continued_or_begun_anew() {
        Elapsed elapsed = of("* * * * *");
        elapsed.between(START, START.plusSeconds(600));
        assertThat(elapsed.between(START, START.plusSeconds(720)).count()).isEqualTo(13);
        assertThat(elapsed.between(START, START.plusSeconds(60)).count())
                .as("the clock was set back")
                .isEqualTo(2);
        assertThat(elapsed.between(START.plusSeconds(60), START.plusSeconds(60)).count())
                .isEqualTo(1);
    }

    @Test
    void beyond_the_limit_the_last_one_is_still_found() {
        Instant end = START.plusSeconds(86_400L * 365 * 3).plusMillis(500);
        Span span = of("* * * * * *").between(START, end);
        assertThat(span.complete()).isFalse();
        assertThat(span.count()).isEqualTo(10_000_000);
        assertThat(span.last()).isEqualTo(end.minusMillis(500));
    }
}
