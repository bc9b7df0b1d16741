package dev.rowlock.policy;

import java.time.Instant;

/** Who goes first where not all can: each point of priority counts as much as a minute of waiting. */
public final class Priority {

    private Priority() {}

    /** The earlier, the sooner. It does not change while a task waits, so what waits can be kept in its order. */
    public static Instant rank(Instant since, int priority) {
        return since.minusSeconds(60L * priority);
    }
}
