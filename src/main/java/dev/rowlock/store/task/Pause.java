package dev.rowlock.store.task;

/**
 * What the pause of a job holds: everything its schedule asked for (origin {@code ''}), with all its retries and recoveries. What somebody asked
 * for runs, and so do its retries and recoveries. The one rule, for every statement that looks at a pause.
 */
final class Pause {

    /** What {@code task.waits_for} says of a row that is held. */
    static final String REASON = "pause";

    /** A condition on {@code task t}: its job's pause would hold it. */
    static final String CONCERNS = "t.origin = ''";

    /** A condition on {@code task t} and its {@code job j}: it is held. Unknown if there is no such job. */
    static final String HOLDS = "(j.paused and " + CONCERNS + ")";

    private Pause() {}
}
