package dev.rowlock.exec;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One command, from its acceptance until nothing of it is left. Belongs to the watch's thread, but for what is volatile. */
final class Running implements ProcessTree.Marks {

    static final long NEVER = Long.MAX_VALUE;
    private static final long UNKILLABLE_AFTER = Duration.ofSeconds(5).toNanos();
    private static final long SAME = Duration.ofMillis(10).toNanos();

    final LaunchSpec spec;
    final OutputFile output;
    /** Asked for before there was a process; then none is made. */
    volatile @Nullable StopCause unwanted;

    private Duration unwantedGrace;
    /** Of its first process; 0 as long as there is none. */
    private int pid;

    private long bornTicks;
    long startedNanos;
    long endedNanos;
    private long timeoutAt = NEVER;
    private long killAt = NEVER;
    /** When KILL was first sent, which on a busy machine may be long after it was due. */
    private long killedAt = NEVER;
    /** When its processes are to be looked at next. */
    long lookAt = NEVER;

    private boolean exited;
    private int exitCode = -1;
    private @Nullable StopCause asked;
    private @Nullable StopCause stopped;
    private boolean survived;
    private @Nullable String remainder;
    /** The earliest KILL that was asked for, whether it has come to the watch's thread yet or not; guarded by this. */
    private long askedKillAt = NEVER;
    /** Like it, the cause that counts. */
    private @Nullable StopCause askedWhy;

    private final Set<Proc.Id> known = new HashSet<>();
    private final Set<Proc.Id> termed = new HashSet<>();

    Running(LaunchSpec spec, OutputFile output) {
        this.spec = spec;
        this.output = output;
        this.unwantedGrace = spec.killGrace();
    }

    void started(int firstPid, long bornAtTicks, long now) {
        pid = firstPid;
        bornTicks = bornAtTicks;
        startedNanos = now;
        lookAt = now + CommandWatch.LOOK_EVERY;
        if (spec.timeout() != null) {
            timeoutAt = now + spec.timeout().toNanos();
        }
        if (unwanted != null) {
            stop(unwanted, unwantedGrace, now);
        }
    }

    void exited(int code, long at, long now) {
        exited = true;
        exitCode = code;
        endedNanos = at;
        timeoutAt = NEVER;
        lookAt = now;
    }

    /** Whether this request changes anything: it wants KILL earlier than those before, or has a cause that counts. May be asked by any thread. */
    synchronized boolean isNews(StopCause why, long wantedKillAt) {
        boolean sooner = askedKillAt == NEVER || wantedKillAt - askedKillAt <= -SAME;
        boolean outranks = why.outranks(askedWhy);
        askedKillAt = sooner ? wantedKillAt : askedKillAt;
        askedWhy = outranks ? why : askedWhy;
        return sooner || outranks;
    }

    /** TERM at the next look, which is due now; KILL after the grace. The shortest grace counts. */
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
        lookAt = now;
    }

    boolean isTimedOut(long now) {
        return now >= timeoutAt;
    }

    long nextTimer() {
        return Math.min(timeoutAt, lookAt);
    }

    boolean isStarted() {
        return pid != 0;
    }

    /** Acts on what a look has found. True if nothing is left to be done: it has ended, and so has all it started. */
    boolean seen(List<Proc> members, Signals signals, long now) {
        known.clear(); // what is gone needs no remembering: a command may start processes for weeks
        members.forEach(member -> known.add(member.id()));
        termed.retainAll(known);
        if (exited && members.isEmpty()) {
            return true;
        }
        if (killedAt != NEVER && now - killedAt >= UNKILLABLE_AFTER && !members.isEmpty()) {
            giveUp(members, now);
            return true;
        }
        if (!exited && asked == null) {
            lookAt = now + CommandWatch.LOOK_EVERY;
            return false;
        }
        if (exited && remainder == null && asked == null) {
            remainder = "left behind and killed: " + names(members);
        }
        if (killAt == NEVER) {
            killAt = now + spec.killGrace().toNanos();
        }
        if (now >= killAt && killedAt == NEVER) {
            killedAt = now;
        }
        signal(members, signals, now >= killAt);
        lookAt = now < killAt ? Math.min(killAt, now + CommandWatch.LOOK_AGAIN) : now + CommandWatch.LOOK_AGAIN;
        return false;
    }

    /** What KILL does not end within seconds hangs in the kernel, or belongs to another user. */
    private void giveUp(List<Proc> members, long now) {
        survived = true;
        remainder = "could not be killed: " + names(members);
        if (!exited) {
            stopped = asked;
            endedNanos = now;
        }
    }

    private void signal(List<Proc> members, Signals signals, boolean kill) {
        for (Proc member : members) {
            if (!kill && !termed.add(member.id())) {
                continue;
            }
            boolean sent = kill ? signals.kill(member) : signals.term(member);
            if (sent && !exited && member.pid() == session()) {
                stopped = asked; // it was alive when it was told to end
            }
        }
    }

    Ended ended() {
        Ended.Kind kind = exitCode == Shell.TOO_LATE && output.isOnly(Shell.refusal(spec))
                ? Ended.Kind.TOO_LATE
                : Ended.Kind.EXITED;
        Integer signal = exitCode > 128 && exitCode <= 128 + 64 ? exitCode - 128 : null;
        if (kind == Ended.Kind.TOO_LATE) {
            return unrun(kind, null, "its deadline had passed", endedNanos);
        }
        return new Ended(
                spec.launchId(),
                kind,
                exitCode,
                signal,
                stopped,
                survived,
                note(),
                startedNanos,
                endedNanos,
                output.totalBytes());
    }

    private @Nullable String note() {
        String complaint = output.complaint();
        return remainder == null || complaint == null
                ? (remainder == null ? complaint : remainder)
                : remainder + "; " + complaint;
    }

    Ended notStarted(String why, long now) {
        return unrun(Ended.Kind.NOT_STARTED, unwanted, why, now);
    }

    Ended unguarded(long now) {
        return unrun(Ended.Kind.UNGUARDED, null, "there is no guard process, and without one nothing is started", now);
    }

    private Ended unrun(Ended.Kind kind, @Nullable StopCause why, String note, long now) {
        return new Ended(spec.launchId(), kind, -1, null, why, false, note, now, now, 0);
    }

    private static String names(List<Proc> members) {
        String first = members.stream().limit(5).map(Proc::toString).collect(Collectors.joining(", "));
        return members.size() <= 5 ? first : first + " and " + (members.size() - 5) + " more";
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
}
