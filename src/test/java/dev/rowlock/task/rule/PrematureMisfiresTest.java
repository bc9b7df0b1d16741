package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.node.EverySchedule;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.rule.PrematureMisfires.RowSplit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times are seconds, it is 0 now. */
class PrematureMisfiresTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # what a row stands for | every | what has come   | and what has not
            # The row counts fewer than its schedule says: others of them ran by themselves.
            -60..60 (2)             | 10    | all             |
            -60..120 (9)            | 10    | -60..0 (7)      | 10..120 (2)
            # A schedule that asks for nothing: the row stands for itself.
            -60..60 (3)             | 0     | -60..-60 (1)    | 60..60 (2)
            # The fire time that comes just now has come.
            -60..60 (3)             | 60    | -60..0 (2)      | 60..60 (1)
            0..60 (2)               | 60    | 0..0 (1)        | 60..60 (1)
            -60..0 (2)              | 60    | all             |
            -60..180 (5)            | 60    | -60..0 (2)      | 60..180 (3)
            """)
    void a_row_is_cut_where_now_is(String recorded, int period, String come, String rest) {
        Schedule schedule = period == 0
                ? Schedule.parse("@manual", ZoneOffset.UTC, DaylightSaving.SHIFT, NOW)
                : new EverySchedule(Duration.ofSeconds(period));
        var cut = PrematureMisfires.cut(7, span(recorded), schedule, NOW);

        assertThat(cut.map(c -> text(c.come())).orElse("all")).isEqualTo(come);
        assertThat(cut.map(c -> text(c.rest())).orElse(null)).isEqualTo(rest);
        assertThat(cut.map(RowSplit::id).orElse(7L)).isEqualTo(7);
    }

    private static Span span(String text) {
        String[] parts = text.split("\\.\\.| \\(|\\)", -1);
        return new Span(time(parts[0]), time(parts[1]), Long.parseLong(parts[2]));
    }

    private static Instant time(String seconds) {
        return NOW.plusSeconds(Long.parseLong(seconds));
    }

    private static String text(Span span) {
        return seconds(span.first()) + ".." + seconds(span.last()) + " (" + span.count() + ")";
    }

    private static long seconds(Instant t) {
        return Duration.between(NOW, t).toSeconds();
    }
}
