package dev.rowlock.cli.systemd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.cli.systemd.CalendarText.NotCron;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OnCalendar= as cron expressions, and that both mean the same times. */
class CalendarTextTest {

    private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");
    private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
    private static final Pattern NEXT = Pattern.compile("(?:Next elapse|Iter\\. #[0-9]+): \\w+ ([0-9-]+ [0-9:]+) UTC");
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private static final String MEANT = """
            minutely                          => 0 * * * * *
            hourly                            => 0 0 * * * *
            Daily                             => 0 0 0 * * *
            weekly                            => 0 0 0 * * MON
            monthly                           => 0 0 0 1 * *
            quarterly                         => 0 0 0 1 1,4,7,10 *
            semiannually                      => 0 0 0 1 1,7 *
            annually                          => 0 0 0 1 1 *
            *-*-* 03:17:00                    => 0 17 3 * * *
            03:17                             => 0 17 3 * * *
            *:0/15                            => 0 0/15 * * * *
            *:*:00/10                         => 0/10 * * * * *
            *-*-* *:*:*                       => * * * * * *
            Mon..Fri *-*-* 22:30              => 0 30 22 * * MON-FRI
            Mon,Wed..Fri,Sunday 06,18:00      => 0 0 6,18 * * MON,WED-FRI,SUN
            Sat                               => 0 0 0 * * SAT
            Mon..Sun *-*-05 00:00             => 0 0 0 5 * *
            *-*-01,15 4:05:06                 => 6 5 4 1,15 * *
            *-06..09-* 12:00                  => 0 0 12 * 6-9 *
            10-15 04:00                       => 0 0 4 15 10 *
            2030-02-28 00:00                  => 0 0 0 28 2 * 2030
            2027..2029-*-1/10 01:00           => 0 0 1 1/10 * * 2027-2029
            *-*-* 09..17/2:30                 => 0 30 9-17/2 * * *
            *-*~01 23:00                      => 0 0 23 L * *
            *-*~3 00:00                       => 0 0 0 L-2 * *
            *-*~03/1 00:00                    => 0 0 0 L-2,L-1,L * *
            *-02~1,2                          => 0 0 0 L,L-1 2 *
            Mon *-*~07/1                      => 0 0 0 * * MONL
            Fri,Sat *-*-08..14 18:00          => 0 0 18 * * FRI#2,SAT#2
            """;

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = MEANT)
    void an_expression_becomes_one_of_cron(String calendar, String schedule) throws NotCron {
        assertThat(CalendarText.parse(calendar)).isEqualTo(new CalendarText(schedule, null));
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = MEANT)
    void both_mean_the_same_times(String calendar, String schedule) throws Exception {
        assumeTrue(Files.isExecutable(ANALYZE), "there is no systemd-analyze here to compare with");
        ProcessBuilder builder = new ProcessBuilder(
                        ANALYZE.toString(),
                        "calendar",
                        "--iterations=8",
                        "--base-time=2026-01-01 00:00:00 UTC",
                        calendar)
                .redirectErrorStream(true);
        builder.environment().put("TZ", "UTC");
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        List<Instant> theirs =
                NEXT.matcher(said).results().map(CalendarTextTest::instant).toList();
        List<Instant> ours = new ArrayList<>();
        Schedule parsed = Schedule.parse(schedule, ZoneId.of("UTC"), DaylightSaving.SHIFT, FROM);
        Instant next = FROM;
        for (int i = 0; i < theirs.size(); i++) {
            next = parsed.nextAfter(next).orElseThrow();
            ours.add(next);
        }
        assertThat(theirs).as(said).isNotEmpty().isEqualTo(ours);
    }

    private static Instant instant(MatchResult found) {
        return LocalDateTime.parse(found.group(1), LOCAL).toInstant(ZoneOffset.UTC);
    }

    @ParameterizedTest
    @CsvSource({
        "*-*-* 03:00 Europe/Berlin,         0 0 3 * * *,     Europe/Berlin",
        "Mon 10:00 UTC,                     0 0 10 * * MON,  UTC",
        "daily America/New_York,            0 0 0 * * *,     America/New_York",
        "Mon..Fri Asia/Tokyo,               0 0 0 * * MON-FRI, Asia/Tokyo",
    })
    void a_zone_may_follow(String calendar, String schedule, String zone) throws NotCron {
        assertThat(CalendarText.parse(calendar)).isEqualTo(new CalendarText(schedule, zone));
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            Mon *-*-13 00:00     => on days that match both MON and 13; here either would do
            Mon..Fri *-*-1..7    => on days that match both MON-FRI and 1..7
            Mon *-*~3            => on days that match both MON and ~3
            @1700000000          => is not understood
            *-*-* 03:00:00.5     => has no counterpart
            sometimes            => is not understood as days of the week
            *-*-* 03:00 Berlin   => is not understood
            *-*~40               => is out of range
            """)
    void what_cron_cannot_say_is_not_carried_over(String calendar, String why) {
        String said = "nothing";
        try {
            CalendarText.parse(calendar);
        } catch (NotCron e) {
            said = String.valueOf(e.getMessage());
        }
        assertThat(said).contains(why);
    }
}
