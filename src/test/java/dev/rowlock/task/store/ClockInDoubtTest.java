package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.support.ManualNanos;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockInDoubtTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private final ManualNanos nanos = new ManualNanos();
    private final DatabaseClock clock = new DatabaseClock(nanos, () -> 0);

    @Test
    void a_node_that_has_not_read_the_clock_believes_nothing() {
        assertThatThrownBy(() -> ClockInDoubt.check(clock, NOON)).hasMessageContaining("try again");
    }

    /** What the node does not see before its next heartbeat, the transaction sees. */
    @Test
    void a_leap_is_seen_before_the_clock_is_read_again_and_its_end_too() {
        clock.sample(NOON, nanos.getAsLong(), nanos.getAsLong());
        assertThatCode(() -> ClockInDoubt.check(clock, NOON.plusSeconds(30))).doesNotThrowAnyException();
        assertThatThrownBy(() -> ClockInDoubt.check(clock, NOON.plusSeconds(3600)))
                .hasMessageContaining("2026-01-01T13:00:00Z")
                .hasMessageContaining("2026-01-01T12:00:00Z");
        clock.sample(NOON.plusSeconds(3600), nanos.getAsLong(), nanos.getAsLong());
        assertThatCode(() -> ClockInDoubt.check(clock, NOON)).doesNotThrowAnyException();
    }
}
