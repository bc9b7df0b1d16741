package dev.rowlock.task.rule;

import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Origin;
import java.time.Instant;
import java.util.Optional;

/**
 * Fire times that were recorded as missed or skipped while the database's clock was ahead, and have not come now that
 * it is right. Their rows stay, but no longer stand for fire times of the schedule.
 */
public final class PrematureMisfires {

    /** Origin of such rows from then on. */
    public static final Origin ORIGIN = Origin.of("clock");

    /** Reason why such rows are cancelled. */
    public static final String REASON = "had not come: the database's clock was ahead when this was recorded";

    private PrematureMisfires() {}

    /**
     * Division of a row of history in two.
     *
     * @param id the row, which stands for {@code come} from now on
     * @param rest goes into a row of its own, as cancelled
     */
    public record RowSplit(long id, Span come, Span rest) {}

    /**
     * Returns the division; empty: all that the row stands for has come.
     *
     * @param recorded what the row stands for
     * @param schedule the one in force when it was written
     */
    public static Optional<RowSplit> cut(long id, Span recorded, Schedule schedule, Instant now) {
        Span come = Span.between(schedule, recorded.first(), now);
        long rest = recorded.count() - come.count();
        if (rest <= 0) {
            return Optional.empty();
        }
        Instant first = schedule.nextAfter(come.last()).orElse(recorded.last());
        return Optional.of(new RowSplit(id, come, new Span(first, recorded.last(), rest)));
    }
}
