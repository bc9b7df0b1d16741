package dev.rowlock.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.nodes.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BodyRoomTest {

    private static final Duration LONG = Duration.ofSeconds(50);
    private static final int FREE = BodyRoom.FREE;

    private static BodyRoom room(long bytes, Duration patience) {
        return new BodyRoom(bytes, patience);
    }

    @Test
    void only_what_has_come_beyond_the_beginning_is_taken_and_all_of_it_is_given_back() {
        BodyRoom room = room(10_000, Duration.ZERO);
        try (BodyRoom.Arriving one = room.begin()) {
            one.grow(FREE);
            assertThat(room.taken()).isZero();
            one.grow(1);
            one.grow(5_999);
            assertThat(room.taken()).isEqualTo(6_000);
            try (BodyRoom.Arriving other = room.begin()) {
                other.grow(FREE + 4_000);
                assertThat(room.taken()).isEqualTo(10_000);
            }
            assertThat(room.taken()).isEqualTo(6_000);
        }
        assertThat(room.taken()).isZero();
    }

    @Test
    void one_that_finds_too_little_is_refused_after_a_while_and_small_ones_still_pass() {
        BodyRoom room = room(10_000, Duration.ofMillis(20));
        try (BodyRoom.Arriving one = room.begin();
                BodyRoom.Arriving other = room.begin();
                BodyRoom.Arriving small = room.begin()) {
            one.grow(FREE + 8_000);
            assertThatThrownBy(() -> other.grow(FREE + 4_000))
                    .isInstanceOf(Refused.class)
                    .hasMessageContaining("try again")
                    .extracting(e -> ((Refused) e).reason())
                    .isEqualTo(Refused.Reason.BUSY);
            small.grow(FREE);
        }
        assertThat(room.taken()).isZero();
    }

    @Test
    void one_that_is_larger_than_all_of_it_gets_all_of_it() {
        BodyRoom room = room(10_000, Duration.ZERO);
        try (BodyRoom.Arriving one = room.begin()) {
            one.grow(1_000_000);
            one.grow(1_000_000);
            assertThat(room.taken()).isEqualTo(10_000);
        }
        assertThat(room.taken()).isZero();
    }

    /** Both have half of it and want more: the second to say so is refused at once, and the first goes on. */
    @Test
    void those_that_would_wait_for_each_other_do_not() throws Exception {
        BodyRoom room = room(10_000, LONG);
        try (BodyRoom.Arriving one = room.begin()) {
            one.grow(FREE + 5_000);
            CompletableFuture<Void> first;
            try (BodyRoom.Arriving other = room.begin()) {
                other.grow(FREE + 5_000);
                AtomicReference<Thread> waiting = new AtomicReference<>(Thread.currentThread());
                first = CompletableFuture.runAsync(() -> {
                    waiting.set(Thread.currentThread());
                    one.grow(1_000);
                });
                Until.holds(LONG, "one that waits", () -> waiting.get().getState() == Thread.State.TIMED_WAITING);
                assertThatThrownBy(() -> other.grow(1_000)).isInstanceOf(Refused.class);
            }
            first.get();
            assertThat(room.taken()).isEqualTo(6_000);
        }
    }

    /** Each either gets all it wants or is refused; nothing is lost, and there is never more in use than there is. */
    @Test
    void many_at_once_never_take_more_than_there_is() {
        BodyRoom room = room(64 << 10, LONG);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 2_000; n++) {
                    arrive(room);
                }
            }));
        }
        all.forEach(CompletableFuture::join);
        assertThat(room.taken()).isZero();
    }

    private static void arrive(BodyRoom room) {
        try (BodyRoom.Arriving body = room.begin()) {
            int pieces = ThreadLocalRandom.current().nextInt(8);
            for (int i = 0; i < pieces; i++) {
                body.grow(8 << 10);
                assertThat(room.taken()).isBetween(0L, 64L << 10);
            }
        } catch (Refused e) {
            assertThat(e.reason()).isEqualTo(Refused.Reason.BUSY);
        }
    }
}
