package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Fire times that a person can check by hand. */
class DrawnScheduleTest {

    private static final Instant MIDNIGHT = Instant.parse("2026-03-10T00:00:00Z");
    private static final DrawnCalendar NINTH = closed("", "2026-03-09");

    private static DrawnCalendar closed(String zone, String... dates) {
        return new DrawnCalendar(zone, DrawnCalendar.everyDay(), List.of(dates), List.of());
    }

    private static DrawnSchedule schedule(String fields, DrawnCalendar calendar) {
        return DrawnSchedule.of("{" + fields + "}", MIDNIGHT, (name, mark) -> calendar);
    }

    private static DrawnSchedule onDay(String day, String onClosed, DrawnCalendar calendar) {
        return schedule(
                "\"schedule\": \"30 * * " + day + " * *\", \"calendar\": \"plain\", \"onClosed\": \"" + onClosed + "\"",
                calendar);
    }

    /** The days of the month on which it fires at noon, from the sixth to the fourteenth. */
    private static Set<Integer> days(DrawnSchedule schedule) {
        Set<Integer> days = new TreeSet<>();
        for (int day = 6; day < 15; day++) {
            if (schedule.matches(Instant.parse(String.format("2026-03-%02dT12:00:30Z", day)))) {
                days.add(day);
            }
        }
        return days;
    }

    @Test
    void several_lines_have_each_instant_once_and_the_first_that_asks_has_it() {
        DrawnSchedule schedule = schedule(
                "\"schedule\": [\"0/20 * * * * *\", {\"schedule\": \"0/30 * * * * *\", \"env\": {\"a\": \"b\"}}]",
                NINTH);
        assertThat(schedule.between(MIDNIGHT.minusMillis(1), MIDNIGHT.plusSeconds(59)).stream()
                        .map(t -> t.getEpochSecond() - MIDNIGHT.getEpochSecond())
                        .collect(Collectors.toList()))
                .containsExactly(0L, 20L, 30L, 40L);
        assertThat(schedule.lineAt(MIDNIGHT).orElseThrow().env()).isEmpty();
        assertThat(schedule.lineAt(MIDNIGHT.plusSeconds(30)).orElseThrow().env())
                .isEqualTo(Map.of("a", "b"));
        assertThat(schedule.matches(MIDNIGHT.plusMillis(1))).isFalse();
    }

    @Test
    void a_period_counts_from_the_creation() {
        DrawnSchedule schedule = schedule("\"schedule\": \"@every 7s\"", NINTH);
        assertThat(schedule.between(MIDNIGHT, MIDNIGHT.plusSeconds(15)))
                .containsExactly(MIDNIGHT.plusSeconds(7), MIDNIGHT.plusSeconds(14));
    }

    @Test
    void a_closed_day_is_skipped_or_gives_its_time_away() {
        assertThat(days(onDay("9", "SKIP", NINTH))).isEmpty();
        assertThat(days(onDay("9", "NEXT", NINTH))).containsExactly(10);
        assertThat(days(onDay("9", "NEXT", closed("", "2026-03-09..2026-03-11"))))
                .containsExactly(12);
        assertThat(days(onDay("9", "PREVIOUS", NINTH))).containsExactly(8);
        assertThat(days(onDay("9", "RUN", NINTH))).containsExactly(9);
        assertThat(days(onDay("*", "NEXT", NINTH))).containsExactly(6, 7, 8, 10, 11, 12, 13, 14);
    }

    @Test
    void open_days_of_a_month_are_counted() {
        assertThat(days(onDay("9B", "RUN", NINTH))).containsExactly(10);
        assertThat(days(onDay("8B", "RUN", NINTH))).containsExactly(8);
    }

    @Test
    void yearly_dates_weekdays_and_what_is_open_all_the_same() {
        assertThat(days(onDay("*", "SKIP", closed("", "--03-09"))))
                .doesNotContain(9)
                .hasSize(8);
        Set<String> week = DrawnCalendar.everyDay();
        week.remove("SUN");
        DrawnCalendar noSundays = new DrawnCalendar("", week, List.of("2026-03-09"), List.of("2026-03-09"));
        assertThat(days(onDay("*", "SKIP", noSundays))).doesNotContain(8).hasSize(8);
        assertThat(DrawnCalendar.of(noSundays.json())).isEqualTo(noSundays);
    }

    @Test
    void a_calendar_may_have_a_zone_of_its_own() {
        assertThat(days(onDay("9", "SKIP", closed("Etc/GMT-13", "2026-03-10")))).isEmpty();
        assertThat(days(onDay("9", "SKIP", closed("Etc/GMT-11", "2026-03-10")))).containsExactly(9);
    }
}
