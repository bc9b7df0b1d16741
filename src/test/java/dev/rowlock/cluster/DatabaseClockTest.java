package dev.rowlock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.support.ManualNanos;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DatabaseClockTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private final ManualNanos nanos = new ManualNanos();
    private final DatabaseClock clock = new DatabaseClock(nanos);

    @Test
    void it_goes_on_with_the_monotonic_clock() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(5));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void the_sample_with_the_smallest_round_trip_counts() {
        sample(NOON, Duration.ofMillis(2));
        assertThat(clock.now()).isEqualTo(NOON.plusMillis(1));
        nanos.advance(Duration.ofSeconds(2));
        Instant before = clock.now();
        sample(before.plusMillis(90), Duration.ofMillis(200));
        assertThat(Duration.between(before.plusMillis(200), clock.now()).abs()).isLessThan(Duration.ofMillis(1));
    }

    @Test
    void a_clock_that_was_set_is_believed_at_once() {
        sample(NOON, Duration.ofMillis(1));
        nanos.advance(Duration.ofSeconds(2));
        sample(NOON.minusSeconds(3600), Duration.ofMillis(50));
        assertThat(Duration.between(NOON.minusSeconds(3600), clock.now())).isLessThan(Duration.ofMillis(60));
    }

    @Test
    void an_old_sample_is_forgotten_however_good() {
        sample(NOON, Duration.ZERO);
        nanos.advance(Duration.ofSeconds(61));
        sample(NOON.plusSeconds(61), Duration.ofMillis(10));
        assertThat(clock.now()).isEqualTo(NOON.plusSeconds(61).plusMillis(5));
    }

    @Test
    void before_the_first_sample_there_is_no_time() {
        assertThat(clock.isKnown()).isFalse();
        assertThatThrownBy(clock::now).isInstanceOf(IllegalStateException.class);
    }

    /** The database read its clock when the question arrived; the answer took {@code roundTrip}. */
    private void sample(Instant shown, Duration roundTrip) {
        long asked = nanos.getAsLong();
        nanos.advance(roundTrip);
        clock.sample(shown, asked, nanos.getAsLong());
    }
}
