package dev.rowlock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job's schedule between its start and its end. */
class JobScheduleTest {

    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:10.500Z");
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final Instant END = Instant.parse("2026-03-03T00:00:00Z");

    private static JobSchedule schedule(String text) throws Exception {
        ObjectNode sent = (ObjectNode) new ObjectMapper()
                .readTree("{\"name\": \"a\", \"command\": \"x\", \"zone\": \"Europe/Berlin\", \"schedule\": \"" + text
                        + "\", \"startAt\": \"" + START + "\", \"endAt\": \"" + END + "\"}");
        return JobSchedule.of(StoredDefinition.parse(sent).definition(), CREATED);
    }

    private static long walked(JobSchedule schedule, Instant after, Instant until) {
        long count = 0;
        Optional<Instant> next = schedule.nextAfter(after);
        while (next.isPresent() && !next.get().isAfter(until)) {
            count++;
            next = schedule.nextAfter(next.get());
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0 * * * *", "@every 7m", "@at 2026-03-01T00:00:00Z", "@at 2026-03-03T00:00:00Z", "@manual"})
    void counting_is_the_same_as_walking(String text) throws Exception {
        JobSchedule schedule = schedule(text);
        for (int a = -1; a <= 4; a++) {
            for (int b = -1; b <= 4; b++) {
                for (Duration off : new Duration[] {Duration.ofMillis(-1), Duration.ZERO, Duration.ofNanos(1)}) {
                    Instant after = START.plus(Duration.ofDays(a)).plus(off);
                    Instant until = START.plus(Duration.ofDays(b));
                    assertThat(schedule.countBetween(after, until))
                            .as("%s from %s until %s", text, after, until)
                            .isEqualTo(walked(schedule, after, until));
                }
            }
        }
    }

    @Test
    void it_depends_on_the_rules_of_its_zone_as_its_expression_does() throws Exception {
        assertThat(schedule("0 3 * * *").isZoned()).isTrue();
        assertThat(schedule("@every 5m").isZoned()).isFalse();
    }
}
