package dev.rowlock.cluster;

import java.time.Instant;

/** Refusal to change anything while this node doubts the time shown by the database's clock. */
public final class ClockInDoubt extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClockInDoubt(String message) {
        super(message, null, false, false);
    }

    /** @throws ClockInDoubt this node does not believe that the database's time is {@code shown} */
    public static void check(DatabaseClock clock, Instant shown) {
        if (!clock.isKnown()) {
            throw new ClockInDoubt("this node has just started and does not know the database's time yet; try again");
        }
        if (!clock.isBelieved(shown)) {
            throw new ClockInDoubt("the database's clock leapt ahead and shows " + shown
                    + ", this node expects " + clock.now()
                    + ": no job is created, changed, deleted or run by a wrong time. Set the clock back, or say that"
                    + " it is right with POST /api/v1/cluster/clock/accept, or wait until it has stood for "
                    + DatabaseClock.STANDS.toMinutes() + " minutes; then try again");
        }
    }
}
