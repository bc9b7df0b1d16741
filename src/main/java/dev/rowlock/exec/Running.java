package dev.rowlock.exec;

import dev.rowlock.exec.Gate.GateRefusal;
import dev.rowlock.exec.output.OutputFile;
import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcessSignals;
import dev.rowlock.exec.process.ProcessTree;
import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Running command, until nothing of it is left. For the watch's thread; all else is thread-safe. */
final class Running implements ProcessTree.Marks {

    static final long NEVER = Long.MAX_VALUE;
    private static final long UNKILLABLE_AFTER = Duration.ofSeconds(5).toNanos();

    final LaunchSpec spec;
    final OutputFile output;
    final Making making;
    final StopRequests requests = new StopRequests();

    /** Set once its shell is known to have passed the gate. */
    private boolean passed;
    /** Set if it was at the gate at the last scan, and had been for longer than a shell needs. */
    private boolean waiting;
    /** Set if it was killed because it was at the gate past its deadline. */
    private boolean hung;

    private Duration unwantedGrace;
    /** Pid of its first process; 0 while there is none. */
    private int pid;

    private CompletableFuture<Integer> exit = new CompletableFuture<>();
    Provision provision = Provision.NONE; // taken back when its end was told

    private long bornTicks;
    long startedNanos;
    long endedNanos;
    private long timeoutAt = NEVER;
    private long killAt = NEVER;
    /** Time when KILL was first sent, which on a busy machine may be long after it was due. */
    private long killedAt = NEVER;
    /** Time of the next scan of its processes. */
    long scanAt = NEVER;

    private boolean exited;
    private int exitCode = -1;
    private @Nullable StopCause asked;
    private @Nullable StopCause stopped;
    private boolean survived;
    private @Nullable String remainder;
    private final Set<Proc.Id> known = new HashSet<>();
    private final Set<Proc.Id> termed = new HashSet<>();

    /** @param within the time for its shell to be made and to come to the command */
    Running(LaunchSpec spec, OutputFile output, Duration within) {
        this.spec = spec;
        this.output = output;
        this.making = new Making(spec.deadlineUptimeMillis(), within);
        this.unwantedGrace = spec.killGrace();
    }

    void started(Child child, long bornAtTicks, long asked, long now) {
        pid = child.pid();
        exit = child.exit();
        provision = child.provision();
        bornTicks = bornAtTicks;
        startedNanos = asked;
        scanAt = now + CommandWatch.SCAN_EVERY;
        if (spec.timeout() != null) {
            timeoutAt = now + spec.timeout().toNanos(); // all of it, from when its process was there
        }
        StopCause unwanted = requests.why();
        if (unwanted != null) {
            stop(unwanted, unwantedGrace, now);
        }
    }

    void exited(int code, long at, long now) {
        exited = true;
        exitCode = code;
        endedNanos = at;
        timeoutAt = NEVER;
        scanAt = now;
    }

    /** Stops it: TERM at the next scan, which is due now; KILL after the grace. The shortest grace counts. */
    void stop(StopCause why, Duration grace, long now) {
        if (pid == 0) {
            unwantedGrace = grace.compareTo(unwantedGrace) < 0 ? grace : unwantedGrace;
            return;
        }
        if (!exited && why.outranks(asked)) {
            asked = why;
            stopped = stopped == null ? null : why;
        }
        timeoutAt = NEVER;
        killAt = Math.min(killAt, now + grace.toNanos());
        scanAt = now;
    }

    /** Returns the exit of its first process, once there is one. */
    CompletableFuture<Integer> exit() {
        return exit;
    }

    boolean isTimedOut(long now) {
        return now >= timeoutAt;
    }

    /** Returns whether it may still be at the gate. */
    boolean isToBeSeenPassing() {
        return isStarted() && !exited && !passed;
    }

    /** Notes what a scan has shown of a shell that had not ended. Past the deadline of the gate it is killed there. */
    void seenAtGate(boolean atGate, long uptimeMillis, long now) {
        passed = !atGate;
        waiting = atGate && now - startedNanos >= Making.SLOW;
        if (waiting && asked == null && !hung && making.isPastGate(uptimeMillis)) {
            hung = true;
            timeoutAt = NEVER;
            killAt = now;
        }
    }

    /** Returns what it has waited for at its beginning for some seconds, for people; null if it has not. */
    @Nullable
    String hindrance(long now) {
        return waiting && !exited && now - startedNanos >= Making.HANGS_AFTER.toNanos() ? Gate.whereabouts(spec) : null;
    }

    /** Returns whether it hangs at its gate so that not even KILL ends it. */
    boolean isStuckAtGate() {
        return waiting && survived && !exited;
    }

    long nextTimer() {
        return Math.min(timeoutAt, scanAt);
    }

    boolean isStarted() {
        return pid != 0;
    }

    /**
     * Acts on what a scan has found. Returns whether nothing is left to be done: it has ended, and so has all it
     * started.
     */
    boolean seen(List<Proc> processes, ProcessSignals signals, long now) {
        known.clear(); // what is gone needs no remembering: a command may start processes for weeks
        processes.forEach(process -> known.add(process.id()));
        termed.retainAll(known);
        if (exited && processes.isEmpty()) {
            return true;
        }
        if (killedAt != NEVER && now - killedAt >= UNKILLABLE_AFTER && !processes.isEmpty()) {
            giveUp(processes, now);
            return true;
        }
        if (!exited && asked == null && !hung) {
            scanAt = now + CommandWatch.SCAN_EVERY;
            return false;
        }
        if (exited && remainder == null && asked == null && !hung) {
            remainder = "left behind and killed: " + Proc.names(processes);
        }
        if (killAt == NEVER) {
            killAt = now + spec.killGrace().toNanos();
        }
        if (now >= killAt && killedAt == NEVER) {
            killedAt = now;
        }
        signal(processes, signals, now >= killAt);
        scanAt = now < killAt ? Math.min(killAt, now + CommandWatch.SCAN_AGAIN) : now + CommandWatch.SCAN_AGAIN;
        return false;
    }

    /**
     * Gives up on processes that KILL does not end within seconds: they hang in the kernel, or belong to another user.
     */
    private void giveUp(List<Proc> processes, long now) {
        survived = true;
        remainder = "could not be killed: " + Proc.names(processes);
        if (!exited) {
            stopped = asked;
            endedNanos = now;
        }
    }

    private void signal(List<Proc> processes, ProcessSignals signals, boolean kill) {
        for (Proc process : processes) {
            if (!kill && !termed.add(process.id())) {
                continue;
            }
            boolean sent = kill ? signals.kill(process) : signals.term(process);
            if (sent && !exited && process.pid() == session()) {
                stopped = asked; // it was alive when it was told to end
            }
        }
    }

    Ended ended() {
        if (hung) {
            return neverBegan(
                    remainder == null ? Gate.whereabouts(spec) : Gate.whereabouts(spec) + "; " + remainder, endedNanos);
        }
        Optional<GateRefusal> refused = Gate.refusal(exitCode, spec, output);
        if (refused.isPresent()) {
            return refused.get().refusal() == Gate.Refusal.TOO_LATE
                    ? tooLate(endedNanos)
                    : unrun(ExitKind.NOT_STARTED, null, refused.get().reason(), endedNanos);
        }
        return new Ended(
                spec.launchId(),
                ExitKind.EXITED,
                exitCode,
                exitCode > 128 && exitCode <= 128 + 64 ? exitCode - 128 : null,
                stopped,
                survived,
                joined(waiting ? "it had not begun: " + Gate.whereabouts(spec) : null, note()),
                startedNanos,
                endedNanos,
                output.totalBytes(),
                provision.memory());
    }

    private @Nullable String note() {
        return joined(joined(provision.exceeded(spec, exitCode), remainder), output.complaint());
    }

    @Override
    public Set<Integer> members() {
        return provision.members();
    }

    private static @Nullable String joined(@Nullable String one, @Nullable String other) {
        return one == null || other == null ? (one == null ? other : one) : one + "; " + other;
    }

    Ended notStarted(String why, long now) {
        return unrun(ExitKind.NOT_STARTED, requests.why(), why, now);
    }

    Ended hostRefused(String why, long now) {
        return requests.why() == null ? unrun(ExitKind.HOST_REFUSED, null, why, now) : notStarted(why, now);
    }

    Ended unguarded(long now) {
        return unrun(ExitKind.UNGUARDED, null, "there is no guard process, and without one nothing is started", now);
    }

    /**
     * Returns the end of a start that hung. If there was no time for one, as the deadline was near, that is not the
     * command's failure.
     */
    Ended neverBegan(String why, long now) {
        return making.hadTime()
                ? notStarted("it had not begun after " + Durations.format(making.allowed()) + "; " + why, now)
                : tooLate(now);
    }

    /** Returns the end of a command whose process was requested, but may never have existed. */
    Ended unknown(long now) {
        return unrun(
                ExitKind.UNKNOWN,
                requests.why(),
                "it is not known whether it began: its process was not made within "
                        + Durations.format(making.allowed()),
                now);
    }

    private Ended tooLate(long now) {
        return unrun(ExitKind.TOO_LATE, null, Gate.tooLate(spec).reason(), now);
    }

    private Ended unrun(ExitKind kind, @Nullable StopCause why, @Nullable String note, long now) {
        return new Ended(spec.launchId(), kind, -1, null, why, survived, note, now, now, 0, null);
    }

    @Override
    public String launchId() {
        return spec.launchId().text();
    }

    @Override
    public int session() {
        return pid == 0 ? -1 : pid;
    }

    @Override
    public long bornTicks() {
        return bornTicks;
    }

    @Override
    public boolean firstIsGone() {
        return exited;
    }

    @Override
    public Set<Proc.Id> known() {
        return known;
    }

    /** Requests to end a command, whether they have reached the watch's thread yet or not. Thread-safe. */
    static final class StopRequests {

        private static final long SAME = Duration.ofMillis(10).toNanos();

        /** Earliest time of KILL. */
        private long killAt = Running.NEVER;

        private volatile @Nullable StopCause why;

        /**
         * Adds a request; returns whether it changes anything: it wants KILL earlier than those before, or has a cause
         * that counts.
         */
        synchronized boolean add(StopCause cause, long wantedKillAt) {
            boolean sooner = killAt == Running.NEVER || wantedKillAt - killAt <= -SAME;
            boolean outranks = cause.outranks(why);
            killAt = sooner ? wantedKillAt : killAt;
            why = outranks ? cause : why;
            return sooner || outranks;
        }

        /**
         * Returns the cause that counts; null if there is no request. Once there is one, no process is created any
         * more.
         */
        @Nullable
        StopCause why() {
            return why;
        }
    }
}
