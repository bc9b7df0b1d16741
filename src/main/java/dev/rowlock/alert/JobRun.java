package dev.rowlock.alert;

import dev.rowlock.job.Cause;
import dev.rowlock.job.JobKey;
import dev.rowlock.job.Outcome;
import dev.rowlock.task.Origin;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What ended, as history has it.
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

    private static final Set<Outcome> NOT_RUN =
            Set.of(Outcome.SKIPPED, Outcome.MISSED, Outcome.CANCELLED, Outcome.EXPANDED);
    private static final Set<Cause> FURTHER = Set.of(Cause.RETRY, Cause.RECOVERY);

    /** Whether an occurrence has failed, and nobody tries it again. What was to be a further attempt counts as one. */
    public boolean failed() {
        if (triedAgain || outcome == Outcome.SUCCEEDED || outcome == Outcome.EXPANDED) {
            return false;
        }
        return !NOT_RUN.contains(outcome) || (outcome != Outcome.CANCELLED && FURTHER.contains(cause));
    }

    public boolean succeeded() {
        return outcome == Outcome.SUCCEEDED;
    }

    /** Whether it is the first attempt at what the schedule or a person asked for, and nobody ran it in time. */
    public boolean missed() {
        return outcome == Outcome.MISSED && !FURTHER.contains(cause);
    }

    /** What its alerts are about: the job, or its part on one node. */
    public String subject() {
        return subject(job, origin);
    }

    /** Likewise, of a task that has not ended. */
    public static String subject(long job, Origin origin) {
        return "job:" + job + (origin.isPart() ? "@" + origin.node() : "");
    }
}
