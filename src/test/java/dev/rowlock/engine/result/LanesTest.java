package dev.rowlock.engine.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.engine.Outage;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.store.history.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Recording over one connection or two. */
class LanesTest {

    private static final int BATCH = 10;
    private final AtomicLong now = new AtomicLong(-7);
    private final ExecutorService beside = Executors.newSingleThreadExecutor();
    private final List<Ending> firstGot = Collections.synchronizedList(new ArrayList<>());
    private final List<Ending> secondGot = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        beside.shutdownNow();
    }

    @Test
    void what_fits_into_a_transaction_takes_one_lane() {
        Lanes lanes = new Lanes(into(firstGot), LanesTest::unused, beside, () -> false, BATCH, now::get);

        assertThat(lanes.record(results(BATCH))).isEmpty();

        assertThat(firstGot).hasSize(BATCH);
    }

    @Test
    void while_tasks_are_started_no_more_than_fits_into_a_transaction_is_recorded_at_once() {
        assertThat(new Lanes(LanesTest::unused, LanesTest::unused, beside, () -> true, BATCH, now::get).width())
                .isEqualTo(BATCH);
        assertThat(new Lanes(LanesTest::unused, LanesTest::unused, beside, () -> false, BATCH, now::get).width())
                .isEqualTo(2 * BATCH);
    }

    @Test
    void more_goes_over_two_at_the_same_time_and_no_shard_over_both() {
        CyclicBarrier together = new CyclicBarrier(2);
        Lanes lanes = new Lanes(
                results -> meet(together, firstGot, results),
                results -> meet(together, secondGot, results),
                beside,
                () -> false,
                BATCH,
                now::get);

        assertThat(lanes.record(results(2 * BATCH))).isEmpty();

        assertThat(firstGot).hasSize(BATCH).extracting(Ending::shard).allMatch(shard -> shard % 2 == 0);
        assertThat(secondGot).hasSize(BATCH).extracting(Ending::shard).allMatch(shard -> shard % 2 == 1);
    }

    @Test
    void what_either_refuses_is_refused() {
        Lanes lanes = new Lanes(
                results -> results.subList(0, 1),
                results -> results.subList(0, 2),
                beside,
                () -> false,
                BATCH,
                now::get);

        assertThat(lanes.record(results(2 * BATCH))).extracting(Ending::taskId).containsExactlyInAnyOrder(0L, 1L, 3L);
    }

    @Test
    void what_the_second_does_not_take_the_first_does_and_goes_on_alone_for_a_minute() {
        Lanes lanes = new Lanes(into(firstGot), LanesTest::fail, beside, () -> false, BATCH, now::get);

        assertThat(lanes.record(results(2 * BATCH))).isEmpty();

        assertThat(firstGot).hasSize(2 * BATCH);
        assertThat(lanes.width()).isEqualTo(BATCH);
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(lanes.width()).isEqualTo(2 * BATCH);
    }

    @Test
    void an_outage_of_the_first_is_told_after_the_second_has_ended() {
        CyclicBarrier failed = new CyclicBarrier(2);
        Lanes lanes = new Lanes(
                results -> {
                    meet(failed, new ArrayList<>(), results);
                    return fail(results);
                },
                results -> meet(failed, secondGot, results),
                beside,
                () -> false,
                BATCH,
                now::get);

        assertThatThrownBy(() -> lanes.record(results(2 * BATCH))).isInstanceOf(Outage.class);

        assertThat(secondGot).hasSize(BATCH);
    }

    @Test
    void without_a_thread_the_lanes_take_turns_and_what_was_queued_is_not_done_again() {
        List<Runnable> queued = new ArrayList<>();
        Lanes lanes = new Lanes(
                into(firstGot),
                into(secondGot),
                task -> {
                    queued.add(task);
                    throw new OutOfMemoryError("unable to create native thread");
                },
                () -> false,
                BATCH,
                now::get);

        assertThat(lanes.record(results(2 * BATCH))).isEmpty();
        queued.forEach(Runnable::run);

        assertThat(lanes.width()).isEqualTo(BATCH);

        assertThat(firstGot).hasSize(BATCH);
        assertThat(secondGot).hasSize(BATCH);
    }

    private static UnaryOperator<List<Ending>> into(List<Ending> got) {
        return results -> {
            got.addAll(results);
            return List.of();
        };
    }

    private static List<Ending> meet(CyclicBarrier other, List<Ending> got, List<Ending> results) {
        try {
            other.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("the lanes did not run side by side", e);
        }
        got.addAll(results);
        return List.of();
    }

    private static List<Ending> unused(List<Ending> results) {
        throw new AssertionError("one lane is enough for " + results.size());
    }

    private static List<Ending> fail(List<Ending> results) {
        throw new Outage(results.size());
    }

    private static final class Outage extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Outage(int results) {
            super("the database did not take " + results + " results");
        }
    }

    private static List<Ending> results(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Ending(i, new LaunchId("s-" + i), i, Outcome.SUCCEEDED, null, null, 1L, 0, null, 0L))
                .toList();
    }
}
