package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said to somebody who has the habits of another cron. */
class OtherHabitsTest {

    private static final Instant FROM = Instant.parse("2026-11-27T00:00:00Z");

    private static Schedule read(String text) {
        return Schedule.parse(text, ZoneId.of("UTC"), DaylightSaving.SHIFT, FROM);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '\0', textBlock = """
            0 0/60 * * * ? *     => did you mean "0 0 * * * ? *"?
            */60 * * * *         => did you mean "0 * * * *"?
            0 */24 * * *         => did you mean "0 0 * * *"?
            H H * * 1            => stands for a random value elsewhere: write one value, and let jitter spread the starts
            H/15 * * * *         => let jitter spread the starts
            H(0-29) 3 * * *      => let jitter spread the starts
            R R * * *            => let jitter spread the starts
            ~ * * * *            => let jitter spread the starts
            0 0~5 * * *          => let jitter spread the starts
            0~30/5 * * * *       => let jitter spread the starts
            "0 4 * * *"          => did you mean "0 4 * * *", without the quotes?
            '0 4 * * *           => did you mean "0 4 * * *", without the quotes?
            0 3 1 1 ? 2050       => six fields have seconds first: with the year last write seven, "0 0 3 1 1 ? 2050"
            0 12 * * ? *         => six fields have seconds first: with the year last write seven, "0 0 12 * * ? *"
            0 0 31 2 *           => for a job that runs only when asked for write @manual
            """)
    void what_is_refused_names_what_was_meant(String text, String remedy) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(ScheduleProblem.class).hasMessageContaining(remedy);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            */15 * * * * *  => it fires 4 times a minute, as the first of six or seven fields is the second; where the
            * */15 * * * *  => it fires 60 times a minute, as the first of six or seven fields is the second; for once
            * 16 * * *      => it fires in each of the 60 minutes of that hour
            0 16 * * *      =>
            * * * * *       =>
            * 9-17 * * *    =>
            30 */5 * * * *  =>
            """)
    void a_star_too_many_is_a_warning(String text, String warning) {
        if (warning == null) {
            assertThat(read(text).warnings(FROM)).isEmpty();
        } else {
            assertThat(read(text).warnings(FROM)).anyMatch(said -> said.contains(warning));
        }
    }

    @ParameterizedTest
    @CsvSource({"EST, 05:00", "MST, 07:00", "HST, 10:00", "ROC, 2026-11-27T16:00"})
    void old_names_of_zones_are_zones(String zone, String midnight) {
        assertThat(read("TZ=" + zone + " 0 0 * * *")
                        .nextAfter(FROM)
                        .map(Instant::toString)
                        .orElse(""))
                .contains(midnight);
    }

    /** Schedules of which others have reported that they fire at the wrong time. */
    @ParameterizedTest
    @CsvFileSource(
            resources = "asked.tsv",
            delimiter = '\t',
            quoteCharacter = '\0',
            numLinesToSkip = 1,
            encoding = "UTF-8")
    void what_others_get_wrong_is_right(String text, String zone, Instant from, DaylightSaving rule, String next) {
        Schedule schedule = Schedule.parse(text, ZoneId.of(zone), rule, from);
        Instant after = from;
        for (String time : next.split(" ", -1)) {
            after = schedule.nextAfter(after).orElseThrow();
            assertThat(after).isEqualTo(Instant.parse(time));
        }
    }
}
