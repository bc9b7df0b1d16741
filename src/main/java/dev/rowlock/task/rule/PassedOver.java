package dev.rowlock.task.rule;

import dev.rowlock.definition.Overlap;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Skipping of the occurrences behind one that starts late: those that are due before it starts would find it executing.
 * They are skipped together with its start, in one row of history, and the job is on time again. So a node that was
 * behind is soon back to normal, and does not run one by one what nobody needs any more.
 *
 * <p>That row costs about as much as a start. While more becomes due than a node can start, it would start fewer, the
 * more is due, and would be late again at once. So there each occurrence has its turn, until they are misfires.
 */
public final class PassedOver {

    /** Greatest lateness that the next start makes good. */
    public static final Duration LATE = Duration.ofSeconds(3);

    private PassedOver() {}

    /** Returns whether an occurrence is so late that those behind it may be passed over. */
    public static boolean isLate(Duration late) {
        return late.compareTo(LATE) > 0;
    }

    /**
     * Returns the fire times that are passed over, none of which is a misfire; empty: each is decided by itself.
     *
     * @param fireTime of the occurrence that is late, and to start next
     * @param keepsUp whether the node can start what becomes due; else only jobs without another fire time soon are
     *     passed over
     * @param now fire times after this are not due yet
     */
    public static Optional<Span> by(
            Instant fireTime, boolean keepsUp, FirePolicy policy, Schedule schedule, Instant now) {
        return policy.passesOver()
                ? schedule.nextAfter(fireTime)
                        .filter(next -> !next.isAfter(now) && (keepsUp || isLull(schedule, now)))
                        .map(next -> Span.between(schedule, next, now))
                : Optional.empty();
    }

    /**
     * Returns whether what follows an occurrence is a misfire, to be settled with all that is behind it.
     *
     * @param threshold that of the job
     */
    public static boolean isBeforeMisfires(Instant fireTime, Schedule schedule, Instant now, Duration threshold) {
        return schedule.nextAfter(fireTime)
                .filter(next -> MisfireDecision.isMisfire(Cause.SCHEDULE, Duration.between(next, now), threshold))
                .isPresent();
    }

    /** Returns whether the job has no fire time for a while. */
    private static boolean isLull(Schedule schedule, Instant now) {
        return schedule.nextAfter(now)
                .filter(next -> !next.isAfter(now.plus(LATE)))
                .isEmpty();
    }

    /**
     * Returns the reason, for people.
     *
     * @param task behind which they are
     * @param inTheWay the task of the job that executes, or {@code task}
     */
    public static String reason(long task, long inTheWay, long occurrences) {
        if (inTheWay != task) {
            return OverlapDecision.stillExecuting(inTheWay, Overlap.SKIP);
        }
        return "task " + task + ", an earlier occurrence that was late, had yet to start when "
                + (occurrences == 1 ? "this was" : "these were") + " due (overlap SKIP)";
    }
}
