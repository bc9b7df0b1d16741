package dev.rowlock.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.rowlock.control.Refused.Reason;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The part of the heap for bodies of requests that have not arrived whole. Each takes of it what has come, and not what
 * may come: a client that sends slowly holds no more than it has sent. The beginning of a body is free, as there are
 * only so many requests at once; so nobody keeps small ones out. Thread-safe.
 */
public final class BodyRoom {

    /** Most bodies are no larger. */
    public static final int FREE = 16 << 10;

    private final long all;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition givenBack = lock.newCondition();

    @GuardedBy("lock")
    private long left;

    /** Bodies that have taken something, and those of them that wait for more. */
    @GuardedBy("lock")
    private int holding;

    @GuardedBy("lock")
    private int holdingAndWaiting;

    /** @param patience how long a body waits for others before its request is refused */
    BodyRoom(long bytes, Duration patience) {
        this.all = bytes;
        this.left = bytes;
        this.patience = patience;
    }

    /** For the body of one request, which has not begun to arrive. */
    public Arriving begin() {
        return new Arriving();
    }

    /** How much of it bodies have taken. */
    long taken() {
        lock.lock();
        try {
            return all - left;
        } finally {
            lock.unlock();
        }
    }

    /** What one body has of it, until it is closed. For use by one thread. */
    public final class Arriving implements AutoCloseable {

        private long arrived;
        private long taken;

        private Arriving() {}

        /** Takes room for so many more bytes; {@link Refused} if others need it all the time. */
        public void grow(int bytes) {
            arrived += bytes;
            // What is larger than all of it gets all there is, and is then alone.
            long needed = Math.min(all, Math.max(0, arrived - FREE));
            if (needed > taken) {
                take(needed - taken, taken > 0);
                taken = needed;
            }
        }

        @Override
        public void close() {
            if (taken > 0) {
                giveBack(taken);
                taken = 0;
            }
        }
    }

    private void take(long bytes, boolean holds) {
        lock.lock();
        try {
            if (left < bytes && !isLeftInTime(bytes, holds)) {
                throw new Refused(
                        Reason.BUSY,
                        "requests with large bodies take all the memory that this node has for them; try again, or ask"
                                + " another node");
            }
            left -= bytes;
            holding += holds ? 0 : 1;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean isLeftInTime(long bytes, boolean holds) {
        // If all that hold some waited for more, they would wait for each other: the last one gives way.
        if (holds && holdingAndWaiting + 1 == holding) {
            return false;
        }
        holdingAndWaiting += holds ? 1 : 0;
        try {
            long nanos = patience.toNanos();
            while (left < bytes && nanos > 0) {
                nanos = givenBack.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            holdingAndWaiting -= holds ? 1 : 0;
        }
        return left >= bytes;
    }

    private void giveBack(long bytes) {
        lock.lock();
        try {
            left += bytes;
            holding--;
            givenBack.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
