package dev.rowlock.task.transition;

import dev.rowlock.db.SqlTime;
import dev.rowlock.task.Task;
import java.time.Instant;
import java.util.Comparator;

/** Position in the order of due rows, behind which a scan begins. The order is that of the index. */
public record DuePosition(Instant dueAt, int stripe, long id) {

    static final Comparator<DuePosition> IN_TURN = Comparator.comparing(DuePosition::dueAt)
            .thenComparingInt(DuePosition::stripe)
            .thenComparingLong(DuePosition::id);

    static final Comparator<Task> ORDER = Comparator.comparing(DuePosition::of, IN_TURN);

    static final String ORDER_BY = "t.due_at, t.stripe, t.id";

    /** Returns the position before the first row that was due then or later. */
    public static DuePosition at(Instant floor) {
        return new DuePosition(floor, -1, 0);
    }

    static DuePosition of(Task row) {
        return new DuePosition(row.due(), row.stripe(), row.id());
    }

    /** Returns a condition on {@code task t}: it lies behind this position. */
    String behind() {
        String from = " and t.due_at >= '" + SqlTime.text(dueAt) + "'";
        return stripe < 0
                ? from
                : from + " and (t.due_at > '" + SqlTime.text(dueAt) + "' or t.stripe > " + stripe + " or (t.stripe = "
                        + stripe + " and t.id > " + id + "))";
    }
}
