package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.definition.JobDefinition;
import org.jdbi.v3.core.Handle;

/** Flag, set once and for all, that there are jobs that ask for pings: before, nobody looks for them in history. */
final class PingFlag {

    private static final String RAISED = "select pings from alert_state where id = 1";
    /** Statement whose row only the first job with a ping waits for. */
    private static final String RAISE = "update alert_state set pings = true where id = 1";

    private PingFlag() {}

    /** Raises the flag within the transaction that saves the job. */
    static void raise(Handle handle, JobDefinition definition) {
        if (definition.ping() != null
                && !query(handle, RAISED).mapTo(Boolean.class).one()) {
            update(handle, RAISE);
        }
    }
}
