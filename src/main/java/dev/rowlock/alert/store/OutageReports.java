package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import java.time.Duration;
import java.time.Instant;

/** Reports of nodes that are back from a time without the database. */
public final class OutageReports {

    private static final String ADD = """
            insert into alert_report (node, from_at, until_at, reason) values (:node, :from, :until, left(:reason, 300))
            """;

    private final Database database;

    public OutageReports(Database database) {
        this.database = database;
    }

    /**
     * Adds a report; both durations are by the node's own clock.
     *
     * @param ago since when it is over
     */
    public void add(String node, Duration length, Duration ago, String reason) {
        database.transact("reporting an outage of the database", handle -> {
            Instant until = SqlTime.now(handle).minus(ago);
            return update(
                    handle,
                    ADD,
                    "node",
                    node,
                    "from",
                    SqlTime.text(until.minus(length)),
                    "until",
                    SqlTime.text(until),
                    "reason",
                    reason);
        });
    }
}
