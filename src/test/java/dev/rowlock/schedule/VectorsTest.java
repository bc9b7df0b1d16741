package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Facts about cron expressions from outside this project, row by row. */
class VectorsTest {

    record Vector(String expression, ZoneId zone, String from, String expected, String rule) {

        static Vector of(String row) {
            String[] cells = row.split("\t", -1);
            ZoneId zone = ZoneId.of(cells[1].isEmpty() ? "UTC" : cells[1]);
            return new Vector(cells[0], zone, cells[2], cells[3], cells[4]);
        }

        List<DaylightSaving> rules() {
            return rule.equals("any") ? List.of(DaylightSaving.values()) : List.of(DaylightSaving.valueOf(rule));
        }

        Schedule parse(DaylightSaving daylightSaving) {
            return Schedule.parse(expression, zone, daylightSaving, Instant.EPOCH);
        }

        Optional<Instant> nextFireTime(DaylightSaving daylightSaving) {
            Instant start = OffsetDateTime.parse(from).toInstant();
            try {
                return parse(daylightSaving).nextAfter(start);
            } catch (ScheduleProblem problem) {
                // What never fires at all is refused as early as when it is read.
                assertThat(problem).hasMessageContaining("never matches");
                return Optional.empty();
            }
        }
    }

    static List<Vector> refused() throws IOException {
        return rows(true);
    }

    static List<Vector> accepted() throws IOException {
        return rows(false);
    }

    private static List<Vector> rows(boolean invalid) throws IOException {
        List<Vector> vectors = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(VectorsTest.class.getResourceAsStream("vectors.tsv")),
                StandardCharsets.UTF_8))) {
            reader.lines().skip(1).map(Vector::of).forEach(vectors::add);
        }
        assertThat(vectors).hasSizeGreaterThan(2000);
        vectors.removeIf(vector -> vector.expected().equals("INVALID") != invalid);
        return vectors;
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void the_next_fire_time_is_the_expected_one(Vector vector) {
        Optional<Instant> expected = vector.expected().equals("NEVER")
                ? Optional.empty()
                : Optional.of(OffsetDateTime.parse(vector.expected()).toInstant());
        for (DaylightSaving rule : vector.rules()) {
            assertThat(vector.nextFireTime(rule)).as("under %s", rule).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("refused")
    void what_is_not_a_schedule_is_refused(Vector vector) {
        assertThatThrownBy(() -> vector.parse(DaylightSaving.SHIFT)).isInstanceOf(ScheduleProblem.class);
    }
}
