package dev.rowlock.task.rule;

import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.Retry;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decision whether a task that failed is retried, as a new attempt at the same occurrence. A task that was killed on
 * request is not, and {@link RecoveryDecision} decides on lost ones.
 *
 * @param delay how long the new attempt waits
 */
public record RetryDecision(Duration delay) {

    /**
     * Thousandths by which the delay is varied at most, either way, so that tasks that failed together are not retried
     * together.
     */
    private static final int VARIED = 100;

    private static final int WHOLE = 1_000;

    /**
     * Facts of a failure.
     *
     * @param task the one that failed
     * @param failures how many attempts at the occurrence have failed or timed out, this one included; losses are not
     *     counted
     */
    public record FailureFacts(long task, long failures) {}

    /** Returns whether such an end is worth a retry, however many there have been. */
    public static boolean concerns(@Nullable Retry retry, Outcome outcome, @Nullable Integer exitCode) {
        if (retry == null) {
            return false;
        }
        return switch (outcome) {
            case FAILED ->
                retry.onExitCodes() == null
                        || (exitCode != null && retry.onExitCodes().contains(exitCode));
            case TIMED_OUT -> retry.onTimeout();
            case SUCCEEDED, KILLED, LOST, SKIPPED, MISSED, CANCELLED, EXPANDED -> false;
        };
    }

    /** Decides on a task whose end is worth a retry; empty: there have been enough, and its end is final. */
    public static Optional<RetryDecision> of(FailureFacts facts, Retry retry) {
        return facts.failures <= retry.max() ? Optional.of(new RetryDecision(delay(facts, retry))) : Optional.empty();
    }

    /**
     * Returns {@code backoff · 2^(n−1)} for the n-th retry, at most {@code maxBackoff}, then varied by a hash of the
     * task that failed.
     */
    static Duration delay(FailureFacts facts, Retry retry) {
        Duration delay = retry.backoff();
        for (long n = 1; n < facts.failures && delay.compareTo(retry.maxBackoff()) < 0; n++) {
            delay = delay.multipliedBy(2);
        }
        Duration capped = delay.compareTo(retry.maxBackoff()) < 0 ? delay : retry.maxBackoff();
        long thousandths = WHOLE - VARIED + Jitter.part(Long.toString(facts.task), 2 * VARIED + 1);
        return Duration.ofMillis(capped.toMillis() * thousandths / WHOLE);
    }
}
