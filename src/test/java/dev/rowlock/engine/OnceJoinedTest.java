package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.cluster.Lease;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is done once, when a node has joined. */
class OnceJoinedTest {

    private final Lease lease = new Lease(() -> 0, Duration.ofSeconds(20));
    private final AtomicInteger done = new AtomicInteger();

    @Test
    void it_waits_for_the_session_and_is_done_once() {
        OnceJoined step = new OnceJoined(lease, done::incrementAndGet);

        assertThat(step.runOnce().rest()).isEqualTo(Duration.ofSeconds(1));
        assertThat(done).hasValue(0);
        lease.begin("s1", 0, 0);
        step.runOnce();
        assertThat(step.runOnce().rest()).isGreaterThan(Duration.ofHours(1));

        assertThat(done).hasValue(1);
    }

    @Test
    void what_fails_is_tried_again() {
        lease.begin("s1", 0, 0);
        OnceJoined step = new OnceJoined(lease, () -> {
            if (done.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
            }
        });

        assertThatThrownBy(step::runOnce).hasMessage("not yet");
        step.runOnce();
        step.runOnce();

        assertThat(done).hasValue(2);
    }
}
