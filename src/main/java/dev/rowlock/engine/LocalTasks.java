package dev.rowlock.engine;

import dev.rowlock.job.LaunchId;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.task.PreparedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * What this node believes it holds. What is prepared is touched only by who has the turn, and whoever has it does "transaction and memory" as
 * one, so that no loop sees half of a step of another. The turn also hands round the one engine connection. Recording is a turn of its own,
 * with a connection of its own, as it touches nothing that is prepared; who must see neither of them at half takes both, in this order.
 * Results may come in at any time.
 */
public final class LocalTasks {

    /** What is due at one instant goes by shard, so that a batch of it locks few of them. */
    private static final Comparator<PreparedTask> SOONEST = Comparator.comparing(PreparedTask::dueAt)
            .thenComparingInt(PreparedTask::shard)
            .thenComparingLong(PreparedTask::id);

    /** So many results may wait to be recorded; with more, nothing further is started: if the database refuses them, they must not fill the memory. */
    static final int MOST_UNRECORDED = 10_000;

    public final ReentrantLock turn = new ReentrantLock(true);
    public final ReentrantLock recording = new ReentrantLock(true);
    private final Map<Long, PreparedTask> prepared = new HashMap<>();
    private final TreeSet<PreparedTask> byDue = new TreeSet<>(SOONEST);
    private final Map<LaunchId, Executing> executing = new ConcurrentHashMap<>();
    private final Map<LaunchId, Ending> results = new LinkedHashMap<>();

    public void lockBoth() {
        turn.lock();
        recording.lock();
    }

    public void unlockBoth() {
        recording.unlock();
        turn.unlock();
    }

    public void addPrepared(Collection<PreparedTask> tasks) {
        for (PreparedTask task : tasks) {
            dropPrepared(task.id());
            prepared.put(task.id(), task);
            byDue.add(task);
        }
    }

    public void dropPrepared(long taskId) {
        PreparedTask task = prepared.remove(taskId);
        if (task != null) {
            byDue.remove(task);
        }
    }

    /** Forgets what was prepared under other launch ids than these. */
    public void keepPrepared(Set<LaunchId> launches) {
        prepared.values().removeIf(task -> !launches.contains(task.launch()));
        byDue.removeIf(task -> !launches.contains(task.launch()));
    }

    public void forgetPrepared() {
        prepared.clear();
        byDue.clear();
    }

    public Iterable<PreparedTask> bySoonest() {
        return byDue;
    }

    public int countDue(Instant now) {
        int due = 0;
        for (PreparedTask task : byDue) {
            if (task.dueAt().isAfter(now)) {
                break;
            }
            due++;
        }
        return due;
    }

    public int preparedCount() {
        return prepared.size();
    }

    public boolean isPrepared(long taskId) {
        return prepared.containsKey(taskId);
    }

    public boolean isPrepared(long taskId, LaunchId launch) {
        PreparedTask task = prepared.get(taskId);
        return task != null && task.launch().equals(launch);
    }

    public void addExecuting(Executing task) {
        executing.put(task.task().launch(), task);
    }

    public boolean isExecuting(LaunchId launch) {
        return executing.containsKey(launch);
    }

    public Set<LaunchId> executingLaunches() {
        return Set.copyOf(executing.keySet());
    }

    public void dropExecuting(LaunchId launch) {
        synchronized (results) {
            executing.remove(launch);
            results.remove(launch);
            results.notifyAll();
        }
    }

    /** How many commands run: what has ended and only waits to be recorded needs no slot. */
    public int running() {
        synchronized (results) {
            return executing.size() - results.size();
        }
    }

    /** How many further commands a node of that capacity may start. */
    public int freeSlots(int capacity) {
        return isClogged() ? 0 : capacity - running();
    }

    /** Whether too many results wait to be recorded. */
    public boolean isClogged() {
        synchronized (results) {
            return results.size() >= MOST_UNRECORDED;
        }
    }

    public Optional<Executing> executing(LaunchId launch) {
        return Optional.ofNullable(executing.get(launch));
    }

    /** Notes a result; it stays until it is recorded. May be called without the turn. */
    public void addResult(Ending ending, LaunchId launch) {
        synchronized (results) {
            results.put(launch, ending);
            results.notifyAll();
        }
    }

    public List<Ending> results(int most) {
        synchronized (results) {
            return results.values().stream().limit(most).toList();
        }
    }

    /** Waits until no command runs. False: some still do after this time. */
    public boolean awaitEnded(Duration most) {
        return await(most, () -> executing.size() == results.size());
    }

    /** Waits until all results are recorded. False: some are not after this time. */
    public boolean awaitRecorded(Duration most) {
        return await(most, executing::isEmpty);
    }

    private boolean await(Duration most, BooleanSupplier condition) {
        long deadline = System.nanoTime() + most.toNanos();
        synchronized (results) {
            while (!condition.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(results, left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return true;
        }
    }
}
