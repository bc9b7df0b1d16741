package dev.rowlock.cli.ical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in the shapes that calendars of holidays are published in, made small. */
class IcalDatesTest {

    private static final LocalDate TODAY = LocalDate.of(2026, 3, 2);

    private static IcalDates read(String... lines) {
        return IcalDates.read(String.join("\r\n", lines) + "\r\n", TODAY, null);
    }

    private static IcalDates events(String... lines) {
        return read("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + String.join("\r\n", lines) + "\r\nEND:VCALENDAR");
    }

    private static String event(String... lines) {
        return "BEGIN:VEVENT\r\n" + String.join("\r\n", lines) + "\r\nEND:VEVENT";
    }

    private static LocalDate day(String text) {
        return LocalDate.parse(text);
    }

    @Test
    void google_writes_single_days_and_calls_some_an_observance() {
        IcalDates dates = read(
                "BEGIN:VCALENDAR",
                "PRODID:-//Google Inc//Google Calendar 70.9054//EN",
                "VERSION:2.0",
                "CALSCALE:GREGORIAN",
                "METHOD:PUBLISH",
                "X-WR-CALNAME:Holidays in Germany",
                "X-WR-TIMEZONE:UTC",
                "BEGIN:VEVENT",
                "DTSTART;VALUE=DATE:20261225",
                "DTEND;VALUE=DATE:20261226",
                "DTSTAMP:20260227T124316Z",
                "UID:20261225_fkk5cifj3vbsghnuahtfgo0m8c@google.com",
                "CLASS:PUBLIC",
                "DESCRIPTION:Public holiday",
                "STATUS:CONFIRMED",
                "SUMMARY:Christmas Day",
                "TRANSP:TRANSPARENT",
                "END:VEVENT",
                "BEGIN:VEVENT",
                "DTSTART;VALUE=DATE:20260214",
                "DTEND;VALUE=DATE:20260215",
                "DESCRIPTION:Observance\\nTo hide observances\\, go to Google Calendar Setting",
                " s > Holidays in Germany",
                "SUMMARY:Valentine's Day",
                "END:VEVENT",
                "END:VCALENDAR");

        assertThat(dates.days()).isEqualTo(Map.of(day("2026-12-25"), "Christmas Day"));
        assertThat(dates.leftOut()).isEqualTo(Map.of("that are called an observance, no public holiday", 1));
        assertThat(dates.knownUntil()).contains(day("2026-12-31"));
    }

    @Test
    void outlook_writes_midnights_of_its_zone_and_says_that_it_means_the_day() {
        IcalDates dates = read(
                "BEGIN:VCALENDAR",
                "PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN",
                "VERSION:2.0",
                "BEGIN:VTIMEZONE",
                "TZID:W. Europe Standard Time",
                "BEGIN:STANDARD",
                "DTSTART:16011028T030000",
                "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
                "TZOFFSETFROM:+0200",
                "TZOFFSETTO:+0100",
                "END:STANDARD",
                "END:VTIMEZONE",
                "BEGIN:VEVENT",
                "DTSTART;TZID=\"W. Europe Standard Time\":20261003T000000",
                "DTEND;TZID=\"W. Europe Standard Time\":20261004T000000",
                "SUMMARY;LANGUAGE=en-us:Day of German Unity\\, a holiday",
                "X-MICROSOFT-CDO-BUSYSTATUS:OOF",
                "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
                "END:VEVENT",
                "END:VCALENDAR");

        assertThat(dates.days()).isEqualTo(Map.of(day("2026-10-03"), "Day of German Unity, a holiday"));
        assertThat(dates.leftOut()).isEmpty();
    }

    @Test
    void apple_repeats_yearly_and_folds_lines() {
        IcalDates dates = read(
                "BEGIN:VCALENDAR",
                "PRODID:-//Apple Inc.//iCal 1.0//EN",
                "VERSION:2.0",
                "BEGIN:VEVENT",
                "DTSTAMP:20260101T000000Z",
                "UID:5c0a1b",
                "DTSTART;VALUE=DATE:20210101",
                "RRULE:FREQ=YEARLY",
                "SUMMARY;LANGUAGE=en:New ",
                " Year's Day",
                "X-APPLE-UNIVERSAL-ID:1",
                "BEGIN:VALARM",
                "ACTION:NONE",
                "TRIGGER;VALUE=DATE-TIME:19760401T005545Z",
                "END:VALARM",
                "END:VEVENT",
                "END:VCALENDAR");

        assertThat(dates.everyYear()).isEqualTo(Map.of(MonthDay.of(1, 1), "New Year's Day"));
        assertThat(dates.days()).isEmpty();
        assertThat(dates.knownUntil()).isEmpty();
    }

    @Test
    void national_authorities_write_lists_with_line_feeds_and_events_of_several_days() {
        List<String> lines = List.of(
                "BEGIN:VCALENDAR",
                "VERSION:2.0",
                "PRODID:uk.gov/GOVUK calendars",
                "BEGIN:VEVENT",
                "DTEND;VALUE=DATE:20260407",
                "DTSTART;VALUE=DATE:20260406",
                "SUMMARY:Easter Monday",
                "END:VEVENT",
                "BEGIN:VEVENT",
                "DTSTART;VALUE=DATE:20260216",
                "DURATION:P3D",
                "SUMMARY:Spring Festival",
                "END:VEVENT",
                "END:VCALENDAR");
        IcalDates dates = IcalDates.read(String.join("\n", lines), TODAY, null);

        assertThat(dates.days().keySet())
                .containsExactly(day("2026-02-16"), day("2026-02-17"), day("2026-02-18"), day("2026-04-06"));
    }

    @Test
    void exceptions_of_a_yearly_rule_are_left_out_day_by_day() {
        IcalDates dates = events(event(
                "DTSTART;VALUE=DATE:20250501",
                "RRULE:FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1",
                "EXDATE;VALUE=DATE:20270501,20280501",
                "SUMMARY:Labour Day"));

        assertThat(dates.everyYear()).isEmpty();
        assertThat(dates.days().keySet())
                .contains(day("2025-05-01"), day("2026-05-01"), day("2029-05-01"))
                .doesNotContain(day("2027-05-01"), day("2028-05-01"));
        assertThat(dates.knownUntil()).contains(day("2036-12-31"));
    }

    @Test
    void a_yearly_rule_may_name_a_weekday_an_end_or_a_count() {
        assertThat(events(event("DTSTART;VALUE=DATE:20251127", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"))
                        .days()
                        .keySet())
                .startsWith(day("2025-11-27"), day("2026-11-26"), day("2027-11-25"));
        assertThat(events(event("DTSTART;VALUE=DATE:20260525", "RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO;COUNT=2"))
                        .days()
                        .keySet())
                .containsExactly(day("2026-05-25"), day("2027-05-31"));
        assertThat(events(event("DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=YEARLY;UNTIL=20280601"))
                        .days()
                        .keySet())
                .containsExactly(day("2026-01-01"), day("2027-01-01"), day("2028-01-01"));
        assertThat(events(event("DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY;INTERVAL=4"))
                        .days()
                        .keySet())
                .containsExactly(day("2028-02-29"), day("2032-02-29"), day("2036-02-29"));
    }

    @Test
    void days_that_a_series_lists_beside_its_rule_are_taken() {
        IcalDates dates = events(event(
                "DTSTART;VALUE=DATE:20260401",
                "RRULE:FREQ=YEARLY;COUNT=2",
                "RDATE;VALUE=DATE:20260615,20280703",
                "RDATE;VALUE=PERIOD:20260810T000000/P1D"));

        assertThat(dates.days().keySet())
                .containsExactly(
                        day("2026-04-01"), day("2026-06-15"), day("2026-08-10"), day("2027-04-01"), day("2028-07-03"));
        assertThat(dates.knownUntil()).contains(day("2028-12-31"));
    }

    @Test
    void days_are_known_as_far_as_they_are_listed_whatever_rules_say_of_later_ones() {
        String easter = event("DTSTART;VALUE=DATE:20260406", "SUMMARY:Easter Monday");
        String fixed = event("DTSTART;VALUE=DATE:20211225", "RRULE:FREQ=YEARLY");
        String weekday = event("DTSTART;VALUE=DATE:20211125", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH");
        String once = event("DTSTART;VALUE=DATE:20250508");
        String ending = event("DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=YEARLY;UNTIL=20280601");

        assertThat(events(fixed, easter).knownUntil()).contains(day("2026-12-31"));
        assertThat(events(weekday, easter).knownUntil()).contains(day("2026-12-31"));
        assertThat(events(weekday).knownUntil()).contains(day("2036-12-31"));
        assertThat(events(ending).knownUntil()).contains(day("2028-12-31"));
        assertThat(events(fixed, once).knownUntil()).as("it is past").isEmpty();
        assertThat(events(once).knownUntil()).contains(day("2025-12-31"));
    }

    @Test
    void midnights_that_are_written_as_instants_are_the_days_of_their_zone() {
        String berlin = event("DTSTART:20261224T230000Z", "DTEND:20261225T230000Z", "SUMMARY:Christmas");
        String utc = event("DTSTART:20260501T000000Z", "DTEND:20260502T000000Z");
        String floating = event("DTSTART:20261003T000000", "DURATION:P1D");
        String file = "BEGIN:VCALENDAR\n" + String.join("\n", berlin, utc, floating) + "\nEND:VCALENDAR\n";

        assertThat(IcalDates.read(file, TODAY, ZoneId.of("Europe/Berlin"))
                        .days()
                        .keySet())
                .containsExactly(day("2026-05-01"), day("2026-10-03"), day("2026-12-25"));
        assertThat(events("X-WR-TIMEZONE:Europe/Berlin", berlin).days().keySet())
                .containsExactly(day("2026-12-25"));
        assertThat(IcalDates.read(file, TODAY, null).leftOut()).isEqualTo(Map.of("with a time of day", 1));
        assertThat(events(event(
                                "DTSTART:20261224T230000Z",
                                "DTEND:20261225T230000Z",
                                "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE"))
                        .days()
                        .keySet())
                .as("a midnight of some zone, all the same")
                .containsExactly(day("2026-12-25"));
        assertThat(IcalDates.read(
                                "BEGIN:VCALENDAR\n"
                                        + event(
                                                "DTSTART:20261224T230000Z",
                                                "DTEND:20261225T230000Z",
                                                "RRULE:FREQ=YEARLY;UNTIL=20281224T230000Z",
                                                "EXDATE:20271224T230000Z")
                                        + "\nEND:VCALENDAR",
                                TODAY,
                                ZoneId.of("Europe/Berlin"))
                        .days()
                        .keySet())
                .containsExactly(day("2026-12-25"), day("2028-12-25"));
    }

    @Test
    void a_rule_that_begins_later_or_depends_on_leap_years_is_written_out() {
        IcalDates later = events(event("DTSTART;VALUE=DATE:20280601", "RRULE:FREQ=YEARLY"));
        assertThat(later.everyYear()).isEmpty();
        assertThat(later.days().keySet()).startsWith(day("2028-06-01")).hasSize(9);

        IcalDates leaping =
                events(event("DTSTART;VALUE=DATE:20260228", "DTEND;VALUE=DATE:20260302", "RRULE:FREQ=YEARLY"));
        assertThat(leaping.everyYear()).isEmpty();
        assertThat(leaping.days().keySet())
                .contains(day("2027-03-01"), day("2028-02-29"))
                .doesNotContain(day("2028-03-01"));
    }

    @Test
    void a_series_that_is_over_is_left_out_and_told() {
        assertThat(events(
                                event("DTSTART;VALUE=DATE:20260101"),
                                event("DTSTART;VALUE=DATE:20200103", "RRULE:FREQ=YEARLY;UNTIL=20220601"),
                                event("DTSTART:20260601T000000Z", "DTEND:20260601T120000Z"),
                                event("DTSTART:20260601T000000Z"))
                        .leftOut())
                .isEqualTo(Map.of("before 2025", 1, "with a time of day", 2));
    }

    @Test
    void what_is_left_out_is_told() {
        String kept = event("DTSTART;VALUE=DATE:20260101", "SUMMARY:New Year");
        Map<String, Integer> leftOut = events(
                        kept,
                        event("DTSTART:20260101T090000Z", "DTEND:20260101T100000Z"),
                        event("DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=WEEKLY"),
                        event("DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=MONTHLY"),
                        event("DTSTART;VALUE=DATE:20200105"),
                        event("DTSTART;VALUE=DATE:20260105", "STATUS:CANCELLED"),
                        event("SUMMARY:nothing"))
                .leftOut();

        assertThat(leftOut)
                .isEqualTo(Map.of(
                        "with a time of day", 1,
                        "that repeat in another way than yearly", 2,
                        "before 2025", 1,
                        "called off", 1,
                        "without a day", 1));
        assertThat(IcalDates.sentence(Map.of("called off", 2))).isEqualTo("2 events called off");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html><body>404</body></html>",
                "date;name\n2026-12-25;Christmas",
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225",
                "BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR",
                "BEGIN:VCALENDAR\nthis is no property\nEND:VCALENDAR",
                "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR",
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225T090000Z\nEND:VEVENT\nEND:VCALENDAR",
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261345\nEND:VEVENT\nEND:VCALENDAR"
            })
    void what_is_no_calendar_of_days_is_refused(String text) {
        assertThatThrownBy(() -> IcalDates.read(text, TODAY, null)).isInstanceOf(WrongIcal.class);
    }

    @Test
    void the_names_of_several_events_of_one_day_do_not_make_two_dates() {
        IcalDates dates = events(
                event("DTSTART;VALUE=DATE:20260501", "SUMMARY:Labour Day"),
                event("DTSTART;VALUE=DATE:20260501", "SUMMARY:May Day"));
        assertThat(List.copyOf(dates.days().values())).containsExactly("Labour Day");
        assertThat(dates.size()).isEqualTo(1);
    }
}
