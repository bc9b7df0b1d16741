package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node that freezes in the middle of a transaction, with a lock row in its hands. */
@Tag("database")
class FrozenTest {

    /** The server ends a silent connection after three seconds. */
    private static final Duration PATIENCE = Duration.ofMillis(4500);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private Playground playground;
    private final CountDownLatch thawed = new CountDownLatch(1);

    @BeforeEach
    void open() {
        playground = new Playground(SERVER, dir);
    }

    @AfterEach
    void close() throws IOException {
        thawed.countDown();
        playground.close();
    }

    @Test
    void holding_a_task_lock_row_it_delays_others_for_four_seconds_at_most_and_costs_nobody_a_session() {
        HandDrivenNode a = playground.joined("a", playground.address());
        HandDrivenNode b = playground.joined("b", playground.address());
        long job = playground.job("j", "0 0 1 1 *");
        playground.rows.task(job, -50, true);
        String session = a.session();
        long began = System.nanoTime();
        CompletableFuture<Void> frozen = frozenWith(String.format("task-%02d", job % 64));

        CompletableFuture<Void> scheduled = CompletableFuture.runAsync(a::schedule);
        a.keeper.runOnce();
        b.keeper.runOnce();
        Duration beats = Duration.ofNanos(System.nanoTime() - began);
        scheduled.join();
        Duration all = Duration.ofNanos(System.nanoTime() - began);

        assertThat(beats).isLessThan(Duration.ofSeconds(2));
        assertThat(all).isBetween(Duration.ofMillis(1500), PATIENCE);
        assertThat(a.processes.started).hasSize(1);
        assertThat(a.session()).isEqualTo(session);
        assertThat(playground.rows.count("session")).isEqualTo(2);
        wakesToNothing(frozen);
    }

    @Test
    void holding_the_session_lock_row_it_delays_a_join_for_four_seconds_at_most() {
        HandDrivenNode a = playground.joined("a", playground.address());
        long began = System.nanoTime();
        CompletableFuture<Void> frozen = frozenWith("session");

        a.keeper.runOnce();
        a.schedule();
        Duration others = Duration.ofNanos(System.nanoTime() - began);
        HandDrivenNode b = playground.node("b", playground.address());
        b.keeper.runOnce();

        assertThat(others).isLessThan(Duration.ofSeconds(2));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(1500), PATIENCE);
        assertThat(b.lease.current()).isPresent();
        wakesToNothing(frozen);
    }

    /** Runs until it holds that row, and then stands still until it is thawed. */
    private CompletableFuture<Void> frozenWith(String lockRow) {
        CountDownLatch holds = new CountDownLatch(1);
        CompletableFuture<Void> frozen = CompletableFuture.runAsync(() -> {
            try (Database database = Database.single(playground.address(), Duration.ofSeconds(30))) {
                database.transact("freezing", handle -> {
                    lock(handle, lockRow);
                    holds.countDown();
                    await(thawed);
                    return handle.execute("update cluster_lock set note = 'written late' where name = ?", lockRow);
                });
            }
        });
        await(holds);
        return frozen;
    }

    private static void lock(Handle handle, String lockRow) {
        handle.select("select counter, note from cluster_lock where name = ? for update", lockRow)
                .mapTo(Long.class)
                .one();
    }

    private void wakesToNothing(CompletableFuture<Void> frozen) {
        thawed.countDown();
        assertThatThrownBy(frozen::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(DatabaseUnavailable.class);
        assertThat(playground.rows.count("cluster_lock where note = 'written late'"))
                .isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
