package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of {@code docs/schedules.md} are true, row by row. */
class DocumentedSchedulesTest {

    private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:10Z");
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    static List<List<String>> forms() throws IOException {
        return DocumentedTables.table("| Schedule | Fires |");
    }

    static List<List<String>> refusals() throws IOException {
        return DocumentedTables.table("| Schedule | Because |");
    }

    static List<List<String>> changes() throws IOException {
        return DocumentedTables.table("| Schedule | Rule |");
    }

    private static Schedule parse(String text) {
        return Schedule.parse(text, UTC, DaylightSaving.SHIFT, ANCHOR);
    }

    private static Optional<Instant> next(String text, String from) {
        return parse(text).nextAfter(Instant.parse(from));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void a_form_fires_as_documented(List<String> row) {
        Optional<Instant> expected =
                row.get(3).equals("never") ? Optional.empty() : Optional.of(Instant.parse(row.get(3)));
        assertThat(next(row.get(0), row.get(2))).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void a_refusal_is_documented(List<String> row) {
        assertThatThrownBy(() -> parse(row.get(0)))
                .isInstanceOf(ScheduleProblem.class)
                .hasMessageContaining(row.get(1));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void a_clock_change_does_what_is_documented(List<String> row) {
        Schedule schedule = Schedule.parse(row.get(0), BERLIN, DaylightSaving.valueOf(row.get(1)), ANCHOR);
        assertThat(between(schedule, "2026-03-29T01:00:00+01:00", "2026-03-29T04:00:00+02:00"))
                .isEqualTo(row.get(2));
        assertThat(between(schedule, "2026-10-25T01:00:00+02:00", "2026-10-25T04:00:00+01:00"))
                .isEqualTo(row.get(3));
    }

    private static String between(Schedule schedule, String from, String until) {
        List<String> times = new ArrayList<>();
        Optional<Instant> next =
                schedule.nextAfter(OffsetDateTime.parse(from).toInstant().minusNanos(1));
        while (next.isPresent()
                && next.get().isBefore(OffsetDateTime.parse(until).toInstant())) {
            LocalTime time = LocalTime.ofInstant(next.get(), BERLIN);
            times.add(time + BERLIN.getRules().getOffset(next.get()).getId());
            next = schedule.nextAfter(next.get());
        }
        return times.isEmpty() ? "none" : String.join(", ", times);
    }

    @Test
    void every_nickname_has_its_documented_fields() throws IOException {
        for (List<String> row : forms()) {
            String fields = row.get(1).split(";", -1)[0];
            if (row.get(0).startsWith("@") && fields.matches("[0-9*A-Z ]+")) {
                assertThat(parse(row.get(0)).normalized()).isEqualTo(fields);
            }
        }
        assertThat(parse("@annually")).isEqualTo(parse("@yearly"));
        assertThat(parse("@midnight")).isEqualTo(parse("@daily"));
    }
}
