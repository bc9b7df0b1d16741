package dev.rowlock.schedule;

import static dev.rowlock.schedule.calendar.OnClosed.NEXT;
import static dev.rowlock.schedule.calendar.OnClosed.PREVIOUS;
import static dev.rowlock.schedule.calendar.OnClosed.RUN;
import static dev.rowlock.schedule.calendar.OnClosed.SKIP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.schedule.calendar.Calendar;
import dev.rowlock.schedule.calendar.CalendarDate;
import dev.rowlock.schedule.calendar.CalendarRule;
import dev.rowlock.schedule.calendar.OnClosed;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarSchedulesTest {

    private static final int CASES = 400;
    private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:00Z");
    private static final Set<DayOfWeek> WEEKDAYS = EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);

    /** Zones whose midnight is moved or skipped, that change by odd steps, or far from each other. */
    private static final List<ZoneId> ZONES = List.of(
                    "UTC",
                    "Europe/Berlin",
                    "America/New_York",
                    "America/Sao_Paulo",
                    "America/Havana",
                    "Asia/Beirut",
                    "Africa/Cairo",
                    "Asia/Tehran",
                    "Australia/Lord_Howe",
                    "Asia/Kathmandu",
                    "Pacific/Kiritimati",
                    "Pacific/Apia",
                    "America/Scoresbysund",
                    "Asia/Shanghai")
            .stream()
            .map(ZoneId::of)
            .toList();

    private final long seed = Long.getLong("rowlock.seed", 25_12L);
    private Random random = new Random(seed);

    private static Calendar calendar(Set<DayOfWeek> week, List<String> closed, List<String> open, String zone) {
        return new Calendar(
                "de-nw",
                week,
                closed.stream().map(date -> CalendarDate.parse(date, "")).toList(),
                open.stream().map(date -> CalendarDate.parse(date, "")).toList(),
                zone.isEmpty() ? null : ZoneId.of(zone),
                null);
    }

    private static Schedule berlin(String text, OnClosed onClosed, Calendar calendar) {
        return Schedule.parse(
                text,
                ZoneId.of("Europe/Berlin"),
                DaylightSaving.SHIFT,
                ANCHOR,
                new CalendarRule(List.of(calendar), onClosed));
    }

    private static List<String> first(Schedule schedule, String after, int count) {
        List<String> times = new ArrayList<>();
        Optional<Instant> next = schedule.nextAfter(Instant.parse(after));
        while (next.isPresent() && times.size() < count) {
            times.add(LocalDateTime.ofInstant(next.get(), schedule.zone()).toString());
            next = schedule.nextAfter(next.get());
        }
        return times;
    }

    private static final Calendar CHRISTMAS =
            calendar(WEEKDAYS, List.of("--12-25", "--12-26", "2026-12-24"), List.of("2026-12-26"), "");

    @Test
    void skip_leaves_out_what_falls_on_a_closed_day() {
        assertThat(first(berlin("0 3 * * *", SKIP, CHRISTMAS), "2026-12-22T12:00:00Z", 4))
                .containsExactly("2026-12-23T03:00", "2026-12-26T03:00", "2026-12-28T03:00", "2026-12-29T03:00");
    }

    @Test
    void next_moves_to_the_same_local_time_of_the_next_open_day_and_what_coincides_is_one() {
        assertThat(first(berlin("0 3 24,25,26 12 *", NEXT, CHRISTMAS), "2026-12-01T00:00:00Z", 3))
                .containsExactly("2026-12-26T03:00", "2027-12-24T03:00", "2027-12-27T03:00");
        assertThat(first(berlin("0 3 * * *", NEXT, CHRISTMAS), "2026-12-23T12:00:00Z", 2))
                .containsExactly("2026-12-26T03:00", "2026-12-28T03:00");
    }

    @Test
    void previous_moves_to_the_same_local_time_of_the_previous_open_day() {
        assertThat(first(berlin("0 3 25 12 *", PREVIOUS, CHRISTMAS), "2026-12-01T00:00:00Z", 2))
                .containsExactly("2026-12-23T03:00", "2027-12-24T03:00");
    }

    @Test
    void a_previous_that_would_lie_before_now_does_not_fire() {
        assertThat(first(berlin("0 3 25 12 *", PREVIOUS, CHRISTMAS), "2026-12-24T00:00:00Z", 1))
                .containsExactly("2027-12-24T03:00");
    }

    @Test
    void run_changes_nothing_and_counts_open_days() {
        assertThat(first(berlin("0 3 2B,LB,LB-1 12 *", RUN, CHRISTMAS), "2026-11-01T00:00:00Z", 3))
                .containsExactly("2026-12-02T03:00", "2026-12-30T03:00", "2026-12-31T03:00");
        assertThat(first(berlin("0 3 * * *", RUN, CHRISTMAS), "2026-12-24T12:00:00Z", 2))
                .containsExactly("2026-12-25T03:00", "2026-12-26T03:00");
    }

    @Test
    void a_moved_time_that_the_clocks_skip_or_repeat_follows_daylight_saving() {
        // The clocks go forward on Sunday 2026-03-29 at 02:00, back on Sunday 2026-10-25 at 03:00.
        Calendar sundays = calendar(EnumSet.of(DayOfWeek.SUNDAY), List.of(), List.of(), "");
        CalendarRule rule = new CalendarRule(List.of(sundays), NEXT);
        ZoneId zone = ZoneId.of("Europe/Berlin");
        Instant march = Instant.parse("2026-03-23T00:00:00Z");
        Instant october = Instant.parse("2026-10-19T00:00:00Z");
        Schedule shift = Schedule.parse("30 2 * * MON", zone, DaylightSaving.SHIFT, ANCHOR, rule);
        Schedule plain = Schedule.parse("30 2 * * MON", zone, DaylightSaving.PLAIN, ANCHOR, rule);
        assertThat(shift.nextAfter(march)).contains(Instant.parse("2026-03-29T01:00:00Z"));
        assertThat(plain.nextAfter(march)).contains(Instant.parse("2026-04-05T00:30:00Z"));
        assertThat(shift.countBetween(october, october.plusSeconds(7 * 86_400))).isEqualTo(1);
        assertThat(plain.countBetween(october, october.plusSeconds(7 * 86_400))).isEqualTo(2);
    }

    @Test
    void the_local_date_is_taken_in_the_zone_of_the_calendar_if_it_names_one() {
        Calendar shanghai = calendar(WEEKDAYS, List.of(), List.of(), "Asia/Shanghai");
        // 20:00 in Berlin is 03:00 of the next day in Shanghai: Friday's is Saturday's there, Sunday's is Monday's.
        assertThat(first(berlin("0 20 * * *", SKIP, shanghai), "2026-01-08T00:00:00Z", 3))
                .containsExactly("2026-01-08T20:00", "2026-01-11T20:00", "2026-01-12T20:00");
        assertThat(first(berlin("0 20 * * FRI", NEXT, shanghai), "2026-01-08T00:00:00Z", 1))
                .containsExactly("2026-01-11T20:00");
        Calendar own = calendar(WEEKDAYS, List.of(), List.of(), "");
        assertThat(first(berlin("0 20 * * *", SKIP, own), "2026-01-08T00:00:00Z", 3))
                .containsExactly("2026-01-08T20:00", "2026-01-09T20:00", "2026-01-12T20:00");
    }

    @Test
    void open_days_are_counted_by_the_time_of_day_where_a_calendar_has_dates_of_another_zone() {
        Calendar berlin = calendar(WEEKDAYS, List.of("2026-10-02"), List.of(), "Europe/Berlin");
        CalendarRule rule = new CalendarRule(List.of(berlin), SKIP);
        ZoneId shanghai = ZoneId.of("Asia/Shanghai");
        // 05:00 in Shanghai is 23:00 of the day before in Berlin: Monday's is Sunday's there, Saturday's is Friday's.
        Schedule early = Schedule.parse("0 5 1B,LB * *", shanghai, DaylightSaving.SHIFT, ANCHOR, rule);
        assertThat(first(early, "2026-02-27T00:00:00Z", 4))
                .containsExactly("2026-02-28T05:00", "2026-03-03T05:00", "2026-03-31T05:00", "2026-04-01T05:00");
        Schedule late = Schedule.parse("0 9 1B,LB * *", shanghai, DaylightSaving.SHIFT, ANCHOR, rule);
        assertThat(first(late, "2026-02-26T00:00:00Z", 4))
                .as("on the same dates in Berlin")
                .containsExactly("2026-02-27T09:00", "2026-03-02T09:00", "2026-03-31T09:00", "2026-04-01T09:00");
        assertThat(Schedule.parse(
                                "0 5 1B,LB * *",
                                shanghai,
                                DaylightSaving.SHIFT,
                                ANCHOR,
                                new CalendarRule(List.of(berlin), RUN))
                        .nextAfter(Instant.parse("2026-03-01T00:00:00Z")))
                .as("whatever becomes of closed days")
                .isEqualTo(early.nextAfter(Instant.parse("2026-03-01T00:00:00Z")));
    }

    @Test
    void every_takes_closed_dates_in_the_zone_of_its_line() {
        CalendarRule rule = new CalendarRule(List.of(calendar(WEEKDAYS, List.of(), List.of(), "")), SKIP);
        ZoneId utc = ZoneId.of("UTC");
        Instant friday = Instant.parse("2026-01-09T12:00:00Z");
        for (String prefix : List.of("CRON_TZ=Asia/Shanghai ", "TZ=Asia/Shanghai ")) {
            Schedule line = Schedule.parse(prefix + "@every 4h", utc, DaylightSaving.SHIFT, ANCHOR, rule);
            assertThat(line.zone()).isEqualTo(ZoneId.of("Asia/Shanghai"));
            assertThat(line.nextAfter(friday))
                    .as("16:00Z is Saturday there")
                    .contains(Instant.parse("2026-01-11T16:00:00Z"));
            assertThat(line.normalized()).isEqualTo("TZ=Asia/Shanghai @every 4h");
            assertThat(Schedule.parse(line.normalized(), utc, DaylightSaving.SHIFT, ANCHOR, rule))
                    .isEqualTo(line);
        }
        assertThat(Schedule.parse("@every 4h", utc, DaylightSaving.SHIFT, ANCHOR, rule)
                        .nextAfter(friday))
                .contains(Instant.parse("2026-01-09T16:00:00Z"));
    }

    @Test
    void every_skips_closed_dates() {
        Schedule schedule = berlin("@every 6h", SKIP, CHRISTMAS);
        assertThat(first(schedule, "2026-12-23T18:00:00Z", 2)).containsExactly("2026-12-26T01:00", "2026-12-26T07:00");
        assertThat(schedule.countBetween(Instant.parse("2026-12-21T23:00:00Z"), Instant.parse("2026-12-28T22:59:59Z")))
                .isEqualTo(4 * 4); // Tuesday, Wednesday, Saturday, Monday
    }

    @ParameterizedTest
    @CsvSource({"@every 1h, NEXT", "@every 1h, PREVIOUS"})
    void every_takes_skip_and_run_alone(String text, OnClosed onClosed) {
        assertThatThrownBy(() -> berlin(text, onClosed, CHRISTMAS))
                .isInstanceOf(ScheduleProblem.class)
                .hasMessageContaining("SKIP and RUN");
        assertThat(berlin(text, RUN, CHRISTMAS))
                .isEqualTo(Schedule.parse(text, ZoneId.of("Europe/Berlin"), DaylightSaving.SHIFT, ANCHOR));
    }

    @ParameterizedTest
    @ValueSource(strings = {"@manual", "@at 2026-12-25T03:00:00Z"})
    void at_and_manual_take_no_calendar(String text) {
        assertThatThrownBy(() -> berlin(text, SKIP, CHRISTMAS))
                .isInstanceOf(ScheduleProblem.class)
                .hasMessageContaining("takes no calendar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 3 1B * *", "0 3 LB * *", "0 3 LB-2 * *"})
    void counting_open_days_needs_a_calendar(String text) {
        assertThatThrownBy(() -> Schedule.parse(text, ZoneId.of("UTC"), DaylightSaving.SHIFT, ANCHOR))
                .isInstanceOf(ScheduleProblem.class)
                .hasMessageContaining("name one in calendar");
    }

    @ParameterizedTest
    @CsvSource({
        "'0 3 3b,lb-2,LB * *', '0 3 3B,LB,LB-2 * *', "
                + "'at 03:00 on the third open day, the last open day and the 2nd open day before the last open day of the month'"
    })
    void counted_open_days_are_written_in_one_way_and_described(String text, String normalized, String described) {
        Schedule schedule = berlin(text, RUN, CHRISTMAS);
        assertThat(schedule.normalized()).isEqualTo(normalized);
        assertThat(schedule.description()).startsWith(described).endsWith("; open days are those of de-nw");
        assertThat(berlin(normalized, RUN, CHRISTMAS)).isEqualTo(schedule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 3 0B * *", "0 3 32B * *", "0 3 LB-31 * *", "0 3 LB-0 * *", "0 3 B * *", "0 3 LBX * *"})
    void what_is_no_open_day_is_refused(String text) {
        assertThatThrownBy(() -> berlin(text, RUN, CHRISTMAS))
                .isInstanceOf(ScheduleProblem.class)
                .hasMessageStartingWith("day-of-month: ");
    }

    @Test
    void the_search_for_the_next_fire_time_ends_after_forty_years() {
        Calendar weekends = calendar(EnumSet.of(DayOfWeek.SATURDAY), List.of(), List.of("2026-01-01"), "");
        assertThat(berlin("0 3 * * MON", SKIP, weekends).nextAfter(ANCHOR)).isEmpty();
        assertThat(berlin("@every 1h", SKIP, calendar(Set.of(), List.of(), List.of("2026-01-01"), ""))
                        .nextAfter(Instant.parse("2026-02-01T00:00:00Z")))
                .isEmpty();
    }

    @Test
    void two_calendars_are_open_where_both_are() {
        Calendar mondays = calendar(EnumSet.of(DayOfWeek.MONDAY), List.of(), List.of(), "");
        Schedule schedule = Schedule.parse(
                "0 3 * * *",
                ZoneId.of("Europe/Berlin"),
                DaylightSaving.SHIFT,
                ANCHOR,
                new CalendarRule(List.of(calendar(WEEKDAYS, List.of("2026-01-05"), List.of(), ""), mondays), SKIP));
        assertThat(first(schedule, "2026-01-01T00:00:00Z", 2)).containsExactly("2026-01-12T03:00", "2026-01-19T03:00");
    }

    /** A line that was drawn, and what it means. */
    private record Drawn(String text, Schedule schedule, CalendarOracle oracle) {}

    @Test
    void every_drawn_schedule_fires_as_the_plain_evaluation_says() {
        int fired = 0;
        for (int i = 0; i < CASES; i++) {
            random = new Random(seed * 1_000 + i);
            Drawn drawn = draw();
            Instant from = drawnStart(drawn.oracle().zone());
            Instant until = from.plusSeconds(86_400L * (10 + random.nextInt(30)));
            String as = "case %d (seed %d): %s %s %s from %s"
                    .formatted(
                            i,
                            seed,
                            drawn.text(),
                            drawn.schedule(),
                            drawn.oracle().calendars(),
                            from);
            TreeSet<Instant> expected = drawn.oracle().fireTimes(from, until);
            TreeSet<Instant> found = new TreeSet<>();
            Optional<Instant> next = drawn.schedule().nextAfter(from);
            while (next.isPresent() && !next.get().isAfter(until)) {
                found.add(next.get());
                next = drawn.schedule().nextAfter(next.get());
            }
            assertThat(found).as(as).isEqualTo(expected);
            assertThat(drawn.schedule().countBetween(from, until)).as(as).isEqualTo(expected.size());
            assertThat(drawn.schedule().lastBetween(from, until))
                    .as(as)
                    .isEqualTo(expected.isEmpty() ? Optional.empty() : Optional.of(expected.last()));
            assertThat(drawn.schedule().lastBetween(from, until, 7))
                    .as(as)
                    .containsExactlyElementsOf(expected.stream()
                            .skip(Math.max(0, expected.size() - 7))
                            .toList());
            assertSeconds(drawn, expected, from, until, as);
            fired += expected.size();
        }
        assertThat(fired).isGreaterThan(50 * CASES);
    }

    private void assertSeconds(Drawn drawn, NavigableSet<Instant> expected, Instant from, Instant until, String as) {
        for (int i = 0; i < 20; i++) {
            long between = from.getEpochSecond() + 60;
            long minute = between + random.nextInt((int) (until.getEpochSecond() - between - 60));
            if (i % 2 == 0 && !expected.isEmpty()) {
                Instant near = expected.floor(Instant.ofEpochSecond(minute));
                minute = near == null || near.getEpochSecond() < between ? minute : near.getEpochSecond();
            }
            minute -= Math.floorMod(minute, 60L);
            long seconds = 0;
            for (Instant t : expected.subSet(Instant.ofEpochSecond(minute), Instant.ofEpochSecond(minute + 60))) {
                seconds |= 1L << (t.getEpochSecond() - minute);
            }
            assertThat(drawn.schedule().secondsOf(minute))
                    .as(as + " at " + minute)
                    .isEqualTo(seconds);
        }
    }

    private Drawn draw() {
        ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
        DaylightSaving rule = random.nextBoolean() ? DaylightSaving.SHIFT : DaylightSaving.PLAIN;
        OnClosed onClosed = List.of(SKIP, NEXT, PREVIOUS, RUN).get(random.nextInt(4));
        List<Calendar> calendars = new ArrayList<>();
        List<CalendarOracle.Days> days = new ArrayList<>();
        for (int i = random.nextInt(3) == 0 ? 2 : 1; i > 0; i--) {
            drawCalendar(calendars, days);
        }
        int second = random.nextInt(4) == 0 ? 30 : 0;
        String[] minutes = {"0", "30", "*/20", "59", "*/5", "15,45"};
        String[] hours = {"0", "3", "*", "23", "*/6", "2", "8-18"};
        int m = random.nextInt(minutes.length);
        int h = random.nextInt(hours.length);
        IntPredicate minute = List.<IntPredicate>of(
                        x -> x == 0,
                        x -> x == 30,
                        x -> x % 20 == 0,
                        x -> x == 59,
                        x -> x % 5 == 0,
                        x -> x == 15 || x == 45)
                .get(m);
        IntPredicate hour = List.<IntPredicate>of(
                        x -> x == 0,
                        x -> x == 3,
                        x -> true,
                        x -> x == 23,
                        x -> x % 6 == 0,
                        x -> x == 2,
                        x -> x >= 8 && x <= 18)
                .get(h);
        Predicate<LocalDateTime> time = t -> minute.test(t.getMinute()) && hour.test(t.getHour());
        int d = random.nextInt(DAYS.size());
        String text = (second == 0 ? "" : second + " ") + minutes[m] + " " + hours[h] + " " + DAYS.get(d);
        boolean followsWallClock = minutes[m].startsWith("*") || hours[h].startsWith("*");
        Schedule schedule = Schedule.parse(text, zone, rule, ANCHOR, new CalendarRule(calendars, onClosed));
        return new Drawn(
                text + " " + onClosed + " " + rule + " " + zone,
                schedule,
                new CalendarOracle(time, MEANT_DAYS.get(d), second, followsWallClock, zone, rule, days, onClosed));
    }

    private static final List<String> DAYS = List.of(
            "* * *",
            "1,15,31 * *",
            "* * FRI",
            "* * SAT,SUN",
            "2B * *",
            "LB * *",
            "LB-3,1B * *",
            "25-27 12 *",
            "5B * MON",
            "* 1,4,10 *");

    private static final List<BiPredicate<LocalDate, Predicate<LocalDate>>> MEANT_DAYS = List.of(
            (day, open) -> true,
            (day, open) -> day.getDayOfMonth() == 1 || day.getDayOfMonth() == 15 || day.getDayOfMonth() == 31,
            (day, open) -> day.getDayOfWeek() == DayOfWeek.FRIDAY,
            (day, open) -> day.getDayOfWeek().getValue() >= 6,
            (day, open) -> openDays(day, open).indexOf(day) == 1,
            (day, open) -> isBeforeLast(day, open, 0),
            (day, open) -> isBeforeLast(day, open, 3) || openDays(day, open).indexOf(day) == 0,
            (day, open) -> day.getMonthValue() == 12 && day.getDayOfMonth() >= 25 && day.getDayOfMonth() <= 27,
            (day, open) -> day.getDayOfWeek() == DayOfWeek.MONDAY
                    || openDays(day, open).indexOf(day) == 4,
            (day, open) -> Set.of(1, 4, 10).contains(day.getMonthValue()));

    private static List<LocalDate> openDays(LocalDate day, Predicate<LocalDate> open) {
        LocalDate first = day.withDayOfMonth(1);
        return first.datesUntil(first.plusMonths(1)).filter(open).toList();
    }

    private static boolean isBeforeLast(LocalDate day, Predicate<LocalDate> open, int n) {
        List<LocalDate> days = openDays(day, open);
        return days.size() > n && days.get(days.size() - 1 - n).equals(day);
    }

    private void drawCalendar(List<Calendar> calendars, List<CalendarOracle.Days> days) {
        Set<DayOfWeek> week = EnumSet.allOf(DayOfWeek.class);
        for (int i = random.nextInt(4); i > 0; i--) {
            week.remove(DayOfWeek.of(1 + random.nextInt(7)));
        }
        ZoneId zone = random.nextInt(3) == 0 ? ZONES.get(random.nextInt(ZONES.size())) : null;
        List<CalendarDate> closed = new ArrayList<>();
        List<LocalDate> closedDays = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            LocalDate from = LocalDate.of(2024 + random.nextInt(3), 1, 1).plusDays(random.nextInt(365));
            LocalDate to = from.plusDays(random.nextInt(3) == 0 ? random.nextInt(10) : 0);
            closed.add(CalendarDate.between(from.toString(), to.toString(), ""));
            from.datesUntil(to.plusDays(1)).forEach(closedDays::add);
        }
        List<MonthDay> everyYear = new ArrayList<>();
        for (String date : List.of("--12-25", "--12-26", "--12-31", "--01-01", "--02-29", "--03-30")) {
            if (random.nextInt(3) > 0) {
                closed.add(CalendarDate.parse(date, "every year"));
                everyYear.add(MonthDay.parse(date));
            }
        }
        List<CalendarDate> open = new ArrayList<>();
        List<LocalDate> openDays = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            LocalDate day = LocalDate.of(2024 + random.nextInt(3), 1, 1).plusDays(random.nextInt(365));
            open.add(CalendarDate.parse(day.toString(), ""));
            openDays.add(day);
        }
        calendars.add(new Calendar("drawn", week, closed, open, zone, null));
        days.add(new CalendarOracle.Days(week, closedDays, everyYear, openDays, zone));
    }

    /** Mostly about the end of a year, or a few days before a clock change; Samoa left out a whole day in 2011. */
    private Instant drawnStart(ZoneId zone) {
        Instant any = Instant.parse("2024-01-01T00:00:00Z").plusSeconds(random.nextInt(3 * 366 * 86_400));
        if (zone.getId().equals("Pacific/Apia")) {
            return Instant.parse("2011-12-20T11:00:00Z");
        }
        ZoneOffsetTransition change = zone.getRules().nextTransition(any);
        return switch (random.nextInt(4)) {
            case 0 ->
                Instant.parse((2024 + random.nextInt(3)) + "-12-15T00:00:00Z").plusSeconds(random.nextInt(86_400));
            case 1 -> any;
            default -> change == null ? any : change.getInstant().minusSeconds(random.nextInt(8 * 86_400));
        };
    }
}
