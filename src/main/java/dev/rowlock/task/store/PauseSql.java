package dev.rowlock.task.store;

import dev.rowlock.task.Origin;
import dev.rowlock.task.history.OriginSql;

/**
 * SQL of pauses. The pause of a job holds all scheduled tasks (origin {@code ''}) and those of backfills, with their
 * retries and recoveries. Requested runs go on, and so do their retries and recoveries.
 */
public final class PauseSql {

    /**
     * Condition on {@code task t}: its job's pause would hold it, see {@link Origin#isScheduled} and
     * {@link Origin#isBackfill}.
     */
    public static final String CONCERNS = "(" + OriginSql.isScheduled("t") + " or " + OriginSql.isBackfill("t") + ")";

    /** Condition on {@code task t} and its {@code job j}: it is held. Unknown if there is no such job. */
    public static final String HOLDS = "(j.paused and " + CONCERNS + ")";

    private PauseSql() {}

    /**
     * Returns the reason why {@code task t} is held, for people, with what its version of the job says of its pause.
     */
    public static String reason(String version) {
        return """
                if(t.hold = 'PAUSE', concat(t.hold_reason,
                   coalesce(date_format(%1$s.paused_until, ' until %%Y-%%m-%%dT%%H:%%i:%%sZ'), ''),
                   coalesce(concat(': ', %1$s.pause_reason), '')), t.hold_reason)""".formatted(version);
    }

    /** Returns assignments to {@code task t}, with its {@code job j}, that lift any other hold. */
    public static String orDue(String then) {
        return "t.due_at = if(%1$s, null, %2$s), %3$s".formatted(HOLDS, then, HoldStore.pauseAssignments(HOLDS));
    }
}
