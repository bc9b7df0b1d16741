package dev.rowlock.node.recorder;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Outcome;
import dev.rowlock.exec.Ended;
import dev.rowlock.exec.ExitKind;
import dev.rowlock.exec.StopCause;
import dev.rowlock.field.Times;
import dev.rowlock.node.Executing;
import dev.rowlock.node.LocalTasks;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.schedule.Durations;
import dev.rowlock.task.Ending;
import dev.rowlock.task.FollowUp;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.rule.RetryDecision;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Handler of exits: turns the exit of a command into the result of its task, which goes into the queue. */
public final class Exits implements Consumer<Ended> {

    private static final Logger log = LoggerFactory.getLogger(Exits.class);
    private static final int KILL = 9;
    /** Exit code of shells for a program that is a directory, or lacks the permission, or its interpreter. */
    private static final int NOT_EXECUTABLE = 126;

    private static final int NOT_FOUND = 127;
    /** Time by which the guard may be ahead of our own fence: it reads the machine's uptime in steps of 10 ms. */
    private static final Duration GUARD_AHEAD = Duration.ofMillis(50);

    private final NodeContext node;
    private final LocalTasks localTasks;
    private final Lease lease;
    private final DatabaseClock clock;
    private final ResultQueue queue;

    Exits(NodeContext node, ResultQueue queue) {
        this.node = node;
        this.localTasks = node.localTasks();
        this.lease = node.lease();
        this.clock = node.clock();
        this.queue = queue;
    }

    /** Handles an end; where others wait for the result to be recorded, that is signalled first. */
    @Override
    public void accept(Ended ended) {
        localTasks.executing(ended.launchId()).ifPresent(executing -> note(ended, executing));
        node.signals().tell(Signal.COMMAND_ENDED);
    }

    private void note(Ended ended, Executing executing) {
        LaunchId launch = ended.launchId();
        if (wasNeverTried(ended)) {
            node.traces().ended(executing, null);
            localTasks.dropExecuting(launch); // the table still says executing: compensation gives it back
            return;
        }
        Ending ending = ending(ended, executing);
        node.counts().ended(executing, ending);
        @Nullable String trace = node.traces().ended(executing, ending);
        if (ending.outcome() == Outcome.FAILED || ending.outcome() == Outcome.TIMED_OUT) {
            warn(executing, ending, trace);
        }
        queue.add(ending);
        localTasks.ended(launch, node.nanos().getAsLong());
        if (executing.task().queued() && ending.followUp() != null) {
            node.signals().tell(Signal.AWAITED_ENDED); // what it waited for itself, others probably do
        }
    }

    /** Logs a failure; with {@code log.format: json} its task is named in fields of their own. */
    private static void warn(Executing executing, Ending ending, @Nullable String trace) {
        LoggingEventBuilder line = log.atWarn()
                .addKeyValue("job", executing.definition().key().toString())
                .addKeyValue("task", executing.task().id())
                .addKeyValue("launch", executing.launch().text());
        (trace == null ? line : line.addKeyValue("trace", trace))
                .log(
                        "task {} of {}, asked for {}, attempt {}: {}: {}",
                        ending.taskId(),
                        executing.definition().key(),
                        Times.text(executing.task().fireTime()),
                        executing.task().attempt(),
                        ending.outcome(),
                        ending.reason());
    }

    /**
     * Returns whether it was refused by its gate or its host, or ended before there was a process and not on request.
     */
    private static boolean wasNeverTried(Ended ended) {
        return switch (ended.kind()) {
            case TOO_LATE, UNGUARDED, HOST_REFUSED -> true;
            case NOT_STARTED -> ended.stopped() == StopCause.FENCE || ended.stopped() == StopCause.SHUTDOWN;
            case EXITED, UNKNOWN -> false;
        };
    }

    private Ending ending(Ended ended, Executing executing) {
        Outcome outcome = outcome(ended, executing);
        boolean ran = ended.kind() == ExitKind.EXITED;
        @Nullable Integer exitCode = ran && ended.exitCode() >= 0 ? ended.exitCode() : null;
        return new Ending(
                executing.task().ref(),
                outcome,
                reason(outcome, ended, executing),
                clock.at(ended.endedNanos()),
                ran
                        ? Duration.ofNanos(ended.endedNanos() - ended.startedNanos())
                                .toMillis()
                        : null,
                exitCode,
                ended.signal(),
                ended.outputBytes(),
                null,
                followUp(ended, executing, outcome, exitCode),
                ended.memory());
    }

    /** Returns what follows. A process that cannot be killed may still do its work: it is not retried meanwhile. */
    private static @Nullable FollowUp followUp(
            Ended ended, Executing executing, Outcome outcome, @Nullable Integer exitCode) {
        JobDefinition job = executing.definition();
        boolean again = !ended.survived() && RetryDecision.concerns(job.retry(), outcome, exitCode);
        return FollowUp.of(
                again ? job.retry() : null,
                executing.policy().wakesAs(executing.started().overrides().overlap())
                        || executing.task().origin().isBackfill(),
                job.group() != null,
                job.stopOnFailure() && (outcome == Outcome.FAILED || outcome == Outcome.TIMED_OUT));
    }

    private Outcome outcome(Ended ended, Executing executing) {
        if (ended.kind() == ExitKind.NOT_STARTED) {
            return ended.stopped() == null ? Outcome.FAILED : Outcome.KILLED;
        }
        if (ended.kind() == ExitKind.UNKNOWN) {
            return ended.stopped() == StopCause.REQUEST ? Outcome.KILLED : Outcome.LOST;
        }
        if (wasFenced(ended, executing)) {
            return Outcome.LOST;
        }
        @Nullable StopCause stopped = ended.stopped();
        if (stopped == null) {
            return outcome(ended, executing.definition());
        }
        return switch (stopped) {
            case TIMEOUT -> Outcome.TIMED_OUT;
            case REQUEST -> ended.survived() ? Outcome.FAILED : Outcome.KILLED;
            // What cannot be killed may still do its work: it is not run a second time meanwhile.
            case SHUTDOWN -> ended.survived() ? Outcome.FAILED : Outcome.LOST;
            case FENCE -> Outcome.LOST;
        };
    }

    private static Outcome outcome(Ended ended, JobDefinition job) {
        if (job.successExitCodes().contains(ended.exitCode())) {
            return Outcome.SUCCEEDED;
        }
        return ended.signal() == null && job.declinesWith(ended.exitCode()) ? Outcome.SKIPPED : Outcome.FAILED;
    }

    /**
     * Returns whether it ended after the trust in its session. What ended before keeps its outcome, however late that
     * is delivered.
     */
    private boolean wasFenced(Ended ended, Executing executing) {
        long until = lease.last()
                .filter(t -> t.sessionId().equals(executing.trust().sessionId()))
                .orElse(executing.trust())
                .untilNanos();
        boolean byGuard = ended.signal() != null && ended.signal() == KILL && ended.stopped() == null;
        return ended.endedNanos() - until >= (byGuard ? -GUARD_AHEAD.toNanos() : 0);
    }

    private static @Nullable String reason(Outcome outcome, Ended ended, Executing executing) {
        String text = switch (outcome) {
            case LOST -> ended.kind() == ExitKind.UNKNOWN ? "" : lost(ended);
            case TIMED_OUT ->
                "ran longer than its timeout of "
                        + Durations.format(
                                Objects.requireNonNull(executing.definition().timeout()));
            case KILLED -> stopped(ended);
            case SKIPPED -> "the command declined (exit code " + ended.exitCode() + ")";
            case FAILED -> ended.kind() == ExitKind.NOT_STARTED ? "could not be started" : failure(ended);
            default -> "";
        };
        String note = ended.note() == null ? "" : ended.note();
        String joined = text.isEmpty() || note.isEmpty() ? text + note : text + "; " + note;
        return joined.isEmpty() ? null : joined;
    }

    private static String lost(Ended ended) {
        return ended.stopped() == StopCause.SHUTDOWN
                ? Ending.NODE_STOPPED
                : "the node lost its session while the command ran, and ended it";
    }

    private static String stopped(Ended ended) {
        return ended.stopped() == StopCause.SHUTDOWN ? Ending.NODE_STOPPED : Ending.ON_REQUEST;
    }

    private static String failure(Ended ended) {
        if (ended.stopped() != null) {
            return stopped(ended); // or so it should have been: the note says what is still there
        }
        return ended.signal() == null ? exitCode(ended.exitCode()) : "ended by signal " + ended.signal();
    }

    private static String exitCode(int code) {
        return "exit code " + code
                + switch (code) {
                    case NOT_EXECUTABLE -> ": usually what it should run was found, but cannot be executed";
                    case NOT_FOUND -> ": usually what it should run was not found";
                    default -> "";
                };
    }
}
