package dev.rowlock.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Decision of what the end of a run means to a rule. A success closes the rule's alerts of the job, see
 * {@link #recovers}.
 */
public final class RunDecision {

    /** Minimum number of durations that show what is usual. */
    public static final int FEWEST_SAMPLES = 20;

    /** Duration that is never too long: a run that takes milliseconds may take seconds on a busy node. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private RunDecision() {}

    /**
     * Further facts about the job.
     *
     * @param streak how many runs in a row have failed, this one included; of a success, before it; 0: it does not
     *     matter
     * @param everSucceeded whether any run of it has
     * @param since when the job was created
     * @param p95Millis what 95 % of its runs take at most; null: too few are known
     */
    public record TrackRecord(
            int streak,
            boolean everSucceeded,
            Instant since,
            @Nullable Long p95Millis) {}

    /**
     * Returns the conditions that this run meets. The caller checks whether they were announced before.
     *
     * @param when those that matter
     */
    static List<AlertCondition> raises(AlertRule rule, List<AlertCondition> when, JobRun run, TrackRecord facts) {
        if (run.declined()) {
            return List.of();
        }
        List<AlertCondition> met = new ArrayList<>();
        for (AlertCondition condition : when) {
            boolean meets = switch (condition) {
                case FAILED -> run.failed();
                case FAILED_IN_A_ROW -> run.failed() && rule.times() != null && facts.streak() >= rule.times();
                case NOT_STARTED_BY -> isLate(rule, run);
                case NEVER_SUCCEEDED ->
                    (run.failed() || run.missed())
                            && !facts.everSucceeded()
                            && !facts.since().plus(rule.age()).isAfter(run.endedAt());
                case TOO_LONG -> exceeds(run.durationMillis(), longest(rule, facts.p95Millis()));
                case TOO_SHORT -> run.succeeded() && run.durationMillis() != null && isShort(rule, run);
                case NOT_FINISHED_BY,
                        AT_RISK,
                        RECOVERED,
                        NODE_LOST,
                        DATABASE_AWAY,
                        VERIFICATION_FAILED,
                        TOKEN_EXPIRING -> false;
            };
            if (meets) {
                met.add(condition);
            }
        }
        return met;
    }

    /** Returns whether a success closes the alerts of its job. */
    static boolean recovers(JobRun run) {
        return run.succeeded();
    }

    /** Returns the duration from which {@code TOO_LONG} may be met, for any job. */
    public static Duration shortest(AlertRule rule) {
        return rule.warnAfter() == null ? SHORTEST : rule.warnAfter();
    }

    /** Returns whether a run took so long that the usual duration of its job matters. */
    public static boolean mayBeTooLong(JobRun run) {
        return exceeds(run.durationMillis(), SHORTEST);
    }

    /** Returns the duration from which {@code TOO_LONG} is met for a job; null if that is not known yet. */
    public static @Nullable Duration longest(AlertRule rule, @Nullable Long p95Millis) {
        if (rule.warnAfter() != null) {
            return rule.warnAfter();
        }
        return rule.p95Factor() == null || p95Millis == null
                ? null
                : Duration.ofMillis(Math.max(SHORTEST.toMillis(), p95Millis * rule.p95Factor()));
    }

    /** Returns the limit that was exceeded, or not reached; empty if the condition has none. */
    static OptionalLong limitMillis(AlertRule rule, AlertCondition condition, @Nullable Long p95Millis) {
        Duration limit = switch (condition) {
            case TOO_LONG -> longest(rule, p95Millis);
            case TOO_SHORT -> rule.atLeast();
            case NOT_STARTED_BY -> rule.deadline();
            default -> null;
        };
        return limit == null ? OptionalLong.empty() : OptionalLong.of(limit.toMillis());
    }

    private static boolean exceeds(@Nullable Long millis, @Nullable Duration longest) {
        return millis != null && longest != null && millis >= longest.toMillis();
    }

    private static boolean isShort(AlertRule rule, JobRun run) {
        return rule.atLeast() != null
                && run.durationMillis() != null
                && run.durationMillis() < rule.atLeast().toMillis();
    }

    private static boolean isLate(AlertRule rule, JobRun run) {
        if (rule.deadline() == null || run.attempt() != 1 || run.origin().isOfThePast()) {
            return false;
        }
        return run.missed()
                || (run.startedAt() != null
                        && run.startedAt().isAfter(run.fireTime().plus(rule.deadline())));
    }
}
