package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a schedule says to people: problems, warnings, descriptions, its normal form. */
class ScheduleWordsTest {

    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Schedule parse(String text) {
        return Schedule.parse(text, UTC, DaylightSaving.SHIFT, NOW);
    }

    private static Schedule inBerlin(String text, DaylightSaving rule) {
        return Schedule.parse(text, BERLIN, rule, NOW);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            61 * * * *              | minutes: "61" is out of range; allowed are 0–59
            0 24 * * *              | hours: "24" is out of range; allowed are 0–23
            0 3 * *                 | "0 3 * *" has 4 fields; needed are 5 (minute hour day-of-month month day-of-week), 6 with seconds first, or 7 with seconds first and year last; did you mean "0 3 * * *"?
            0 3 * * MON-FOO         | day-of-week: "FOO" is neither a number nor a name (in "MON-FOO"); allowed are 0–7 (0 and 7 are Sunday) or SUN–SAT
            @fortnightly            | did you mean "@every 14d"?
            @Daily                  | did you mean "@daily"?
            @every 5 minutes        | did you mean "@every 5m"?
            @every 90               | did you mean "@every 90s"?
            @every 500ms            | the shortest period is 1s
            @every 0s               | out of range; allowed are 1s to
            @reboot                 | no single start
            @daily 5                | "5" is too much; @daily stands alone
            @at 2026-12-01T03:00:00 | the offset from UTC is missing
            @at tomorrow            | allowed is ISO-8601 with an offset
            TZ=europe/berlin @daily | did you mean "Europe/Berlin"?
            TZ=Mars @daily          | TZ: "Mars" is not a time zone
            TZ=UTC                  | the schedule is empty
            +5 * * * *              | has a sign
            ٥ * * * *               | not written with the digits 0 to 9
            1,,2 * * * *            | has an empty item
            1, * * * *              | has an empty item
            30-10 * * * *           | runs backwards; write 10-30, or two ranges: 30-59,0-10
            */60 * * * *            | step as large as the field
            */0 * * * *             | no step after the slash
            5- * * * *              | lacks a value
            * ? * * *               | only in the day fields
            0 0 29-L * *            | did you mean "L-29"?
            0 0 5L * *              | nL belongs to the day-of-week field
            0 0 * * L               | needs a day, such as 5L
            0 0 * * MON#            | needs a number from 1 to 5 after #
            0 0 * * 1#7             | needs a number from 1 to 5 after #
            0 0 * * 7/2             | starts at Sunday as 7, where the week ends; write 0/2
            0 0 30 2 *              | never matches
            0 0 0 29 2 ? 2023       | never matches
            0 0 1 13 *              | month: "13" is out of range; allowed are 1–12 or JAN–DEC
            0 0 0 1 1 ? 1969        | year: "1969" is out of range; allowed are 1970–2099
            0 0 * * 6-1             | day-of-week: "6-1" runs backwards; ranges of names may: did you mean "SAT-MON"?
            0 0 * NOV-2 *           | month: "NOV-2" runs backwards; ranges of names may: did you mean "NOV-FEB"?
            0 23-5 * * *            | write 5-23, or two ranges: 23,0-5
            -1 * * * *              | minutes: "-1" has a sign
            0 0, 12 * * *           | minutes: "0," has an empty item; remove the extra comma, or the blank next to it
            0 3 * * * /bin/backup   | if "0 3 * * *" is meant, the rest belongs in command
            0 3 * * * root run --it | if "0 3 * * *" is meant, the rest belongs in command
            @every 1h 30m           | did you mean "@every 1h30m"?
            @every 1 hour and 30 minutes | did you mean "@every 1h30m"?
            @every 30m1h            | did you mean "@every 1h30m"?
            @every 1.5h             | did you mean "@every 1h30m"?
            @every 2 weeks          | did you mean "@every 14d"?
            @every 2 months         | months and years have no one length: write fields, such as 0 0 1 * *
            @every5m                | did you mean "@every 5m"?
            @every Day              | is not a period
            @weekday                | did you mean "0 0 * * MON-FRI"?
            @dayly                  | did you mean "@daily"?
            @at 2026-12-01 03:00:00Z | write a T between date and time
            TZ=Berlin @daily        | did you mean "Europe/Berlin"?
            TZ=Europe/Pariss @daily | did you mean "Europe/Paris"?
            tz=UTC @daily           | "tz=" is not a prefix; allowed are TZ= and CRON_TZ=, in capitals
            """)
    void a_refusal_names_the_field_and_the_remedy(String text, String message) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(ScheduleProblem.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            every day at 3am        | did you mean
            0 3 * * MON FRI         | belongs in command
            0 3 * * * FRI,FOO 2030  | did you mean
            @every                  | did you mean
            @every 99999999d        | did you mean
            @every 1.0001s          | did you mean
            TZ=Mars @daily          | did you mean
            """)
    void no_remedy_is_made_up(String text, String message) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(ScheduleProblem.class)
                .hasMessageNotContaining(message);
    }

    @Test
    void a_message_repeats_nothing_that_a_terminal_would_act_on() {
        assertThatThrownBy(() -> parse("\u001b[2J\u00a0 * * * *")).hasMessageContaining("<U+001B>[2J<U+00A0>");
        assertThatThrownBy(() -> parse("\u001b[2J * * *")).hasMessageNotContaining("\u001b");
        assertThatThrownBy(() -> parse("0 0 \u001b-L * *")).hasMessageNotContaining("\u001b");
    }

    @Test
    void a_message_stays_short_whatever_it_repeats() {
        assertThatThrownBy(() -> parse("0 0 * * " + "\ufffd".repeat(60) + "-1"))
                .message()
                .hasSizeLessThan(400);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '  0  3 * *\t*  '         | 0 3 * * *
            0 0 03 * * ?            | 0 3 * * *
            0 0 3 ? * * *           | 0 3 * * *
            30 0 3 * * *            | 30 0 3 * * *
            @daily                  | 0 0 * * *
            @weekly                 | 0 0 * * SUN
            0,15,30,45 * * * *      | 0,15,30,45 * * * *
            */15 * * * *            | */15 * * * *
            0/15 * * * *            | 0,15,30,45 * * * *
            */20,7 3 * * *          | */20,7 3 * * *
            0 0-23 * * *            | 0 0-23 * * *
            0 0 */1 * 1,2,3,5       | 0 0 * * MON-WED,FRI
            0 0 * * 0-7             | 0 0 * * *
            0 0 ? Nov-February Sat-Monday | 0 0 * 1,2,11,12 SUN,MON,SAT
            0 0 L,15W,1,LW,L-3 * *  | 0 0 1,15W,L,L-3,LW * *
            0 0 * * 5L,MON#2        | 0 0 * * MON#2,FRIL
            0 0 0 1 1 ? 2026-2028,2030 | 0 0 0 1 1 * 2026-2028,2030
            @every 90m              | @every 1h30m
            @every 36h              | @every 1d12h
            @at 2026-12-01T03:00:00+01:00 | @at 2026-12-01T02:00:00Z
            CRON_TZ=Asia/Tokyo @hourly | TZ=Asia/Tokyo 0 * * * *
            @manual                 | @manual
            TZ=Asia/Tokyo @every 5m | @every 5m
            TZ=Asia/Tokyo @manual   | @manual
            TZ=Asia/Tokyo @at 2026-12-01T03:00:00Z | @at 2026-12-01T03:00:00Z
            """)
    void equivalent_spellings_have_one_normal_form(String text, String normalized) {
        assertThat(parse(text).normalized()).isEqualTo(normalized);
        assertThat(parse(normalized)).isEqualTo(parse(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            */5 * * * *             | every 5 minutes, UTC time
            0 3 * * *               | at 03:00 every day, UTC time
            30 2 * * MON-FRI        | at 02:30 on every Monday, Tuesday, Wednesday, Thursday and Friday, UTC time
            0 0 13 * 5              | at 00:00 on day 13 of the month, and also on every Friday, UTC time
            0 0 1,L * *             | at 00:00 on day 1 and the last day of the month, UTC time
            0 0 15W,L-3,LW 1 *      | at 00:00 on the weekday nearest to day 15, the 3rd day before the last day and the last weekday of the month in January, UTC time
            0 0 * * 5L,MON#2        | at 00:00 on the second Monday of the month and the last Friday of the month, UTC time
            */10 * * * * *          | every 10 seconds, UTC time
            * 30 2 * * *            | at 02:30, every second of the minute, every day, UTC time
            0 0 0 1 1 ? 2026-2028   | at 00:00 on day 1 of the month in January in 2026 to 2028, UTC time
            0 0 L-1,L-11,L-22 * *   | at 00:00 on the day before the last day, the 11th day before the last day and the 22nd day before the last day of the month, UTC time
            0 0 13 JAN,FEB FRI      | at 00:00 on day 13 of the month, and also on every Friday; only in January and February, UTC time
            0 0 1-5,9 * *           | at 00:00 on days 1 to 5 and 9 of the month, UTC time
            12,14 * * * * *         | every minute, at seconds 12 and 14 of the minute, UTC time
            0-30 0 3 * * *          | at 03:00, at seconds 0 to 30 of the minute, every day, UTC time
            20 */12 * * *           | every 12 hours at minute 20 every day, UTC time
            * */12 * * *            | every minute at 0 and 12 hours every day, UTC time
            @every 1h30m            | every 1 hour 30 minutes, counted from 2026-01-01T00:00:00Z
            @at 2026-12-01T03:00:00+01:00 | once, at 2026-12-01T02:00:00Z
            @manual                 | only when asked for
            """)
    void a_description_says_what_is_done(String text, String description) {
        assertThat(parse(text).description()).isEqualTo(description);
    }

    @Test
    void a_step_that_starts_anew_each_hour_is_not_described_as_a_period() {
        assertThat(parse("*/7 * * * *").description()).doesNotContain("every 7").contains("56");
    }

    @Test
    void a_description_says_what_a_clock_change_does() {
        assertThat(inBerlin("30 2 * * *", DaylightSaving.SHIFT).description())
                .isEqualTo("at 02:30 every day, Europe/Berlin time;"
                        + " what the clocks skip fires at the jump, what they repeat fires the first time");
        assertThat(inBerlin("30 2 * * *", DaylightSaving.PLAIN).description())
                .endsWith("; what the clocks skip does not fire, what they repeat fires both times");
        assertThat(inBerlin("30 * * * *", DaylightSaving.SHIFT).description()).endsWith("Europe/Berlin time");
        assertThat(inBerlin("30 0-23 * * *", DaylightSaving.PLAIN).description())
                .endsWith("Europe/Berlin time");
        // Every hour by name is not the wall clock as it passes: the repeated hour is silent.
        assertThat(inBerlin("30 0-23 * * *", DaylightSaving.SHIFT).description())
                .endsWith("what they repeat fires the first time");
    }

    @Test
    void an_ordinary_schedule_has_no_warnings() {
        assertThat(parse("0 3 * * *").warnings(NOW)).isEmpty();
        assertThat(inBerlin("0 4 * * *", DaylightSaving.SHIFT).warnings(NOW)).isEmpty();
        // 03:00 is where the clocks arrive, and where they turn back: neither skipped nor repeated.
        assertThat(inBerlin("0 3 * * *", DaylightSaving.SHIFT).warnings(NOW)).isEmpty();
        assertThat(inBerlin("*/5 * * * *", DaylightSaving.SHIFT).warnings(NOW)).isEmpty();
        assertThat(parse("@every 5m").warnings(NOW)).isEmpty();
        assertThat(parse("0 0 */2 * *").warnings(NOW)).isEmpty();
    }

    @Test
    void a_fire_time_inside_a_clock_change_is_pointed_out() {
        assertThat(inBerlin("30 2 * * *", DaylightSaving.SHIFT).warnings(NOW))
                .containsExactly(
                        "on 2026-03-29 the clocks in Europe/Berlin go from 02:00 to 03:00: 02:30 fires at 03:00"
                                + " (daylightSaving SHIFT)",
                        "on 2026-10-25 the clocks in Europe/Berlin go back from 03:00 to 02:00: 02:30 fires only the"
                                + " first time (daylightSaving SHIFT)");
        assertThat(inBerlin("30 2 * * *", DaylightSaving.PLAIN).warnings(NOW))
                .anyMatch(w -> w.contains("02:30 does not fire (daylightSaving PLAIN)"))
                .anyMatch(w -> w.contains("02:30 fires twice (daylightSaving PLAIN)"));
        assertThat(inBerlin("*/20 2 * * *", DaylightSaving.SHIFT).warnings(NOW))
                .anyMatch(w ->
                        w.contains("02:00 does not fire (daylightSaving SHIFT: a minute or hour field that starts"));
    }

    @Test
    void a_schedule_of_every_hour_is_warned_of_a_change_that_it_does_not_go_along_with() {
        assertThat(inBerlin("30 0-23 * * *", DaylightSaving.SHIFT).warnings(NOW))
                .anyMatch(w -> w.contains("02:30 fires at 03:00"))
                .anyMatch(w -> w.contains("02:30 fires only the first time"));
        ZoneId halfAnHour = ZoneId.of("Australia/Lord_Howe");
        assertThat(Schedule.parse("15 * * * *", halfAnHour, DaylightSaving.SHIFT, NOW)
                        .warnings(NOW))
                .singleElement()
                .asString()
                .contains("from 02:00 to 02:30: 02:15 does not fire");
        assertThat(Schedule.parse("*/15 * * * *", halfAnHour, DaylightSaving.SHIFT, NOW)
                        .warnings(NOW))
                .isEmpty();
    }

    @Test
    void a_prefix_that_outweighs_the_zone_is_pointed_out() {
        assertThat(inBerlin("TZ=Asia/Tokyo 0 3 * * *", DaylightSaving.SHIFT).warnings(NOW))
                .containsExactly("the prefix TZ=Asia/Tokyo counts, and zone Europe/Berlin does not");
        assertThat(parse("TZ=Asia/Tokyo 0 3 * * *").warnings(NOW)).isEmpty();
        assertThat(inBerlin("TZ=Europe/Berlin 0 4 * * *", DaylightSaving.SHIFT).warnings(NOW))
                .isEmpty();
    }

    @Test
    void surprising_fields_are_pointed_out() {
        assertThat(parse("0 0 13 * 5").warnings(NOW)).singleElement().asString().contains("both restricted");
        assertThat(parse("0 0 3 ? * 1-7").warnings(NOW))
                .singleElement()
                .asString()
                .contains("in Quartz Sunday is 1");
        assertThat(parse("0 0 3 ? * MON,FRI#2,6").warnings(NOW))
                .singleElement()
                .asString()
                .contains("in Quartz Sunday is 1");
        assertThat(parse("0 0 31W 4-6 *").warnings(NOW))
                .containsExactly("there is no day 31 in April, June: it does not fire near it there;"
                        + " LW is the last weekday of every month");
        assertThat(parse("0 0 * * FRI#5").warnings(NOW))
                .containsExactly("a month that has only four of them has no FRI#5: it does not fire on it there;"
                        + " FRIL is the last one of every month");
        assertThat(parse("0 0 3 ? * MON#1").warnings(NOW)).isEmpty();
        assertThat(parse("0 0 3 * * *").warnings(NOW)).isEmpty();
        assertThat(parse("0 0 31 4-6 *").warnings(NOW))
                .containsExactly("there is no day 31 in April, June: it does not fire on it there;"
                        + " L is the last day of every month");
        assertThat(parse("0 0 29 * *").warnings(NOW)).singleElement().asString().contains("February of common years");
        assertThat(parse("0 0 0 1 1 ? 2020").warnings(NOW))
                .singleElement()
                .asString()
                .contains("never fires after");
        assertThat(parse("@at 2020-01-01T00:00:00Z").warnings(NOW))
                .singleElement()
                .asString()
                .contains("past");
    }
}
