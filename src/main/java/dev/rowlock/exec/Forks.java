package dev.rowlock.exec;

import dev.rowlock.exec.process.Uptime;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Threads that create processes: two, and one more for each that hangs in doing so. Thread-safe. */
final class Forks implements AutoCloseable {

    private static final int THREADS = 2;
    private static final int MOST_THREADS = 1000;

    private final LongSupplier nanos;
    private final ThreadPoolExecutor threads;
    /** Current work of the threads. */
    private final Set<Making> begun = ConcurrentHashMap.newKeySet();

    private volatile Slow slow = Slow.NONE;

    /** Number of starts that take more than a second, and nanoseconds that the slowest has taken. */
    private record Slow(int count, long longest) {

        static final Slow NONE = new Slow(0, 0);
    }

    /** @param first run before anything is made */
    Forks(LongSupplier nanos, ThreadFactory factory, Runnable first) {
        this.nanos = nanos;
        this.threads =
                new ThreadPoolExecutor(THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        threads.execute(first);
    }

    /**
     * Begins to create a command's process on a thread of its own, unless the command's end is reported before.
     *
     * @param fork must end the making, and must not throw
     * @throws OutOfMemoryError if the thread cannot be made
     */
    void make(Running command, Consumer<Running> fork) {
        threads.execute(() -> {
            if (command.making.begin(Uptime.millis(), nanos.getAsLong())) {
                begun.add(command.making);
                try {
                    fork.accept(command);
                } finally {
                    begun.remove(command.making);
                }
            }
        });
    }

    /** Replaces the threads that hang. Call periodically, on one thread. */
    void relieve() {
        int count = 0;
        long longest = 0;
        long now = nanos.getAsLong();
        for (Making making : begun) {
            long since = now - making.since();
            if (since >= Making.SLOW) {
                count++;
                longest = Math.max(longest, since);
            }
        }
        slow = count == 0 ? Slow.NONE : new Slow(count, longest);
        int wanted = Math.min(MOST_THREADS, THREADS + count);
        if (wanted != threads.getCorePoolSize()) {
            threads.setMaximumPoolSize(MOST_THREADS);
            threads.setCorePoolSize(wanted);
            threads.setMaximumPoolSize(wanted);
        }
    }

    /** Returns why no process can be created, for people; empty if one can, as of the last {@link #relieve()}. */
    Optional<String> problem() {
        Slow seen = slow;
        return seen.longest() < Making.HANGS_AFTER.toNanos()
                ? Optional.empty()
                : Optional.of("no process can be made: " + seen.count() + " starts hang, the longest for "
                        + Duration.ofNanos(seen.longest()).toSeconds()
                        + " s; does the disk of data.dir answer, and that of the programs?");
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
