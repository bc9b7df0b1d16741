package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long FAST = Duration.ofMillis(10).toNanos();
    private static final long SLOW = Duration.ofSeconds(1).toNanos();

    @Test
    void batches_grow_while_they_are_brief_and_shrink_while_they_are_long_within_limits() {
        Pace pace = Pace.ofShortLocks();
        for (int i = 0; i < 10; i++) {
            pace.took(pace.rows(), FAST);
        }
        assertThat(pace.rows()).isEqualTo(1_000);
        for (int i = 0; i < 10; i++) {
            pace.took(pace.rows(), SLOW);
        }
        assertThat(pace.rows()).isEqualTo(50);
    }

    @Test
    void batches_whose_locks_nobody_wants_are_larger() {
        Pace pace = Pace.ofLargeBatches();
        for (int i = 0; i < 10; i++) {
            pace.took(pace.rows(), FAST);
        }
        assertThat(pace.rows()).isEqualTo(4_000);
    }

    @Test
    void it_rests_long_while_the_server_is_slow_unless_it_has_to_catch_up() {
        Pace pace = Pace.ofLargeBatches();
        Pace catchingUp = Pace.ofCatchingUp();
        pace.took(1_000, FAST);
        catchingUp.took(1_000, FAST);
        assertThat(pace.restAfter(FAST)).isEqualTo(Duration.ofNanos(FAST / 4));
        assertThat(catchingUp.restAfter(FAST)).isEqualTo(Duration.ofNanos(FAST / 4));

        pace.took(1_000, 3 * FAST);
        catchingUp.took(1_000, 3 * FAST);

        assertThat(pace.restAfter(FAST)).isEqualTo(Duration.ofNanos(3 * FAST));
        assertThat(catchingUp.restAfter(FAST)).isEqualTo(Duration.ofNanos(FAST));
    }
}
