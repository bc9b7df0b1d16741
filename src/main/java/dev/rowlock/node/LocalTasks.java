package dev.rowlock.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Tasks that this node believes it holds. Thread-safe.
 *
 * <p>Two locks each keep a transaction and the matching change in memory together. {@link #locked} guards what is
 * prepared and lends the scheduling connection; {@link #lockedForRecording} guards the recording of results, which
 * touches nothing that is prepared, only {@link #hand hands} more to it, and has a connection of its own. {@link
 * #lockedWhole} takes both. Results may come in at any time.
 */
public final class LocalTasks {

    /** Bound on results that wait to be recorded; with more, nothing further is started, to bound the memory. */
    static final int MOST_UNRECORDED = 10_000;

    private final ReentrantLock lock = new ReentrantLock(true);
    private final ReentrantLock recording = new ReentrantLock(true);
    private final AtomicInteger preparedCount = new AtomicInteger();

    @GuardedBy("lock")
    private final PreparedTasks prepared = new PreparedTasks(preparedCount);

    /** Tasks that were prepared when results were recorded, and are not among {@code prepared} yet. */
    private final Queue<Task> handed = new ConcurrentLinkedQueue<>();

    private final Map<LaunchId, Executing> executing = new ConcurrentHashMap<>();
    /** Launches of {@code executing} whose command has ended. */
    @GuardedBy("ended")
    private final Set<LaunchId> ended = new HashSet<>();

    /** Last ended command, by job. */
    private final Map<Long, LastEnded> lastEnded = new ConcurrentHashMap<>();

    private volatile boolean draining;

    private record LastEnded(LaunchId launch, long nanos) {}

    /** Does a transaction and the matching change in memory while nobody else touches what is prepared. */
    public <T> T locked(Function<PreparedTasks, T> work) {
        lock.lock();
        try {
            takeHanded(prepared);
            return work.apply(prepared);
        } finally {
            lock.unlock();
        }
    }

    /** Does {@code work} while nobody else records results. */
    public <T> T lockedForRecording(Supplier<T> work) {
        recording.lock();
        try {
            return work.get();
        } finally {
            recording.unlock();
        }
    }

    /** Does {@code work} while nobody else touches what is prepared or records results. */
    public <T> T lockedWhole(Function<PreparedTasks, T> work) {
        return locked(tasks -> lockedForRecording(() -> {
            takeHanded(tasks);
            return work.apply(tasks);
        }));
    }

    /**
     * Hands over tasks that were prepared for this node in a transaction that recorded results, for the next caller of
     * {@link #locked}. Call while holding the recording lock, acquired before the transaction began, so that a holder
     * of both locks finds all that is committed.
     */
    public void hand(Collection<Task> tasks) {
        handed.addAll(tasks);
    }

    private void takeHanded(PreparedTasks tasks) {
        for (Task task = handed.poll(); task != null; task = handed.poll()) {
            tasks.add(List.of(task));
        }
    }

    /** Stops taking further work. */
    public void drain() {
        draining = true;
    }

    /** Returns whether this node takes no further work until it ends. */
    public boolean isDraining() {
        return draining;
    }

    /** Returns the number of prepared tasks, for those who need only that. */
    public int preparedCount() {
        return preparedCount.get();
    }

    /** Returns the jobs of which this node executes as many tasks as it may. */
    public Set<Long> fullJobs() {
        Map<Long, Integer> counts = new HashMap<>();
        Set<Long> full = new HashSet<>();
        for (Executing task : executing.values()) {
            Integer most = task.definition().maxPerNode();
            long job = task.task().jobId();
            if (most != null && counts.merge(job, 1, Integer::sum) >= most) {
                full.add(job);
            }
        }
        return full;
    }

    /** Adds a task before its command starts: compensation gives back what the table has and memory has not. */
    public void addExecuting(Executing task) {
        executing.put(task.launch(), task);
    }

    /** Returns whether a task executes under this claim, or has ended and is not recorded yet. */
    public boolean isExecuting(LaunchId launch) {
        return executing.containsKey(launch);
    }

    /** Returns a copy: the tasks may end meanwhile. */
    public Set<LaunchId> executingLaunches() {
        return Set.copyOf(executing.keySet());
    }

    /**
     * Marks a command as ended; the task stays until its result is recorded. May be called without a lock.
     *
     * @param nanos when this node noticed
     */
    public void ended(LaunchId launch, long nanos) {
        synchronized (ended) {
            Executing task = executing.get(launch);
            if (task != null) {
                ended.add(launch);
                lastEnded.put(task.task().jobId(), new LastEnded(launch, nanos));
            }
            ended.notifyAll();
        }
    }

    /**
     * Returns whether the command of this job that was last known to end did so since then, and its result is not
     * recorded.
     */
    public boolean hasEndedSince(long job, long nanos) {
        LastEnded last = lastEnded.get(job);
        return last != null && last.nanos() - nanos >= 0;
    }

    /** Forgets a task whose result is recorded, or belongs to nobody any more. */
    public void dropExecuting(LaunchId launch) {
        synchronized (ended) {
            Executing task = executing.remove(launch);
            if (task != null) {
                long job = task.task().jobId();
                lastEnded.computeIfPresent(job, (id, last) -> last.launch().equals(launch) ? null : last);
            }
            ended.remove(launch);
            ended.notifyAll();
        }
    }

    /** Returns the number of running commands: what has ended and only waits to be recorded needs no slot. */
    public int running() {
        synchronized (ended) {
            return executing.size() - ended.size();
        }
    }

    /** Returns whether too many results wait to be recorded. */
    public boolean isClogged() {
        synchronized (ended) {
            return ended.size() >= MOST_UNRECORDED;
        }
    }

    public Optional<Executing> executing(LaunchId launch) {
        return Optional.ofNullable(executing.get(launch));
    }

    /** Waits until no command runs, and returns false if some still do after this time. */
    public boolean awaitEnded(Duration most) {
        return await(most, () -> running() == 0);
    }

    /** Waits until all results are recorded, and returns false if some are not after this time. */
    public boolean awaitRecorded(Duration most) {
        return await(most, executing::isEmpty);
    }

    private boolean await(Duration most, BooleanSupplier condition) {
        long deadline = System.nanoTime() + most.toNanos();
        synchronized (ended) {
            while (!condition.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(ended, left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return true;
        }
    }
}
