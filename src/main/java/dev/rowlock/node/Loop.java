package dev.rowlock.node;

import dev.rowlock.db.DatabaseUnavailable;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Loop that gives a step its thread, its rests and its wake-ups, until it is closed. A wake-up within {@code debounce}
 * of a pass waits for the rest of that time, so that events that come one by one are handled together. Where somebody
 * waits for the pass, it waits a fiftieth of that, for events of the same moment. A pass that fails is retried after a
 * second; an {@link Error} ends the process, because a half-alive node is the worst kind. Closing twice, or before the
 * start, is harmless.
 */
public final class Loop implements AutoCloseable {

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final int HURRIED = 50;

    /** Name of what the present thread does. */
    private static final ThreadLocal<String> STEP = ThreadLocal.withInitial(() -> "request");

    private final String name;
    private final Step step;
    private final Outage outage;
    private final Failures failures;
    private final Duration debounce;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition awoken = lock.newCondition();
    private final Condition ended = lock.newCondition();
    private boolean woken;
    private boolean hurried;
    private long hurriedNanos;
    private volatile boolean stopping;

    Loop(String name, Step step, Outage outage, Failures failures, Duration debounce) {
        this.debounce = debounce;
        this.name = name;
        this.step = step;
        this.outage = outage;
        this.failures = failures;
        this.thread = new Thread(this::run, "rowlock-" + name);
        this.thread.setDaemon(true);
    }

    /** Returns a thread for what a step does beside its own work; it exists only while it is needed. */
    public static Executor beside(String name) {
        return new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Runnable named = () -> {
                STEP.set(name);
                task.run();
            };
            Thread thread = new Thread(named, "rowlock-" + name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Returns threads for what a step hands to others, as many as it hands out at once; they exist while they are
     * needed.
     */
    public static Executor crew(String name) {
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "rowlock-" + name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Returns the name of the loop, or of the other thread of the node, that calls; {@code request} on all other
     * threads.
     */
    public static String currentStep() {
        return STEP.get();
    }

    Step step() {
        return step;
    }

    void start() {
        if (!stopping) {
            thread.start();
        }
    }

    /** Ends the present rest, or the one that follows the present pass. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            awoken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the rest as {@link #wake} does, and soon: somebody waits for what the next pass does. */
    void hurry() {
        lock.lock();
        try {
            woken = true;
            if (!hurried) { // hundreds may say so within one debounce
                hurried = true;
                hurriedNanos = System.nanoTime();
                ended.signalAll();
                awoken.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the present pass to end. */
    @Override
    public void close() {
        stop();
        if (thread.isAlive() && Thread.currentThread() != thread) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(15));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void stop() {
        lock.lock();
        try {
            stopping = true;
            awoken.signalAll();
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        STEP.set(name);
        while (!stopping) {
            Pass pass = pass();
            if (!pass.more()) {
                rest(pass.rest());
            }
        }
        try {
            step.end();
        } catch (RuntimeException e) {
            failures.noticed(name, e);
        }
    }

    private Pass pass() {
        try {
            Pass pass = step.runOnce();
            outage.over(name);
            failures.none(name);
            return pass;
        } catch (DatabaseUnavailable e) {
            outage.noticed(name, e);
        } catch (RuntimeException e) {
            failures.noticed(name, e);
        }
        return Pass.rest(AFTER_FAILURE);
    }

    private void rest(Duration rest) {
        lock.lock();
        try {
            long began = System.nanoTime();
            debounce(began);
            long left = rest.toNanos() - (System.nanoTime() - began);
            while (!woken && !stopping && left > 0) {
                left = awoken.awaitNanos(left);
            }
            if (hurried) {
                debounce(began);
            }
            woken = false;
            hurried = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping = true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits out the debounce; a wake-up meanwhile is noted, and seen afterwards. */
    private void debounce(long began) throws InterruptedException {
        long left = untilDebounced(began);
        while (!stopping && left > 0) {
            ended.awaitNanos(left);
            left = untilDebounced(began);
        }
    }

    private long untilDebounced(long began) {
        long now = System.nanoTime();
        return hurried ? hurriedNanos + debounce.toNanos() / HURRIED - now : began + debounce.toNanos() - now;
    }
}
