package dev.rowlock.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * One of two nodes dies with tasks prepared, and with tasks executing: how late the other runs them. Once with real processes and {@code kill
 * -9}, where the other sees on its own host that the process is gone; once with a node that falls silent on a host of its own.
 */
final class Failover {

    /** More than the horizon, so that neither node has prepared anything before the other has joined. */
    private static final int BOTH_THERE = 60;

    private final Server server;
    private final Report report;
    private final int jobs;
    private final int rounds;

    Failover(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        jobs = options.number("jobs", 200);
        rounds = options.number("rounds", 3);
    }

    void run() throws Exception {
        report.note(jobs + " jobs due at one instant on two nodes with 400 slots each; one dies 0.5 s before that instant"
                + " (prepared), or 2 s after it while all commands run (executing)");
        for (int round = 1; round <= rounds; round++) {
            report.add("prepared, kill -9", prepared(true).with("round", round));
            report.add("executing, kill -9", executing(true).with("round", round));
            report.add("prepared, silent host", prepared(false).with("round", round));
            report.add("executing, silent host", executing(false).with("round", round));
        }
    }

    /** Two nodes, one of which can be made to die. */
    private interface Pair extends AutoCloseable {
        String dying();

        void die() throws Exception;

        @Override
        void close() throws Exception;
    }

    private Line prepared(boolean processes) throws Exception {
        try (Schema schema = server.schema()) {
            Instant due = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(BOTH_THERE);
            try (Pair pair = pair(schema, due, "true", processes)) {
                awaitInstant(due.minusMillis(600));
                schema.run("create table dying select id from task where state = 'PREPARED' and session_id = '"
                        + pair.dying() + "'");
                awaitInstant(due.minusMillis(500));
                pair.die();
                Machine.await(60, 20, () -> RowlockJobs.finished(schema) >= jobs);
                String late = " from task_history where id in (select id from dying)";
                return Line.of("tasks", schema.number("select count(*) from dying"))
                        .with("delay_p50_ms", schema.number(
                                "select lateness_ms" + late + " order by lateness_ms limit 1 offset "
                                        + schema.number("select count(*) div 2 from dying")))
                        .with("delay_max_ms", schema.number("select max(lateness_ms)" + late))
                        .with("others_max_ms", schema.number(
                                "select max(lateness_ms) from task_history where id not in (select id from dying)"));
            }
        }
    }

    private Line executing(boolean processes) throws Exception {
        try (Schema schema = server.schema()) {
            Instant due = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(BOTH_THERE);
            try (Pair pair = pair(schema, due, "sleep 100", processes)) {
                Machine.await(60, 20, () -> executing(schema, "attempt = 1") >= jobs);
                awaitInstant(due.plusSeconds(2));
                long affected = executing(schema, "session_id = '" + pair.dying() + "'");
                pair.die();
                String died = schema.text("select utc_timestamp(6)");
                Machine.await(120, 20, () -> executing(schema, "cause = 'RECOVERY'") >= affected);
                String delay = "select coalesce(%s(timestampdiff(microsecond, '" + died
                        + "', started_at)), 0) div 1000 from task where cause = 'RECOVERY' and state = 'EXECUTING'";
                return Line.of("tasks", affected)
                        .with("rerun", executing(schema, "cause = 'RECOVERY'"))
                        .with("delay_p50_ms", schema.number(String.format(delay, "avg")))
                        .with("delay_max_ms", schema.number(String.format(delay, "max")));
            }
        }
    }

    private static long executing(Schema schema, String which) {
        return schema.number("select count(*) from task where state = 'EXECUTING' and " + which);
    }

    private static void awaitInstant(Instant when) {
        Machine.await(120, 1, () -> !Starts.now().isBefore(when));
    }

    private Pair pair(Schema schema, Instant due, String command, boolean processes) throws Exception {
        return processes ? processes(schema, due, command) : objects(schema, due, command);
    }

    private Pair processes(Schema schema, Instant due, String command) throws Exception {
        RowlockJobs.insert(schema, jobs, Burst.yearly(due), command, due);
        Daemon dying = new Daemon(schema, "node-1", Map.of("ROWLOCK_NODE_CAPACITY", "400"));
        Daemon other = new Daemon(schema, "node-2", Map.of("ROWLOCK_NODE_CAPACITY", "400"));
        dying.awaitReady();
        other.awaitReady();
        String session = sessionOf(schema);
        return new Pair() {
            @Override
            public String dying() {
                return session;
            }

            @Override
            public void die() throws InterruptedException {
                dying.kill();
            }

            @Override
            public void close() throws Exception {
                other.kill();
                other.close();
                dying.close();
            }
        };
    }

    private Pair objects(Schema schema, Instant due, String command) throws Exception {
        Contender.Command kind = command.equals("true") ? Contender.Command.NOOP : Contender.Command.HOLD;
        Starts starts = new Starts(4 * jobs);
        Rowlock nodes = new Rowlock(
                new Contender.Task(schema, jobs, 400, kind, Burst.yearly(due), due, starts), 2, Duration.ZERO);
        nodes.start();
        String session = sessionOf(schema);
        return new Pair() {
            @Override
            public String dying() {
                return session;
            }

            @Override
            public void die() {
                nodes.crash(0);
            }

            @Override
            public void close() throws Exception {
                nodes.close();
            }
        };
    }

    private static String sessionOf(Schema schema) {
        return schema.text("select id from session where node = 'node-1'");
    }
}
