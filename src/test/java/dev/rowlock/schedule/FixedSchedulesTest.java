package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** {@code @every}, {@code @at} and {@code @manual}. */
class FixedSchedulesTest {

    private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:10.900Z");

    private static Schedule parse(String text) {
        return Schedule.parse(text, ZoneId.of("Europe/Berlin"), DaylightSaving.SHIFT, ANCHOR);
    }

    @Test
    void a_period_counts_from_the_whole_second_of_the_anchor() {
        Schedule every = parse("@every 90s");
        Instant first = Instant.parse("2026-01-01T00:00:10Z");
        assertThat(every.nextAfter(Instant.MIN)).contains(first);
        assertThat(every.nextAfter(first.minusNanos(1))).contains(first);
        assertThat(every.nextAfter(first)).contains(first.plusSeconds(90));
        assertThat(every.nextAfter(first.plusSeconds(90).plusNanos(1))).contains(first.plusSeconds(180));
        assertThat(every.nextAfter(Instant.MAX)).isEmpty();
        assertThat(every.isZoned()).isFalse();
    }

    @Test
    void fire_times_are_counted_after_the_first_instant_and_until_the_second() {
        Schedule every = parse("@every 1h");
        Instant first = Instant.parse("2026-01-01T00:00:10Z");
        assertThat(every.countBetween(first, first.plusSeconds(7200))).isEqualTo(2);
        assertThat(every.countBetween(first.minusNanos(1), first.plusSeconds(7199)))
                .isEqualTo(2);
        assertThat(every.countBetween(first.plusSeconds(7200), first)).isZero();
        assertThat(every.countBetween(Instant.MAX, Instant.MIN)).isZero();
        Schedule cron = parse("0 * * * *");
        assertThat(cron.countBetween(first, first.plusSeconds(7200))).isEqualTo(2);
        assertThat(cron.countBetween(first.plusSeconds(7200), first)).isZero();
        assertThat(cron.isZoned()).isTrue();
    }

    @Test
    void a_single_time_fires_once_at_its_millisecond() {
        Schedule at = parse("@at 2026-12-01T03:00:00.1239+01:00");
        Instant time = Instant.parse("2026-12-01T02:00:00.123Z");
        assertThat(at.nextAfter(time.minusNanos(1))).contains(time);
        assertThat(at.nextAfter(time)).isEmpty();
        assertThat(at.countBetween(Instant.MIN, Instant.MAX)).isEqualTo(1);
        assertThat(at.countBetween(time, Instant.MAX)).isZero();
    }

    @Test
    void a_manual_schedule_never_fires_by_itself() {
        assertThat(parse("@manual").nextAfter(Instant.MIN)).isEmpty();
        assertThat(parse("@manual").countBetween(Instant.MIN, Instant.MAX)).isZero();
    }

    @Test
    void no_instant_is_too_far_away_to_ask_from() {
        Schedule cron = parse("0 3 * * *");
        assertThat(cron.nextAfter(Instant.MIN)).contains(Instant.parse("0001-01-01T02:06:32Z"));
        assertThat(cron.nextAfter(Instant.MAX)).isEmpty();
        assertThat(cron.countBetween(Instant.MAX, Instant.MIN)).isZero();
    }
}
