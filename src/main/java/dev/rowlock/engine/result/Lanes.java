package dev.rowlock.engine.result;

import dev.rowlock.store.history.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records over one connection, and over a second one beside it when more results wait than fit into one transaction: after a burst there is
 * nothing else to do. Each of the two has shards of its own, so that neither waits for the other's locks. Needs the turn of recording.
 */
public final class Lanes {

    private static final Logger log = LoggerFactory.getLogger(Lanes.class);
    /** How long a second lane that failed, or found no thread, is not tried again. */
    private static final Duration CLOSED = Duration.ofMinutes(1);

    private final UnaryOperator<List<Ending>> first;
    private final UnaryOperator<List<Ending>> second;
    private final Executor beside;
    private final BooleanSupplier firing;
    private final int batch;
    private final LongSupplier nanos;
    private long closedUntil;

    /**
     * @param first like {@link Recording#record}
     * @param second likewise, over another connection
     * @param beside runs the second beside the first; one that runs it at once makes them take turns
     * @param firing whether tasks are being started: these come first, and have the server to themselves and one lane
     * @param batch how many results fit into a transaction; of two lanes one may have to take twice as many
     */
    public Lanes(
            UnaryOperator<List<Ending>> first,
            UnaryOperator<List<Ending>> second,
            Executor beside,
            BooleanSupplier firing,
            int batch,
            LongSupplier nanos) {
        this.first = first;
        this.second = second;
        this.beside = beside;
        this.firing = firing;
        this.batch = batch;
        this.nanos = nanos;
        this.closedUntil = nanos.getAsLong();
    }

    /** How many results to record at once. */
    int width() {
        return firing.getAsBoolean() || nanos.getAsLong() - closedUntil < 0 ? batch : 2 * batch;
    }

    /** Like {@link Recording#record}; when it throws, some of them may be recorded. */
    List<Ending> record(List<Ending> results) {
        if (results.size() <= batch) {
            return first.apply(results);
        }
        List<Ending> even = results.stream().filter(e -> e.shard() % 2 == 0).toList();
        List<Ending> odd = results.stream().filter(e -> e.shard() % 2 != 0).toList();
        return record(even, odd);
    }

    private List<Ending> record(List<Ending> ours, List<Ending> others) {
        CompletableFuture<List<Ending>> other = new CompletableFuture<>();
        AtomicBoolean taken = new AtomicBoolean();
        Runnable lane = () -> {
            if (taken.compareAndSet(false, true)) {
                run(others, other);
            }
        };
        List<Ending> refused = new ArrayList<>();
        try {
            startBeside(lane);
            refused.addAll(first.apply(ours));
        } finally {
            lane.run(); // if nobody else has begun it
            other.exceptionally(problem -> List.of()).join(); // it needs the turn as long as it runs
        }
        refused.addAll(joined(other, others));
        return refused;
    }

    private void startBeside(Runnable lane) {
        try {
            beside.execute(lane);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            close(e);
        }
    }

    private void run(List<Ending> results, CompletableFuture<List<Ending>> other) {
        try {
            other.complete(second.apply(results));
        } catch (Throwable e) { // whatever it is, somebody with the turn waits for it
            other.completeExceptionally(e);
        }
    }

    /** What the second connection does not take, the first does: there may be no more of them than are open already. */
    private List<Ending> joined(CompletableFuture<List<Ending>> lane, List<Ending> results) {
        try {
            return lane.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            close(e.getCause() == null ? e : e.getCause());
            return first.apply(results);
        }
    }

    private void close(Throwable why) {
        closedUntil = nanos.getAsLong() + CLOSED.toNanos();
        log.warn("results are recorded over one connection for a minute: {}", String.valueOf(why));
    }
}
