package dev.rowlock.task.rule;

import dev.rowlock.definition.OnLost;
import java.time.Duration;
import java.util.Optional;

/**
 * Decision whether a task that was lost with its node is run again, as a new attempt at the same occurrence.
 *
 * <p>{@code maxLost} keeps a command that kills its nodes from killing all of them. Losses to a node that was stopped
 * do not count against it: they have a limit of their own, as a command may stop its node too.
 *
 * @param delay how long the new attempt waits
 */
public record RecoveryDecision(Duration delay) {

    /** Bound on new attempts at an occurrence that nodes had to end because they were stopped. */
    static final int MOST_STOPS = 10;

    private static final Duration LONGEST_DELAY = Duration.ofDays(1);

    /**
     * Facts of a loss.
     *
     * @param losses how often the occurrence was lost, this loss included
     * @param stops how many of these losses were to a node that was stopped
     * @param replaced whether it was to be killed for another task, which runs instead
     * @param nodeGone whether it is a node's part in a broadcast, which no other node runs, and the node is not back
     */
    public record LossFacts(OnLost onLost, long losses, long stops, boolean replaced, boolean nodeGone) {

        public LossFacts(OnLost onLost, long losses, long stops) {
            this(onLost, losses, stops, false, false);
        }
    }

    /**
     * Limits of new attempts.
     *
     * @param maxLost how often one occurrence is run again after it was lost; 0: never
     * @param backoff the delay before the second new attempt, doubled with each further one, up to a day
     */
    public record RecoveryLimits(int maxLost, Duration backoff) {}

    /** Decides on a loss; empty: the task stays lost. */
    public static Optional<RecoveryDecision> of(LossFacts facts, RecoveryLimits limits) {
        long counted = facts.losses - facts.stops;
        boolean again = facts.onLost == OnLost.RERUN
                && !facts.replaced
                && !facts.nodeGone
                && limits.maxLost > 0
                && counted <= limits.maxLost
                && facts.stops <= MOST_STOPS;
        return again ? Optional.of(new RecoveryDecision(delay(counted, limits.backoff))) : Optional.empty();
    }

    private static Duration delay(long counted, Duration backoff) {
        if (counted <= 1) {
            return Duration.ZERO;
        }
        Duration delay = backoff;
        for (long n = 2; n < counted && delay.compareTo(LONGEST_DELAY) < 0; n++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
    }
}
