package dev.rowlock.policy;

import dev.rowlock.job.Overlap;
import dev.rowlock.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the occurrences behind one that starts late: those that are due before it does would find it
 * executing. They are skipped together with its start, in one row of history, and the job is on time again. So a node
 * that was behind is soon back to normal, and does not run one by one what nobody profits from any more.
 *
 * <p>That row costs about as much as a start. While more goes on becoming due than a node can start, it would start
 * fewer, the more is due, and it would be late again at once. So there each occurrence has its turn, until they are
 * misfires.
 */
public final class PassedOver {

    /** A start that is no later is made good by the next one. */
    public static final Duration LATE = Duration.ofSeconds(3);

    private PassedOver() {}

    /** Whether an occurrence is so late that those behind it may be passed over. */
    public static boolean isLate(Duration late) {
        return late.compareTo(LATE) > 0;
    }

    /**
     * The fire times that are passed over; empty: each is decided by itself.
     *
     * @param fireTime of the occurrence that is late, and to start next
     * @param keepsUp whether the node can start what becomes due; else only those of jobs that ask for no more soon are
     * @param now what has its fire time after this is not due yet
     * @param misfires of the cluster; what is later than that is missed and not skipped, and the latest runs
     */
    public static Optional<Span> by(
            Instant fireTime, boolean keepsUp, FirePolicy policy, Schedule schedule, Instant now, Duration misfires) {
        return policy.passesOver()
                ? schedule.nextAfter(fireTime)
                        .filter(next -> !next.isAfter(now) && !isMisfire(next, policy, now, misfires))
                        .filter(next -> keepsUp || isLull(schedule, now))
                        .map(next -> Span.between(schedule, next, now))
                : Optional.empty();
    }

    /** Whether what follows a late occurrence is a misfire, to be settled with all that is behind it. */
    public static boolean isBeforeMisfires(
            Instant fireTime, FirePolicy policy, Schedule schedule, Instant now, Duration misfires) {
        return schedule.nextAfter(fireTime)
                .filter(next -> isMisfire(next, policy, now, misfires))
                .isPresent();
    }

    private static boolean isMisfire(Instant fireTime, FirePolicy policy, Instant now, Duration misfires) {
        return fireTime.isBefore(now.minus(policy.threshold(misfires)));
    }

    /** Whether the job asks for nothing for a while. */
    private static boolean isLull(Schedule schedule, Instant now) {
        return schedule.nextAfter(now)
                .filter(next -> !next.isAfter(now.plus(LATE)))
                .isEmpty();
    }

    /**
     * For people.
     *
     * @param executing the task of the job that executes; null: none does, and {@code task} is in the way
     */
    public static String reason(long task, @Nullable Long executing, long occurrences) {
        if (executing != null) {
            return OverlapDecision.stillExecuting(executing, Overlap.SKIP);
        }
        return "task " + task + ", an earlier occurrence that was late, had yet to start when "
                + (occurrences == 1 ? "this was" : "these were") + " due (overlap SKIP)";
    }
}
