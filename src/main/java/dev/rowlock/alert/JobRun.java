package dev.rowlock.alert;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Origin;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ended run, as history has it.
 *
 * @param labels of the job, as of that version
 * @param triedAgain whether there is a further attempt: then it decides
 */
public record JobRun(
        long task,
        long job,
        JobKey key,
        Map<String, String> labels,
        Instant fireTime,
        Origin origin,
        int attempt,
        Cause cause,
        Outcome outcome,
        @Nullable String reason,
        @Nullable String node,
        @Nullable Instant startedAt,
        Instant endedAt,
        @Nullable Long latenessMillis,
        @Nullable Long durationMillis,
        @Nullable Integer exitCode,
        boolean triedAgain) {

    private static final Set<Cause> FURTHER = Set.of(Cause.RETRY, Cause.RECOVERY);

    /** Returns whether its command declined: no alert is raised, and what is open stays. */
    public boolean declined() {
        return outcome == Outcome.SKIPPED && startedAt != null;
    }

    /** Returns whether an occurrence has failed for good. A further attempt that never ran counts as failed. */
    public boolean failed() {
        if (triedAgain || outcome == Outcome.SUCCEEDED || outcome == Outcome.EXPANDED || declined()) {
            return false;
        }
        return outcome.isOfRun() || (outcome != Outcome.CANCELLED && FURTHER.contains(cause));
    }

    public boolean succeeded() {
        return outcome == Outcome.SUCCEEDED;
    }

    /** Returns whether this is the first attempt at a scheduled or requested occurrence, and it was not run in time. */
    public boolean missed() {
        return outcome == Outcome.MISSED && !FURTHER.contains(cause);
    }

    /** Returns the subject of its alerts: the job, or its part on one node. */
    public String subject() {
        return subject(job, origin);
    }

    /** Returns the subject of alerts about a task that has not ended. */
    public static String subject(long job, Origin origin) {
        return "job:" + job + (origin.isPart() ? "@" + origin.node() : "");
    }
}
