package dev.rowlock.task.rule;

import java.time.Instant;

/** Order where not all can go: each point of priority counts as much as a minute of waiting. */
public final class Priority {

    private Priority() {}

    /**
     * Returns the rank: the earlier, the sooner. It does not change while a task waits, so waiting tasks can be kept in
     * its order.
     */
    public static Instant rank(Instant since, int priority) {
        return since.minusSeconds(60L * priority);
    }
}
