package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code docs/schedules.md} says of Rowlock and of others: asked of Rowlock, and of those others that run here.
 */
class DifferencesTest {

    private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:10Z");
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final Instant NEVER = Instant.MAX;
    private static final int SAME_TIMES = 20; // Quartz looks a hundred years ahead

    /** One row; a row that begins with an ellipsis speaks of the one that the row above does. */
    private record Difference(String elsewhere, String schedule, Instant from, String there, String rowlock) {

        ZoneId zone() {
            return schedule.startsWith("TZ=") ? ZoneId.of(schedule.substring(3, schedule.indexOf(' '))) : UTC;
        }

        String fields() {
            return schedule.startsWith("TZ=") ? schedule.substring(schedule.indexOf(' ') + 1) : schedule;
        }
    }

    private static List<Difference> differences() throws IOException {
        List<Difference> differences = new ArrayList<>();
        String elsewhere = "";
        for (List<String> row : DocumentedTables.table("| Elsewhere |")) {
            String first = row.get(0).split(" ", -1)[0];
            elsewhere = first.equals("…") ? elsewhere : first;
            differences.add(new Difference(elsewhere, row.get(1), Instant.parse(row.get(2)), row.get(3), row.get(4)));
        }
        return differences;
    }

    static Stream<Difference> ofOthersThatRunHere() throws IOException {
        return differences().stream()
                .filter(row -> Arrays.stream(OtherCrons.values())
                        .anyMatch(other -> other.name().equalsIgnoreCase(row.elsewhere())));
    }

    static List<List<String>> sameness() {
        return List.of(
                List.of(
                        "Quartz",
                        "0 0 3 * * ?, 0 5/15 * * * ?, 0 0 3 L * ?, 0 0 3 L-2 * ?, 0 0 3 LW * ?, 0 0 3 1W * ?,"
                                + " 0 0 3 31W * ?, 0 0 3 1,15W * ?, 0 0 3 1,L * ?, 0 0 3 ? * FRIL, 0 0 3 ? * FRI#3,"
                                + " 0 0 3 ? NOV-FEB FRI-MON, 0 0 3 ? * MONDAY, 0 0 3 1 1 ? 2030-2032, 0 0 3 29 2 ?"),
                List.of(
                        "Spring",
                        "@daily, @hourly, @weekly, @monthly, @yearly, 0 0 3 * * ?, 0 5/15 * * * *, 0 0 3 * * 0,"
                                + " 0 0 3 * * 7, 0 0 3 * * 5-7, 0 0 3 * * MON#2, 0 0 3 * * FRIL, 0 0 3 * * 5L,"
                                + " 0 0 3 L * *, 0 0 3 L-2 * *, 0 0 3 LW * *, 0 0 3 1W * *, 0 0 3 1,L * *,"
                                + " 0 0 3 29 2 *"));
    }

    private static UnaryOperator<Optional<Instant>> rowlock(String text, ZoneId zone) {
        Schedule schedule = Schedule.parse(text, zone, DaylightSaving.SHIFT, ANCHOR);
        return from -> from.flatMap(schedule::nextAfter);
    }

    private static OtherCrons other(String name) {
        return OtherCrons.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static List<Instant> documentedTimes(String cell) {
        return Arrays.stream(cell.split(", ", -1))
                .map(time -> time.equals("never") ? NEVER : Instant.parse(time))
                .toList();
    }

    private static List<Instant> times(UnaryOperator<Optional<Instant>> cron, Instant from, int count) {
        return Stream.iterate(Optional.of(from), Optional::isPresent, cron)
                .skip(1)
                .limit(count)
                .map(Optional::orElseThrow)
                .toList();
    }

    private static void assertTimes(UnaryOperator<Optional<Instant>> cron, Instant from, String documented) {
        List<Instant> expected = documentedTimes(documented);
        List<Instant> times = times(cron, from, expected.size());
        assertThat(times.isEmpty() ? List.of(NEVER) : times).isEqualTo(expected);
    }

    static Stream<Difference> all() throws IOException {
        return differences().stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void rowlock_does_what_the_row_says(Difference row) {
        if (row.rowlock().startsWith("refused: ")) {
            assertThatThrownBy(() -> rowlock(row.schedule(), UTC))
                    .isInstanceOf(ScheduleProblem.class)
                    .hasMessageContaining(row.rowlock().substring("refused: ".length()));
        } else {
            assertTimes(rowlock(row.schedule(), UTC), row.from(), row.rowlock());
        }
    }

    @ParameterizedTest
    @MethodSource("ofOthersThatRunHere")
    void the_other_does_what_the_row_says(Difference row) throws Exception {
        OtherCrons other = other(row.elsewhere());
        if (row.there().startsWith("refused: ")) {
            assertThatThrownBy(() -> other.read(row.fields(), row.zone()))
                    .hasMessageContaining(row.there().substring("refused: ".length()));
        } else {
            assertTimes(other.read(row.fields(), row.zone()), row.from(), row.there());
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void a_row_is_a_difference(Difference row) {
        assertThat(row.there()).isNotBlank().isNotEqualTo(row.rowlock());
    }

    @ParameterizedTest
    @MethodSource("sameness")
    void these_fire_at_the_same_times_in_both(List<String> row) throws Exception {
        Instant from = Instant.parse("2026-03-10T12:03:17Z");
        for (String text : row.get(1).split(", ", -1)) {
            assertThat(times(rowlock(text, UTC), from, SAME_TIMES))
                    .as(text)
                    .isEqualTo(times(other(row.get(0)).read(text, UTC), from, SAME_TIMES));
        }
    }

    @Test
    void every_other_that_runs_here_is_asked() throws IOException {
        assertThat(ofOthersThatRunHere().map(Difference::elsewhere).distinct())
                .containsExactlyInAnyOrder("Quartz", "Spring");
        assertThat(sameness()).extracting(row -> row.get(0)).containsExactlyInAnyOrder("Quartz", "Spring");
    }
}
