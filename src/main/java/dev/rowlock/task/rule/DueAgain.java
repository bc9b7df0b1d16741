package dev.rowlock.task.rule;

import dev.rowlock.definition.Retry;
import dev.rowlock.task.Cause;
import dev.rowlock.task.rule.RetryDecision.FailureFacts;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Due time of an idle task whose time may have been written while the database's clock was ahead. A task that waits for
 * longer than it should, counted from the end of the attempt before it, was made or given back then. All others keep
 * their time: so it may be computed any number of times, by any node.
 */
public final class DueAgain {

    /** Least advance that changes a task's time: nodes know the database's time no better than that. */
    private static final Duration NOTICED = Duration.ofSeconds(1);

    private DueAgain() {}

    /**
     * Such a task, without a hold.
     *
     * @param occurrence whether it is the first attempt at a scheduled occurrence
     * @param scheduled when that is due
     * @param failures how many attempts have failed before it
     * @param losses how many were lost before it, except to a node that was stopped
     * @param before the attempt before it; null: there is none, or nothing is known of it any more
     */
    public record DueFacts(
            Cause cause,
            boolean occurrence,
            Instant scheduled,
            Instant dueAt,
            long failures,
            long losses,
            @Nullable Before before) {}

    /** Attempt that a task repeats. */
    public record Before(long task, Instant endedAt) {}

    /**
     * Returns when it is due: as before, or earlier.
     *
     * @param retry that of the job; null: there is none that this version understands
     */
    public static Instant of(DueFacts task, @Nullable Retry retry, Instant now) {
        Instant due = later(due(task, retry, now), now);
        return due.plus(NOTICED).isBefore(task.dueAt) ? due : task.dueAt;
    }

    private static Instant due(DueFacts task, @Nullable Retry retry, Instant now) {
        if (task.occurrence) {
            return task.scheduled;
        }
        Before before = task.before;
        if (task.cause == Cause.RETRY) {
            if (before == null || retry == null) {
                return task.dueAt;
            }
            Instant ended = before.endedAt.isAfter(now) ? now : before.endedAt;
            return ended.plus(RetryDecision.delay(new FailureFacts(before.task, task.failures), retry));
        }
        // What was lost for the first time waits for nothing; how long others do is a setting of the node that lost it.
        boolean waits = task.cause == Cause.RECOVERY && task.losses > 1;
        return waits && (before == null || !before.endedAt.isAfter(now)) ? task.dueAt : now;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
