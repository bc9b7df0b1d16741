package dev.rowlock.chaos;

import dev.rowlock.exec.process.Uptime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Watches the table of sessions, past everything that is disturbed, and notes by when each was gone: from then on no command of it may be
 * alive. Looks at the processes at that moment.
 */
final class SessionWatch implements Runnable {

    private static final long EVERY_MILLIS = 50;
    private static final long AGAIN_MILLIS = 300;
    /** A primary that was frozen and replaced goes on showing, once thawed, who was there before. */
    private static final String BEATS = "heartbeat_at > utc_timestamp(3) - interval 4 second";

    private final ChaosDatabase database;
    private final CountDownLatch stop;
    private final Findings findings;
    private final Conditions conditions;
    private final Map<String, Long> gone = new ConcurrentHashMap<>();
    private final Map<String, Presence> seen = new ConcurrentHashMap<>();

    /**
     * A session while it was in the table.
     *
     * @param fromMillis uptime at which it was there for certain
     * @param untilMillis uptime at which it was there for certain for the last time
     */
    record Presence(String session, String node, long fromMillis, long untilMillis) {}

    /** @param conditions told which zone each node has joined with */
    SessionWatch(ChaosDatabase database, CountDownLatch stop, Findings findings, Conditions conditions) {
        this.database = database;
        this.stop = stop;
        this.findings = findings;
        this.conditions = conditions;
    }

    /** Session id → uptime by which it was certainly gone. */
    Map<String, Long> gone() {
        return Map.copyOf(gone);
    }

    /** All sessions that were ever seen. */
    List<Presence> seen() {
        return List.copyOf(seen.values());
    }

    @Override
    public void run() {
        try {
            while (!stop.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                try (Connection admin = database.admin();
                        Statement statement = admin.createStatement()) {
                    do {
                        look(statement);
                    } while (!stop.await(EVERY_MILLIS, TimeUnit.MILLISECONDS));
                } catch (SQLException e) {
                    // The server is away by a fault; while it is, no session can go.
                    Thread.onSpinWait();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Statement statement) throws SQLException, InterruptedException {
        Set<String> there = new HashSet<>();
        Map<String, Set<String>> zones = new HashMap<>();
        long asked = Uptime.millis();
        try (ResultSet rows = statement.executeQuery("select id, node, state = 'ALIVE' and " + BEATS + ","
                + " json_unquote(json_extract(coalesce(own_labels, labels), '$." + Conditions.ZONE + "'))"
                + " from session")) {
            while (rows.next()) {
                there.add(rows.getString(1));
                note(rows.getString(1), rows.getString(2), rows.getBoolean(3) ? asked : Long.MIN_VALUE);
                zones.computeIfAbsent(rows.getString(2), node -> new HashSet<>())
                        .add(String.valueOf(rows.getString(4)));
            }
        }
        long now = Uptime.millis();
        zones.forEach((node, all) -> joined(node, all, now));
        for (String session : seen.keySet()) {
            if (!there.contains(session) && gone.putIfAbsent(session, now) == null) {
                lookForSurvivors(session);
            }
        }
    }

    /** While the session of an earlier life is there as well, either zone may count. */
    private void joined(String node, Set<String> zones, long now) {
        if (zones.size() == 1) {
            conditions
                    .configured(node)
                    .seen(Map.of(Conditions.ZONE, zones.iterator().next()), now);
        }
    }

    /** @param asked when it was there and took work; what stops or is silent does not */
    private void note(String session, String node, long asked) {
        seen.merge(
                session,
                new Presence(session, node, Uptime.millis(), asked),
                (before, now) ->
                        new Presence(session, node, before.fromMillis, Math.max(before.untilMillis, now.untilMillis)));
    }

    /** A shell that has not passed the gate yet may still be there, and will do nothing; what is there at a second look is alive. */
    private void lookForSurvivors(String session) throws InterruptedException {
        if (Processes.with("ROWLOCK_SESSION", session).isEmpty()) {
            return;
        }
        boolean unused = stop.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        List<Processes.Found> left = Processes.with("ROWLOCK_SESSION", session);
        for (Processes.Found process : left) {
            findings.add(
                    Findings.Kind.ORPHAN,
                    "process " + process.pid() + " of launch " + process.value("ROWLOCK_LAUNCH_ID") + " of "
                            + process.value("ROWLOCK_JOB") + " on node " + process.value("ROWLOCK_NODE")
                            + " is alive " + AGAIN_MILLIS + " ms after its session was gone: " + process.command());
        }
    }
}
