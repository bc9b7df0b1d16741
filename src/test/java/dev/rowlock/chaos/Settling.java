package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.LiveRows;
import dev.rowlock.support.TcpRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** What must come to its end by itself once all faults are over. */
final class Settling {

    /** On a machine that may be busy. */
    static final Duration LIMIT = Duration.ofMinutes(2);

    private static final String OVERDUE = LiveRows.query(
            "from live_task where state <> 'EXECUTING' and due_at < utc_timestamp(6) - interval 3 second");

    /** No two fire times of a job are further apart, unless a day is closed, and no backoff is longer. */
    private static final int FAR_SECONDS = 75;

    /**
     * What waits for ever, or far longer than anything may, though no run of its job is under way and no pause holds
     * it.
     */
    private static final String SILENT = LiveRows.query("""
            from live_task t join job j on j.id = t.job_id
             where t.state <> 'EXECUTING' and not j.uses_calendar
               and (not j.paused or t.origin like 'run:%%' or t.origin like '%%#%%')
               and (t.due_at is null or t.due_at > utc_timestamp(6) + interval %d second)
               and not exists (select 1 from task e where e.job_id = t.job_id and e.state = 'EXECUTING')
            """.formatted(FAR_SECONDS));

    /** A retry may wait as long as it likes. */
    private static final String OF_BACKFILL = "from task t join job j on j.id = t.job_id"
            + " where t.origin like 'backfill:%' and t.attempt = 1 and t.state <> 'EXECUTING' and not j.paused";

    private final ChaosDatabase database;
    private final List<ChaosNode> nodes;
    private final Findings findings;

    Settling(ChaosDatabase database, List<ChaosNode> nodes, Findings findings) {
        this.database = database;
        this.nodes = nodes;
        this.findings = findings;
    }

    /**
     * All nodes run and answer, nothing is overdue or silent, and nothing waits to be recorded for a session that is
     * gone.
     *
     * @param restore undoes what operators did that lets tasks wait; false: it is to be called again
     */
    void await(Callable<Boolean> restore) throws Exception {
        for (ChaosNode node : nodes) {
            node.diedByItself().ifPresent(death -> findings.add(Kind.NODE, death));
            node.relays().forEach(TcpRelay::passThrough);
            if (node.running().isEmpty()) {
                node.start();
            }
        }
        inhabitAllZones();
        await(
                Kind.STUCK,
                "that limits are raised, nodes undrained, freezes ended, and each selector suits some node",
                restore);
        for (ChaosNode node : nodes) {
            await(
                    Kind.NODE,
                    "readiness of node " + node.name(),
                    () -> node.last().status("/readyz") == 200);
        }
        awaitNone("that nothing is overdue", OVERDUE, "concat(id, ' of job ', job_id, ' due ', due_at)");
        awaitNone(
                "that no task waits without a reason",
                SILENT,
                "concat(t.id, ' of ', j.name, ', ', t.cause, ', fire time ', t.fire_time, ', due ', coalesce(t.due_at, 'never'), ', ',"
                        + " coalesce(concat(t.hold, ': ', t.hold_reason), 'no reason'))");
        await(
                Kind.STUCK,
                "that all backfills end",
                () -> number("select count(*) from backfill where ended_at is null") == 0);
        awaitNone("that no task of a backfill waits", OF_BACKFILL, "concat(t.id, ' of ', j.name, ', ', t.origin)");
        await(
                Kind.STUCK,
                "that all tasks belong to live sessions",
                () -> number(
                                "select count(*) from task t left join session s on s.id = t.session_id where t.session_id is not null and s.id is null")
                        == 0);
        await(Kind.STUCK, "one session for each node", () -> number("select count(*) from session") == nodes.size());
    }

    /** What is run again because it was lost waits for a node of its zone without an end. */
    private void inhabitAllZones() throws Exception {
        for (int i = 0; i < PolicyDraw.ZONES.size() && i < nodes.size(); i++) {
            ChaosNode node = nodes.get(i);
            while (!node.zone().equals(PolicyDraw.ZONES.get(i))) {
                node.stop(LIMIT).ifPresent(how -> findings.add(Kind.NODE, how));
                node.start();
            }
        }
    }

    /** What is left over when the time is up is named. */
    private void awaitNone(String what, String from, String name) throws Exception {
        boolean none = await(Kind.STUCK, what, () -> number("select count(*) " + from) == 0);
        if (!none) {
            database.retry("naming what is stuck", statement -> {
                try (ResultSet rows = statement.executeQuery("select " + name + " " + from + " limit 5")) {
                    while (rows.next()) {
                        findings.add(Kind.STUCK, "task " + rows.getString(1));
                    }
                }
            });
        }
    }

    boolean await(Kind kind, String what, Callable<Boolean> condition) throws Exception {
        try {
            Until.holds(LIMIT, what, condition);
            return true;
        } catch (AssertionError e) {
            findings.add(kind, "after all faults were over: " + e.getMessage());
            return false;
        }
    }

    void stopNodes() throws Exception {
        for (ChaosNode node : nodes) {
            if (node.running().isPresent()) {
                node.terminate();
            }
        }
        for (ChaosNode node : nodes) {
            node.stop(LIMIT).ifPresent(how -> findings.add(Kind.NODE, how));
        }
        long sessions = number("select count(*) from session");
        long held = number("select count(*) from task where state <> 'IDLE'");
        if (sessions + held > 0) {
            findings.add(
                    Kind.STUCK,
                    sessions + " sessions and " + held + " held tasks are left after all nodes were stopped");
        }
    }

    private long number(String sql) throws SQLException {
        try (Connection admin = database.admin();
                Statement statement = admin.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
