package dev.rowlock.node.scheduler;

import dev.rowlock.node.EngineSettings;
import dev.rowlock.task.transition.DuePosition;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Number of further tasks for which this node has room, and how far ahead it prepares.
 *
 * @param left for tasks that are due
 * @param found up to when all that waits was found, if more does; null: that was all within the horizon
 */
record PrepareBudget(int left, @Nullable Instant found, EngineSettings settings) {

    /** Returns the budget after a scan that ended there; null: it has found all there is. */
    static PrepareBudget after(@Nullable DuePosition end, int left, EngineSettings settings) {
        return new PrepareBudget(left, end == null ? null : end.dueAt(), settings);
    }

    /** Returns the room for tasks that are not due yet: what is due must not wait until they are fired. */
    int leftAhead() {
        return left - kept();
    }

    private int kept() {
        return Math.min(settings.batch(), settings.preparedLimit() / 10);
    }

    /**
     * Returns until when occurrences of a job are made ahead. The less room is left, the fewer, so that frequent jobs
     * leave some for others; and while more waits than was found, none that comes after that.
     *
     * @param own whether the job is of a stripe that this node prefers
     * @param planned for how many tasks the room is taken already
     */
    Instant until(Instant now, boolean own, int planned) {
        Duration most = own ? settings.horizon() : settings.spill();
        int room = Math.max(0, leftAhead() - planned);
        Instant share = now.plus(most.multipliedBy(room).dividedBy(settings.preparedLimit() - kept()));
        return found != null && found.isBefore(share) ? found : share;
    }
}
