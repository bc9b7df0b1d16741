package dev.rowlock.exec;

import dev.rowlock.exec.process.Uptime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Creation of a command's process, with the time for its shell to pass the gate. Thread-safe: a forking thread creates
 * the process, the watch's thread may give it up, and exactly one of them reports the start or the end.
 */
final class Making {

    private enum SpawnState {
        QUEUED,
        BEGUN,
        /** The kernel was asked for the process: it may exist and be past its gate, though there is no news of it. */
        SPAWNING,
        DONE,
        /** The command's end was reported. If there is a process after all, its gate lets nothing pass any more. */
        GIVEN_UP
    }

    /** Nanoseconds after which a start counts as waiting, not just slow. */
    static final long SLOW = Duration.ofSeconds(1).toNanos();
    /** Time after which people are told of a start that hangs. */
    static final Duration HANGS_AFTER = Duration.ofSeconds(5);
    /** Time to wait for news of a process that was created while this daemon was frozen. */
    private static final long NEWS = Duration.ofSeconds(1).toNanos();
    /** Milliseconds in which a shell reaches the gate, unless it waits for something. */
    private static final long ENOUGH_MILLIS = 1000;

    private final AtomicReference<SpawnState> state = new AtomicReference<>(SpawnState.QUEUED);
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

    /** Notes that the process is about to be prepared. Returns false if the command's end was reported already. */
    boolean begin(long uptimeMillis, long now) {
        gateDeadline = Math.min(deadlineUptimeMillis, uptimeMillis + within.toMillis());
        allowedMillis = gateDeadline - uptimeMillis;
        since = now;
        return state.compareAndSet(SpawnState.QUEUED, SpawnState.BEGUN);
    }

    /**
     * Notes that the kernel is about to be asked for the process. Returns false if the command's end was reported
     * already.
     */
    boolean spawn() {
        return state.compareAndSet(SpawnState.BEGUN, SpawnState.SPAWNING);
    }

    /** Notes that the process was created, or cannot be. Returns false if the command's end was reported already. */
    boolean end() {
        return state.compareAndSet(SpawnState.SPAWNING, SpawnState.DONE)
                || state.compareAndSet(SpawnState.BEGUN, SpawnState.DONE);
    }

    /** Cancels a start that nobody has begun; returns whether that ended the command. */
    boolean cancel() {
        return state.compareAndSet(SpawnState.QUEUED, SpawnState.GIVEN_UP);
    }

    /**
     * Gives up a start for which the kernel was not asked yet, and will not be; returns whether that ended the command.
     */
    boolean giveUp(long uptimeMillis) {
        return isPastGate(uptimeMillis) && state.compareAndSet(SpawnState.BEGUN, SpawnState.GIVEN_UP);
    }

    /**
     * Returns whether a process was requested, its gate is closed, and there is no news of it. A daemon that was frozen
     * has a moment to learn of what was created before. For one thread.
     */
    boolean isWithoutNews(long uptimeMillis, long now) {
        if (state.get() != SpawnState.SPAWNING || !isPastGate(uptimeMillis)) {
            return false;
        }
        seenPastGate = seenPastGate == Running.NEVER ? now : seenPastGate;
        return now - seenPastGate >= NEWS;
    }

    /** Gives up a start of which nobody knows whether it ever began; returns whether that ended the command. */
    boolean giveUpUnknown() {
        return state.compareAndSet(SpawnState.SPAWNING, SpawnState.GIVEN_UP);
    }

    /** Returns when it began, in nanoseconds. */
    long since() {
        return since;
    }

    boolean isSlow(long now) {
        SpawnState at = state.get();
        return (at == SpawnState.BEGUN || at == SpawnState.SPAWNING) && now - since >= SLOW;
    }

    /** Returns the {@link Uptime#millis()} from which nothing of the command is run. */
    long gateDeadline() {
        return gateDeadline;
    }

    /** Returns whether what has not passed the gate by now never will. */
    boolean isPastGate(long uptimeMillis) {
        return uptimeMillis - Gate.MARGIN.toMillis() >= gateDeadline;
    }

    /** Returns the time until the gate's deadline when it began. */
    Duration allowed() {
        return Duration.ofMillis(allowedMillis);
    }

    /** Returns whether that was enough for a shell that waits for nothing. */
    boolean hadTime() {
        return allowedMillis >= ENOUGH_MILLIS;
    }
}
