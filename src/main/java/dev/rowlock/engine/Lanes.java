package dev.rowlock.engine;

import dev.rowlock.store.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records over one connection, and over a second one beside it when more results wait than fit into one transaction: after a burst there is
 * nothing else to do. Each of the two has shards of its own, so that neither waits for the other's locks. Needs the turn of recording.
 */
final class Lanes {

    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    private final UnaryOperator<List<Ending>> first;
    private final UnaryOperator<List<Ending>> second;
    private final Executor beside;
    private final BooleanSupplier firing;
    private final int batch;

    /**
     * @param first like {@link Recording#record}
     * @param second likewise, over another connection
     * @param beside runs the second beside the first; one that runs it at once makes them take turns
     * @param firing whether tasks are being started: these come first, and have the server to themselves and one lane
     * @param batch how many results fit into a transaction; of two lanes one may have to take twice as many
     */
    Lanes(
            UnaryOperator<List<Ending>> first,
            UnaryOperator<List<Ending>> second,
            Executor beside,
            BooleanSupplier firing,
            int batch) {
        this.first = first;
        this.second = second;
        this.beside = beside;
        this.firing = firing;
        this.batch = batch;
    }

    /** How many results to record at once. */
    int width() {
        return firing.getAsBoolean() ? batch : 2 * batch;
    }

    /** Like {@link Recording#record}; when it throws, some of them may be recorded. */
    List<Ending> record(List<Ending> results) {
        if (results.size() <= batch) {
            return first.apply(results);
        }
        List<Ending> odd = results.stream().filter(e -> e.shard() % 2 == 1).toList();
        List<Ending> even = results.stream().filter(e -> e.shard() % 2 == 0).toList();
        CompletableFuture<List<Ending>> other = new CompletableFuture<>();
        AtomicBoolean taken = new AtomicBoolean();
        Runnable lane = () -> {
            if (taken.compareAndSet(false, true)) {
                run(odd, other);
            }
        };
        List<Ending> refused = new ArrayList<>();
        try {
            startBeside(lane);
            refused.addAll(first.apply(even));
        } finally {
            lane.run(); // if nobody else has begun it
            other.exceptionally(problem -> List.of()).join(); // it needs the turn as long as it runs
        }
        refused.addAll(joined(other));
        return refused;
    }

    private void startBeside(Runnable lane) {
        try {
            beside.execute(lane);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            log.warn("there is no thread for a second lane, so the results are recorded one after the other", e);
        }
    }

    private void run(List<Ending> odd, CompletableFuture<List<Ending>> other) {
        try {
            other.complete(second.apply(odd));
        } catch (RuntimeException | Error e) {
            other.completeExceptionally(e);
        }
    }

    private static List<Ending> joined(CompletableFuture<List<Ending>> lane) {
        try {
            return lane.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException problem) {
                throw problem; // the loop tells an outage from anything else
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
