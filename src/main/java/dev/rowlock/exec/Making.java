package dev.rowlock.exec;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The making of a command's process, and the time that it and the shell have to come past the gate. Thread-safe: a forking thread makes the
 * process, and the watch's thread gives it up. Whichever comes first, exactly one of them is to tell the end or the start.
 */
final class Making {

    private enum State {
        QUEUED,
        BEGUN,
        DONE,
        /** The command's end was told without a process. If there is one after all, its gate lets nothing pass any more. */
        GIVEN_UP
    }

    /** What takes longer than so many nanoseconds is not just slow. */
    static final long SLOW = Duration.ofSeconds(1).toNanos();
    /** What takes so long is told to people. */
    static final Duration HANGS_AFTER = Duration.ofSeconds(5);
    /** A shell that does not come to the gate in so many milliseconds waits for something. */
    private static final long ENOUGH_MILLIS = 1000;

    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
    private final long deadlineUptimeMillis;
    private final Duration within;

    private volatile long since = Running.NEVER;
    private volatile long gateDeadline;
    private volatile long allowedMillis;

    /**
     * @param deadlineUptimeMillis the session's, on the scale of {@link Uptime#millis()}
     * @param within the time for the shell to be made and to come to the command
     */
    Making(long deadlineUptimeMillis, Duration within) {
        this.deadlineUptimeMillis = deadlineUptimeMillis;
        this.within = within;
    }

    /** To be called before the process is made. False: the command's end was told already. */
    boolean begin(long uptimeMillis, long now) {
        gateDeadline = Math.min(deadlineUptimeMillis, uptimeMillis + within.toMillis());
        allowedMillis = gateDeadline - uptimeMillis;
        since = now;
        return state.compareAndSet(State.QUEUED, State.BEGUN);
    }

    /** To be called when the process is made, or cannot be. False: the command's end was told already. */
    boolean end() {
        return state.compareAndSet(State.BEGUN, State.DONE);
    }

    /** True if the command has ended by this: nobody has begun to make its process. */
    boolean cancel() {
        return state.compareAndSet(State.QUEUED, State.GIVEN_UP);
    }

    /** True if the command has ended by this: its process comes too late, if it comes at all. */
    boolean giveUp(long uptimeMillis) {
        return isPastGate(uptimeMillis) && state.compareAndSet(State.BEGUN, State.GIVEN_UP);
    }

    /** When it began, in nanoseconds. */
    long since() {
        return since;
    }

    boolean isSlow(long now) {
        return state.get() == State.BEGUN && now - since >= SLOW;
    }

    /** On the scale of {@link Uptime#millis()}: nothing of the command is run from then on. */
    long gateDeadline() {
        return gateDeadline;
    }

    /** Whether what has not passed the gate by now never will. */
    boolean isPastGate(long uptimeMillis) {
        return uptimeMillis - Gate.MARGIN.toMillis() >= gateDeadline;
    }

    /** How far away the gate's deadline was when it began. */
    Duration allowed() {
        return Duration.ofMillis(allowedMillis);
    }

    /** Whether that was enough for a shell that waits for nothing. */
    boolean hadTime() {
        return allowedMillis >= ENOUGH_MILLIS;
    }
}
