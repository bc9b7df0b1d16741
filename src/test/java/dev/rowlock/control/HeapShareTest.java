package dev.rowlock.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HeapShareTest {

    private final AtomicInteger done = new AtomicInteger();

    @Test
    void who_finds_too_little_is_refused_after_a_while_and_served_when_it_is_given_back() {
        HeapShare heap = new HeapShare(10_240, Duration.ofMillis(50));

        heap.with(8_000, () -> {
            heap.with(2_000, done::incrementAndGet);
            heap.with(0, done::incrementAndGet);
            assertThatThrownBy(() -> heap.with(4_000, done::incrementAndGet))
                    .isInstanceOf(Refused.class)
                    .hasMessageContaining("try again")
                    .extracting(e -> ((Refused) e).reason())
                    .isEqualTo(Refused.Reason.BUSY);
        });
        heap.with(4_000, done::incrementAndGet);

        assertThat(done).hasValue(3);
    }

    @Test
    void what_a_request_does_not_need_any_more_is_for_others() {
        HeapShare heap = new HeapShare(10_240, Duration.ofMillis(50));

        try (HeapShare.Part part = heap.take(10_000)) {
            assertThatThrownBy(() -> heap.with(8_000, done::incrementAndGet)).isInstanceOf(Refused.class);
            part.keepOnly(2_000);
            part.keepOnly(9_000); // too late
            heap.with(8_000, done::incrementAndGet);
            assertThatThrownBy(() -> heap.with(9_000, done::incrementAndGet)).isInstanceOf(Refused.class);
        }
        heap.with(10_240, done::incrementAndGet);

        assertThat(done).hasValue(2);
    }

    @Test
    void a_part_is_given_back_also_by_work_that_fails() {
        HeapShare heap = new HeapShare(10_240, Duration.ofMillis(50));
        assertThatThrownBy(() -> heap.with(10_240, () -> {
                    throw new IllegalArgumentException("failed");
                }))
                .isInstanceOf(IllegalArgumentException.class);

        heap.with(10_240, done::incrementAndGet);
        assertThat(done).hasValue(1);
    }

    /** It gets all there is, and is then alone. */
    @Test
    void what_is_larger_than_all_of_it_waits_for_all_of_it() throws Exception {
        HeapShare heap = new HeapShare(10_240, Duration.ofSeconds(20));
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Thread other = new Thread(() -> heap.with(1_000, () -> {
            taken.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            done.incrementAndGet();
        }));
        other.start();
        taken.await();
        release.countDown();

        heap.with(1L << 40, () -> assertThat(done).hasValue(1));
        other.join();
    }
}
