package dev.rowlock.exec;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The making of a command's process, and the time for its shell to come past the gate. Thread-safe: a forking thread
 * makes the process, the watch's thread may give it up, and exactly one of them tells the start or the end.
 */
final class Making {

    private enum State {
        QUEUED,
        BEGUN,
        /** The kernel is asked for the process: it may be there and past its gate, though there is no news of it. */
        SPAWNING,
        DONE,
        /** The command's end was told. If there is a process after all, its gate lets nothing pass any more. */
        GIVEN_UP
    }

    /** What takes longer than so many nanoseconds is not just slow. */
    static final long SLOW = Duration.ofSeconds(1).toNanos();
    /** What takes so long is told to people. */
    static final Duration HANGS_AFTER = Duration.ofSeconds(5);
    /** For the news of a process that was made while this daemon was frozen. */
    private static final long NEWS = Duration.ofSeconds(1).toNanos();
    /** A shell that does not come to the gate in so many milliseconds waits for something. */
    private static final long ENOUGH_MILLIS = 1000;

    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
    private final long deadlineUptimeMillis;
    private final Duration within;

    private volatile long since = Running.NEVER;
    private volatile long gateDeadline;
    private volatile long allowedMillis;
    private long seenPastGate = Running.NEVER;

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

    /** To be called at last before the kernel is asked for the process. False: the command's end was told already. */
    boolean spawn() {
        return state.compareAndSet(State.BEGUN, State.SPAWNING);
    }

    /** To be called when the process is made, or cannot be. False: the command's end was told already. */
    boolean end() {
        return state.compareAndSet(State.SPAWNING, State.DONE) || state.compareAndSet(State.BEGUN, State.DONE);
    }

    /** True if the command has ended by this: nobody has begun to make its process. */
    boolean cancel() {
        return state.compareAndSet(State.QUEUED, State.GIVEN_UP);
    }

    /** True if the command has ended by this: nobody has asked for its process yet, and nobody will. */
    boolean giveUp(long uptimeMillis) {
        return isPastGate(uptimeMillis) && state.compareAndSet(State.BEGUN, State.GIVEN_UP);
    }

    /**
     * Whether a process was asked for, its gate is closed, and there is no news of it. A daemon that was frozen has a
     * moment to hear of what was made before. For one thread.
     */
    boolean isWithoutNews(long uptimeMillis, long now) {
        if (state.get() != State.SPAWNING || !isPastGate(uptimeMillis)) {
            return false;
        }
        seenPastGate = seenPastGate == Running.NEVER ? now : seenPastGate;
        return now - seenPastGate >= NEWS;
    }

    /** True if the command has ended by this, though nobody knows whether it ever began. */
    boolean giveUpUnknown() {
        return state.compareAndSet(State.SPAWNING, State.GIVEN_UP);
    }

    /** When it began, in nanoseconds. */
    long since() {
        return since;
    }

    boolean isSlow(long now) {
        State at = state.get();
        return (at == State.BEGUN || at == State.SPAWNING) && now - since >= SLOW;
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
