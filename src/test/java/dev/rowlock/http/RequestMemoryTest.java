package dev.rowlock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.access.Crowded;
import dev.rowlock.http.RequestMemory.MemoryShare;
import dev.rowlock.nodes.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of 50,000 bytes a fifth is for small requests, a fifth for answers that are read, and the rest for large ones. */
@Timeout(60)
@SuppressWarnings("try") // parts are held, not used
class RequestMemoryTest {

    private static final Duration LONG = Duration.ofSeconds(50);
    private static final int LARGE = 30_000;

    private final RequestMemory hasty = new RequestMemory(50_000, Duration.ofMillis(20));
    private final RequestMemory patient = new RequestMemory(50_000, LONG);

    @Test
    void who_finds_too_little_is_refused_after_a_while_and_served_when_it_is_given_back() {
        try (MemoryShare one = hasty.take("a", 20_000);
                MemoryShare other = hasty.take("b", 8_000);
                MemoryShare nothing = hasty.take("c", 0)) {
            assertThatThrownBy(() -> hasty.take("c", 4_000))
                    .isInstanceOf(Refused.class)
                    .hasMessageContaining("try again")
                    .extracting(e -> ((Refused) e).reason())
                    .isEqualTo(Refused.Reason.BUSY);
        }
        assertIsFree(hasty);
    }

    @Test
    void large_requests_hold_up_no_small_ones() throws Exception {
        try (MemoryShare one = patient.take("a", 10_000)) {
            CompletableFuture<Void> all =
                    waiting(() -> patient.take("b", 1L << 40).close());
            for (int i = 0; i < 4; i++) {
                patient.take("c", 2_500).close();
            }
            CompletableFuture<Void> behind =
                    waiting(() -> patient.take("c", 5_000).close());
            assertThat(all).isNotDone();
            one.close();
            all.get();
            behind.get();
        }
        assertIsFree(patient);
    }

    /** Else one caller who asks for much again and again would keep all others waiting. */
    @Test
    void who_waits_for_an_own_part_stands_in_nobody_s_way() throws Exception {
        try (MemoryShare one = patient.take("a", 20_000)) {
            CompletableFuture<Void> more =
                    waiting(() -> patient.take("a", 5_000).close());
            patient.take("b", 10_000).close();
            assertThat(more).isNotDone();
            one.close();
            more.get();
        }
        assertThatThrownBy(() -> {
                    try (MemoryShare one = hasty.take("a", 20_000)) {
                        hasty.take("a", 5_000);
                    }
                })
                .isInstanceOf(Crowded.class)
                .hasMessageContaining("requests of yours");
        assertIsFree(hasty);
    }

    @Test
    void an_answer_that_is_being_read_makes_way_for_the_work_of_others() {
        try (MemoryShare unread = hasty.take("a", LARGE)) {
            unread.keepOnly(3_000);
            hasty.take("b", LARGE).close();
            try (MemoryShare another = hasty.take("a", LARGE)) {
                another.keepOnly(3_000); // too many of one caller: this one stays where it is
                another.keepOnly(9_000); // too late
                assertThatThrownBy(() -> hasty.take("b", LARGE)).isInstanceOf(Refused.class);
                hasty.take("b", 27_000).close();
            }
        }
        assertIsFree(hasty);
    }

    @Test
    void one_caller_has_no_more_than_half_of_the_room_for_bodies() {
        try (MemoryShare one = hasty.takeForBody("a", 6_000)) {
            assertThatThrownBy(() -> hasty.takeForBody("a", 6_000)).isInstanceOf(Crowded.class);
            hasty.takeForBody("b", 6_000).close();
            hasty.take("a", LARGE).close();
        }
        assertIsFree(hasty);
    }

    /** Each gets what it wants in the end; nothing is lost, and nobody waits for one who waits. */
    @Test
    void many_at_once_all_have_their_turn() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String who = "caller " + i % 3;
            all.add(CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 1_000; n++) {
                    long bytes = ThreadLocalRandom.current().nextLong(LARGE + 1);
                    try (MemoryShare part = patient.take(who, bytes)) {
                        part.keepOnly(bytes / 2);
                    }
                }
            }));
        }
        all.forEach(CompletableFuture::join);
        assertIsFree(patient);
    }

    private static void assertIsFree(RequestMemory memory) {
        memory.take("z", LARGE).close();
        memory.takeForBody("z", 12_500).close();
        List<MemoryShare> small = new ArrayList<>();
        for (String who : List.of("w", "x", "y", "z")) {
            small.add(memory.take(who, 2_500));
        }
        small.forEach(MemoryShare::close);
    }

    private static CompletableFuture<Void> waiting(Runnable work) throws Exception {
        AtomicReference<Thread> thread = new AtomicReference<>(Thread.currentThread());
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            thread.set(Thread.currentThread());
            work.run();
        });
        Until.holds(LONG, "one that waits", () -> thread.get().getState() == Thread.State.TIMED_WAITING);
        return done;
    }
}
