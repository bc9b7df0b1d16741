package dev.rowlock.schedule.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarTest {

    private static final Set<DayOfWeek> WEEKDAYS = EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);

    /** Law on Sundays and holidays of North Rhine-Westphalia (Feiertagsgesetz NW), § 2; Easter 2026 is 5 April. */
    private static final List<CalendarDate> NORTH_RHINE_WESTPHALIA_2026 = List.of(
            CalendarDate.parse("--01-01", "New Year"),
            CalendarDate.parse("2026-04-03", "Good Friday"),
            CalendarDate.parse("2026-04-06", "Easter Monday"),
            CalendarDate.parse("--05-01", "Labour Day"),
            CalendarDate.parse("2026-05-14", "Ascension"),
            CalendarDate.parse("2026-05-25", "Whit Monday"),
            CalendarDate.parse("2026-06-04", "Corpus Christi"),
            CalendarDate.parse("--10-03", "German Unity"),
            CalendarDate.parse("--11-01", "All Saints"),
            CalendarDate.parse("--12-25", "Christmas"),
            CalendarDate.parse("--12-26", "Second day of Christmas"));

    /** U.S. Office of Personnel Management, Federal Holidays, 2026: Independence Day is observed on a Friday. */
    private static final List<CalendarDate> UNITED_STATES_2026 = Stream.of(
                    "2026-01-01",
                    "2026-01-19",
                    "2026-02-16",
                    "2026-05-25",
                    "2026-06-19",
                    "2026-07-03",
                    "2026-09-07",
                    "2026-10-12",
                    "2026-11-11",
                    "2026-11-26",
                    "2026-12-25")
            .map(date -> CalendarDate.parse(date, ""))
            .toList();

    /** General Office of the State Council of China, notice of November 2024 on the holidays of 2025. */
    private static final List<CalendarDate> CHINA_2025 = List.of(
            CalendarDate.parse("2025-01-01", "New Year"),
            CalendarDate.between("2025-01-28", "2025-02-04", "Spring Festival"),
            CalendarDate.between("2025-04-04", "2025-04-06", "Qingming"),
            CalendarDate.between("2025-05-01", "2025-05-05", "Labour Day"),
            CalendarDate.between("2025-05-31", "2025-06-02", "Dragon Boat Festival"),
            CalendarDate.between("2025-10-01", "2025-10-08", "National Day and Mid-Autumn Festival"));

    private static final List<CalendarDate> CHINA_2025_WORKDAYS = Stream.of(
                    "2025-01-26", "2025-02-08", "2025-04-27", "2025-09-28", "2025-10-11")
            .map(date -> CalendarDate.parse(date, "Workday"))
            .toList();

    private static Calendar calendar(List<CalendarDate> closed, List<CalendarDate> open) {
        return new Calendar("test", WEEKDAYS, closed, open, null, null);
    }

    private static boolean isOpen(Calendar calendar, String day) {
        return calendar.isOpen(LocalDate.parse(day).toEpochDay());
    }

    @Test
    void a_german_year_has_its_published_working_days() {
        Calendar nw = calendar(NORTH_RHINE_WESTPHALIA_2026, List.of());
        assertThat(nw.openDaysOf(2026).cardinality()).isEqualTo(261 - 8); // three of the eleven are on weekends
        assertThat(nw.closedBy(LocalDate.parse("2026-12-25"))).contains("Christmas");
        assertThat(nw.closedBy(LocalDate.parse("2026-10-03"))).contains("German Unity");
        assertThat(nw.closedBy(LocalDate.parse("2026-10-04"))).contains("Sunday");
        assertThat(nw.closedBy(LocalDate.parse("2026-10-05"))).isEmpty();
    }

    @Test
    void an_american_year_has_its_published_working_days() {
        Calendar us = calendar(UNITED_STATES_2026, List.of());
        assertThat(us.openDaysOf(2026).cardinality()).isEqualTo(261 - 11);
        assertThat(isOpen(us, "2026-07-03")).isFalse();
        assertThat(isOpen(us, "2026-07-06")).isTrue();
    }

    @Test
    void a_chinese_year_has_its_published_working_days_with_opened_weekends() {
        Calendar china = calendar(CHINA_2025, CHINA_2025_WORKDAYS);
        assertThat(china.openDaysOf(2025).cardinality()).isEqualTo(248);
        assertThat(isOpen(china, "2025-09-28")).isTrue();
        assertThat(isOpen(china, "2025-10-08")).isFalse();
        assertThat(isOpen(china, "2025-10-11")).isTrue();
        assertThat(isOpen(china, "2025-10-12")).isFalse();
    }

    @Test
    void open_wins_over_closed_and_closed_over_week() {
        Calendar calendar = calendar(
                List.of(CalendarDate.between("2026-08-03", "2026-08-14", "Holidays")),
                List.of(CalendarDate.parse("2026-08-05", ""), CalendarDate.parse("2026-08-08", "")));
        assertThat(isOpen(calendar, "2026-08-04")).isFalse();
        assertThat(isOpen(calendar, "2026-08-05")).isTrue();
        assertThat(isOpen(calendar, "2026-08-08")).isTrue();
        assertThat(isOpen(calendar, "2026-08-14")).isFalse();
        assertThat(isOpen(calendar, "2026-08-17")).isTrue();
    }

    @Test
    void the_29th_of_february_is_a_day_of_leap_years_alone() {
        Calendar calendar = new Calendar(
                "test",
                EnumSet.allOf(DayOfWeek.class),
                List.of(CalendarDate.parse("--02-29", "")),
                List.of(),
                null,
                null);
        assertThat(isOpen(calendar, "2028-02-29")).isFalse();
        assertThat(isOpen(calendar, "2027-02-28")).isTrue();
        assertThat(isOpen(calendar, "2027-03-01")).isTrue();
        assertThat(calendar.openDaysOf(2027).cardinality()).isEqualTo(365);
        assertThat(calendar.openDaysOf(2028).cardinality()).isEqualTo(365);
    }

    @Test
    void a_range_may_cross_the_end_of_a_year() {
        Calendar calendar =
                calendar(List.of(CalendarDate.between("2026-12-24", "2027-01-06", "Between the years")), List.of());
        assertThat(calendar.openFrom(LocalDate.parse("2026-12-24").toEpochDay()))
                .isEqualTo(LocalDate.parse("2027-01-07").toEpochDay());
        assertThat(calendar.closedFrom(LocalDate.parse("2026-12-21").toEpochDay()))
                .isEqualTo(LocalDate.parse("2026-12-24").toEpochDay());
    }

    @Test
    void a_search_beyond_forty_years_answers_never() {
        Calendar calendar =
                new Calendar("test", Set.of(), List.of(), List.of(CalendarDate.parse("2026-12-24", "")), null, null);
        assertThat(calendar.openFrom(LocalDate.parse("2026-12-25").toEpochDay()))
                .isEqualTo(Calendar.NEVER);
        assertThat(calendar.openFrom(LocalDate.parse("1990-01-01").toEpochDay()))
                .isEqualTo(LocalDate.parse("2026-12-24").toEpochDay());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-29",
                "2026-13-01",
                "--02-30",
                "--13-01",
                "26-12-25",
                "2026-12-25T00:00",
                "Christmas",
                "",
                "-12-25",
                "+2026-12-25",
                "0000-01-01"
            })
    void what_is_no_date_is_refused(String text) {
        assertThatThrownBy(() -> CalendarDate.parse(text, ""))
                .isInstanceOf(DateTimeException.class)
                .hasMessageContaining("is not a date");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-12-25,2026-12-24,is before",
        "--12-25,2026-12-26,is not a date; from and to have a year",
        "2026-12-25,--12-26,is not a date; from and to have a year",
        "2026-12-25,2026-12-32,is not a date: there is no such day; from and to have a year"
    })
    void a_range_runs_forward_between_days(String from, String to, String problem) {
        assertThatThrownBy(() -> CalendarDate.between(from, to, ""))
                .isInstanceOf(DateTimeException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-12-25", "--12-25", "--02-29"})
    void a_date_is_written_as_it_was_read(String text) {
        assertThat(CalendarDate.parse(text, "").text()).isEqualTo(text);
    }
}
