package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The job is at version 9 and has schedule A; one fire time was cancelled. */
class CancelledFireTimesTest {

    private static final Instant T = Instant.parse("2026-01-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        // cancelled in, schedules of versions 8, 7, …, still withdrawn
        "7, B A, false", // it was the same, but another lay in between
        "8, B A, false",
        "7, A B, false",
        "8, A B, true",
        "7, A A, true",
        "6, A A, false", // versions that are not known any more may have been others
        "9, B B, true",
        "9, '',  true",
        "8, '',  false",
    })
    void it_stays_so_under_the_schedule_that_was_in_force(int version, String schedules, boolean withdrawn) {
        List<String> earlier = schedules.isEmpty() ? List.of() : List.of(schedules.split(" "));

        assertThat(CancelledFireTimes.of(Map.of(T, version), 9, earlier, "A"::equals)
                        .contains(T))
                .isEqualTo(withdrawn);
    }
}
