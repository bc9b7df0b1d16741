package dev.rowlock.store.task;

import dev.rowlock.store.history.OriginSql;
import dev.rowlock.task.Origin;

/**
 * What the pause of a job holds: all that its schedule asked for (origin {@code ''}), with retries and recoveries. What
 * somebody asked for runs, and so do its retries and recoveries.
 */
final class Pause {

    /** A condition on {@code task t}: its job's pause would hold it, see {@link Origin#isScheduled}. */
    static final String CONCERNS = OriginSql.isScheduled("t");

    /** A condition on {@code task t} and its {@code job j}: it is held. Unknown if there is no such job. */
    static final String HOLDS = "(j.paused and " + CONCERNS + ")";

    private Pause() {}

    /** Why {@code task t} is held, for people; what its version of the job says of its pause included. */
    static String reason(String version) {
        return """
                if(t.hold = 'PAUSE', concat(t.hold_reason,
                   coalesce(date_format(%1$s.paused_until, ' until %%Y-%%m-%%dT%%H:%%i:%%sZ'), ''),
                   coalesce(concat(': ', %1$s.pause_reason), '')), t.hold_reason)""".formatted(version);
    }

    /** Assignments to {@code task t}, with its {@code job j}, that lift what else held it. */
    static String orDue(String then) {
        return "t.due_at = if(%1$s, null, %2$s), %3$s".formatted(HOLDS, then, HoldStore.pauseAssignments(HOLDS));
    }
}
