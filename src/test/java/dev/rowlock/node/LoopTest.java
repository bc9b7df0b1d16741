package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a loop makes its next pass. */
class LoopTest {

    private static final Duration DEBOUNCE = Duration.ofSeconds(20);

    private final Semaphore passes = new Semaphore(0);
    private final Loops loops = new Loops(new Outage(System::nanoTime, Duration.ZERO), new Failures(System::nanoTime));

    @Test
    void what_somebody_waits_for_ends_most_of_the_debounce() throws InterruptedException {
        loops.add("step", this::pass, DEBOUNCE);
        loops.start();
        try (loops) {
            assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            loops.hurrying("step").run();
            long began = System.nanoTime();

            assertThat(passes.tryAcquire(15, TimeUnit.SECONDS)).isTrue();
            assertThat(System.nanoTime() - began)
                    .as("it still lets others come")
                    .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(300));
        }
    }

    private Pass pass() {
        passes.release();
        return Pass.rest(Duration.ofHours(1));
    }
}
