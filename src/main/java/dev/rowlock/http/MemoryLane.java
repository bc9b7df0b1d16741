package dev.rowlock.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.rowlock.access.Crowded;
import dev.rowlock.http.Refused.Reason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Amount of memory for one kind of use. Waiting requests get it in turn; one that only waits for its caller's own share
 * blocks nobody. Thread-safe.
 */
final class MemoryLane {

    private final long all;
    private final long each;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Map<String, Long> taken = new HashMap<>();

    @GuardedBy("lock")
    private final Queue<WaitingRequest> line = new ArrayDeque<>();

    @GuardedBy("lock")
    private long left;

    private record WaitingRequest(String who, long bytes) {

        /** Compares by identity: each waits for itself. */
        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    /** @param each so much one caller may have in several parts; a single part may be larger */
    MemoryLane(long all, long each, Duration patience) {
        this.all = all;
        this.each = each;
        this.patience = patience;
        this.left = all;
    }

    long all() {
        return all;
    }

    void take(String who, long bytes) {
        if (bytes == 0) {
            return;
        }
        WaitingRequest mine = new WaitingRequest(who, bytes);
        lock.lock();
        try {
            line.add(mine);
            boolean isMine = isNextInTime(mine);
            line.remove(mine);
            changed.signalAll();
            if (!isMine) {
                throw refusal(mine);
            }
            add(mine);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean isNextInTime(WaitingRequest mine) {
        long nanos = patience.toNanos();
        try {
            while (!isNext(mine) && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return isNext(mine);
    }

    /** Takes memory only if nobody has to wait for it. */
    boolean tryTake(String who, long bytes) {
        lock.lock();
        try {
            WaitingRequest mine = new WaitingRequest(who, bytes);
            boolean isFree = line.isEmpty() && bytes <= left && isWithinShare(mine);
            if (isFree) {
                add(mine);
            }
            return isFree;
        } finally {
            lock.unlock();
        }
    }

    void giveBack(String who, long bytes) {
        if (bytes == 0) {
            return;
        }
        lock.lock();
        try {
            left += bytes;
            taken.computeIfPresent(who, (name, own) -> own == bytes ? null : own - bytes);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void add(WaitingRequest mine) {
        left -= mine.bytes();
        if (mine.bytes() > 0) {
            taken.merge(mine.who(), mine.bytes(), Long::sum);
        }
    }

    @GuardedBy("lock")
    private boolean isNext(WaitingRequest mine) {
        if (mine.bytes() > left) {
            return false;
        }
        for (WaitingRequest one : line) {
            if (isWithinShare(one)) {
                return one.equals(mine);
            }
        }
        return false;
    }

    @GuardedBy("lock")
    private boolean isWithinShare(WaitingRequest one) {
        long own = taken.getOrDefault(one.who(), 0L);
        return own == 0 || own + one.bytes() <= each;
    }

    @GuardedBy("lock")
    private RuntimeException refusal(WaitingRequest mine) {
        return isWithinShare(mine)
                ? new Refused(
                        Reason.BUSY,
                        "requests for large answers, or with large bodies, take all the memory that this node has for"
                                + " them; try again, or ask another node")
                : new Crowded(
                        true,
                        "other requests of yours, for large answers or with large bodies, take all the memory that this"
                                + " node has for one caller; wait for one to end, or ask another node");
    }
}
