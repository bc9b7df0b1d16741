package dev.rowlock.node.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.node.scheduler.Backlog.BacklogReason;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.ManualNanos;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a node says that it is behind, and that it is no longer. */
class BacklogTest {

    private final ManualNanos nanos = new ManualNanos();
    private final Backlog backlog = new Backlog(nanos, () -> 64);
    private final LogLines log = LogLines.of(Backlog.class);
    private Instant now = Instant.parse("2026-03-28T10:00:00Z");

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void it_is_said_once_when_it_lasts_and_once_when_it_is_over() {
        late(1, 2500, BacklogReason.PACE);
        late(1, 2600, BacklogReason.PACE);
        assertThat(log.texts()).isEmpty();
        late(10, 3200, BacklogReason.PACE);
        assertThat(log.texts())
                .singleElement()
                .asString()
                .startsWith(
                        "This node is behind: 7 tasks or more are due, the oldest for 3.2 s; more becomes due than");
        late(5, 1900, BacklogReason.PACE);
        late(20, 200, BacklogReason.PACE);
        assertThat(log.texts().subList(1, log.texts().size()))
                .containsExactly("This node has caught up after 17.0 s; what it started was up to 3.2 s late");
    }

    @Test
    void it_has_not_caught_up_while_it_falls_behind_again_and_again() {
        late(4, 2500, BacklogReason.SLOTS);
        for (int i = 0; i < 10; i++) {
            late(3, 100, BacklogReason.SLOTS);
            late(2, 700, BacklogReason.SLOTS);
        }

        assertThat(log.texts()).singleElement().asString().contains("none of its 64 slots is free", "node.capacity");
    }

    @Test
    void what_is_soon_over_is_not_said() {
        late(2, 90_000, BacklogReason.PACE);
        late(1, 1000, BacklogReason.PACE);
        late(2, 90_000, BacklogReason.PACE);
        late(10, 0, BacklogReason.PACE);

        assertThat(log.texts()).isEmpty();
    }

    @Test
    void what_waits_grows_older_until_nothing_does() {
        late(1, 1000, BacklogReason.SLOTS);

        assertThat(backlog.late(BacklogReason.SLOTS, now.plusMillis(500))).isEqualTo(Duration.ofMillis(2500));
        assertThat(backlog.late(BacklogReason.PACE, now)).isZero();
        assertThat(backlog.late(BacklogReason.SLOTS, now.minusSeconds(60))).isZero();

        backlog.nothing();
        assertThat(backlog.late(BacklogReason.SLOTS, now)).isZero();
    }

    /** For so many seconds the oldest is so late; then a second passes. */
    private void late(int seconds, int millis, BacklogReason reason) {
        for (int i = 0; i < seconds; i++) {
            backlog.observe(now.minusMillis(millis), reason, now, () -> 7);
            nanos.advance(Duration.ofSeconds(1));
            now = now.plusSeconds(1);
        }
    }
}
