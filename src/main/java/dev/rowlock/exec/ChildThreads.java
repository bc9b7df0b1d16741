package dev.rowlock.exec;

import dev.rowlock.exec.Spawner.SpawnedProcess;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that each create a process and wait for its end: without a thread there is no process. Thread-safe. */
final class ChildThreads {

    private static final Logger LOG = LoggerFactory.getLogger(ChildThreads.class);

    private static final long STACK = 256 << 10;

    private final Executor threads;

    ChildThreads() {
        this(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(null, task, "rowlock-wait", STACK);
            thread.setDaemon(true);
            return thread;
        }));
    }

    ChildThreads(Executor threads) {
        this.threads = threads;
    }

    /**
     * Creates a process. Throws {@link IOException} with a message for people if it cannot be created; then there is
     * none.
     */
    Child spawn(Spawner spawner, Spawner.Program program) throws IOException {
        CompletableFuture<SpawnedProcess> made = new CompletableFuture<>();
        CompletableFuture<Integer> exit = new CompletableFuture<>();
        try {
            threads.execute(() -> makeAndAwait(spawner, program, made, exit));
        } catch (OutOfMemoryError | RejectedExecutionException e) {
            throw new HostRefused("there can be no thread to wait for its end: " + e.getMessage(), e);
        }
        try {
            SpawnedProcess process = made.join();
            return new Child(process.pid(), exit, process.outflow());
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException refused ? refused : new IOException(e.getCause());
        }
    }

    private static void makeAndAwait(
            Spawner spawner,
            Spawner.Program program,
            CompletableFuture<SpawnedProcess> told,
            CompletableFuture<Integer> exit) {
        SpawnedProcess made;
        try {
            made = spawner.make(program);
        } catch (IOException | RuntimeException | Error e) {
            told.completeExceptionally(e);
            return;
        }
        told.complete(made);
        try {
            exit.complete(made.await());
        } catch (InterruptedException | RuntimeException | Error e) { // else its slot would never be free again
            LOG.error("the end of process {} cannot be awaited: its exit code stays unknown", made.pid(), e);
            exit.complete(-1);
        }
    }
}
