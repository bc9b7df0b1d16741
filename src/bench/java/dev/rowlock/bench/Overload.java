package dev.rowlock.bench;

import dev.rowlock.db.schema.Migrations;
import dev.rowlock.db.Servers;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * For a while more is due every second than a node can start, then little. The node is a process of its own with all that belongs to it, but for
 * the commands: how much it starts, how late and how fairly, whether it answers, and how soon it is back to normal.
 */
final class Overload {

    /** What is later than this is not on time. */
    private static final double ON_TIME_SECONDS = 1;
    /** So many jobs go on when the load falls. */
    private static final int THAT_STAY = 1_000;

    private static final int WARM_UP = 10;
    private static final int WINDOW = 10;
    private static final int PRIORITY = 10;
    private static final List<String> LOOKS =
            List.of("/readyz", "/api/v1/overview", "/api/v1/jobs/default/job-1", "/api/v1/tasks?limit=50", "/api/v1/jobs?limit=50");

    private final Server server;
    private final Report report;
    private final List<Integer> jobs;
    private final int urgent;
    private final int seconds;
    private final int capacity;
    private final int nodes;
    private final String threshold;
    private final Set<String> watching;
    private final int rounds;

    Overload(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        jobs = options.numbers("jobs", "8000,16000,32000");
        urgent = options.seconds("urgent", 0);
        seconds = options.number("seconds", 120);
        capacity = options.number("capacity", 4_000);
        nodes = options.number("nodes", 1);
        threshold = options.text("threshold", "60s");
        watching = Watching.parts(options.text("watched", "no"));
        rounds = options.number("rounds", 1);
    }

    void run() throws Exception {
        report.note(seconds + " s in which all jobs are due every second, then only " + THAT_STAY + "; " + nodes + " nodes of " + capacity
                + " slots, misfire.threshold " + threshold + ", " + urgent + " jobs of priority " + PRIORITY);
        for (int round = 0; round < rounds; round++) {
            for (int count : jobs) {
                if (watching.isEmpty()) {
                    report.add(count + " jobs", once(count, false));
                } else {
                    boolean first = round % 2 == 1;
                    compare(count, first);
                    compare(count, !first);
                }
            }
        }
    }

    private void compare(int count, boolean watched) throws Exception {
        report.add(count + (watched ? " jobs, watched" : " jobs, not watched"), once(count, watched));
    }

    private Line once(int count, boolean watched) throws Exception {
        try (Schema schema = server.schema()) {
            Instant first = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(10 + count / 5_000);
            Instant from = first.plusSeconds(WARM_UP);
            Instant until = from.plusSeconds(seconds);
            insert(schema, count, first, until);
            if (watched && watching.contains("rule")) {
                Watching.insertRule(schema);
            }
            List<Daemon> running = new ArrayList<>();
            try {
                for (int i = 1; i <= nodes; i++) {
                    running.add(Daemon.withoutProcesses(
                            schema,
                            "node-" + i,
                            Map.of("ROWLOCK_NODE_CAPACITY", "" + capacity, "ROWLOCK_MISFIRE_THRESHOLD", threshold)));
                }
                for (Daemon node : running) {
                    node.awaitReady();
                }
                if (!watched) {
                    return measured(schema, running, count, from, until);
                }
                try (Watching on = new Watching(running.get(0), watching)) {
                    return measured(schema, running, count, from, until).with("failed", on.failed());
                }
            } finally {
                for (Daemon node : running) {
                    node.close();
                }
            }
        }
    }

    private void insert(Schema schema, int count, Instant first, Instant until) {
        String policies = ", 'priority', if(n > " + (count - urgent) + ", " + PRIORITY + ", 0), 'endAt',"
                + " if(n > " + THAT_STAY + ", '" + until + "', null)";
        Migrations.run(new Servers(schema.address));
        RowlockJobs.insertWith(schema, count, "* * * * * ?", first, policies);
    }

    private Line measured(Schema schema, List<Daemon> running, int count, Instant from, Instant until) throws Exception {
        restUntil(from);
        Cost before = server.cost();
        double cpu = Daemon.cpuSeconds(running);
        Line line;
        double beat;
        double behind;
        try (Watch watch = new Watch(schema)) {
            if (watching.isEmpty()) {
                line = requests(running.get(0), until);
            } else { // whoever looks around is part of what is compared
                line = new Line();
                restUntil(until);
            }
            beat = watch.oldestBeat;
            behind = metric(running.get(0), "rowlock_behind_seconds");
        }
        Cost spent = server.cost().since(before);
        cpu = Daemon.cpuSeconds(running) - cpu;
        double normal = untilNormal(schema, until);
        Line starts = starts(schema, count, from, until);
        return Line.of("offered_per_s", count)
                .with(starts)
                .with(line)
                .with("oldest_heartbeat_s", beat)
                .with("behind_metric_s", behind)
                .with("normal_after_s", normal)
                .with("said_behind", said(running, "This node is behind"))
                .with("said_caught_up", said(running, "has caught up"))
                .with("server_cores", spent.serverCpu() / seconds)
                .with("node_cores", cpu / seconds)
                .with("statements_per_s", spent.statements() / seconds);
    }

    private static void restUntil(Instant until) {
        Idle.rest(Math.max(0, (until.toEpochMilli() - Starts.now().toEpochMilli()) / 1000.0));
    }

    /** Five a second, one after the other. */
    private static Line requests(Daemon node, Instant until) {
        List<Integer> micros = new ArrayList<>();
        int failed = 0;
        for (int n = 0; Starts.now().isBefore(until); n++) {
            Idle.rest(0.2);
            long asked = System.nanoTime();
            try {
                look(node, n);
            } catch (IOException | IllegalStateException e) {
                failed++;
                System.err.println("a request failed: " + e);
            }
            micros.add((int) ((System.nanoTime() - asked) / 1000));
        }
        Line line = Latencies.line(micros.stream().mapToInt(Integer::intValue).toArray(), failed);
        return Line.of("requests", line.values.get("requests"))
                .with("requests_failed", line.values.get("failed"))
                .with("request_p50_ms", line.values.get("p50_ms"))
                .with("request_p99_ms", line.values.get("p99_ms"))
                .with("request_max_ms", line.values.get("max_ms"));
    }

    /** What people and load balancers look at, and one change. */
    private static void look(Daemon node, int n) throws IOException {
        if (n % (LOOKS.size() + 1) < LOOKS.size()) {
            node.ok(node.request(LOOKS.get(n % (LOOKS.size() + 1))).GET().build());
            return;
        }
        node.ok(node.request("/api/v1/jobs/default/other")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"schedule\": \"0 3 * * *\", \"command\": \"echo " + n + "\"}"))
                .build());
    }

    private static double metric(Daemon node, String name) throws Exception {
        return node.ok(node.request("/metrics").GET().build())
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .max()
                .orElse(Double.NaN);
    }

    private static long said(List<Daemon> running, String what) throws Exception {
        long lines = 0;
        for (Daemon node : running) {
            lines += node.said(what);
        }
        return lines;
    }

    /** Seconds until nothing is late, and nothing was for three further seconds. */
    private static double untilNormal(Schema schema, Instant until) {
        String late = ("select count(*) from (select 1 from job_next where due_at < %1$s union all"
                + " select 1 from task where state <> 'EXECUTING' and due_at < %1$s limit 1) late")
                .formatted("utc_timestamp(3) - interval " + ON_TIME_SECONDS + " second");
        Instant[] since = {null};
        boolean found = Machine.await(300, 50, () -> {
            Instant now = Starts.now();
            since[0] = schema.number(late) > 0 ? null : since[0] == null ? now : since[0];
            return since[0] != null && now.isAfter(since[0].plusSeconds(3));
        });
        return found ? (since[0].toEpochMilli() - until.toEpochMilli()) / 1000.0 : Double.NaN;
    }

    private Line starts(Schema schema, int count, Instant from, Instant until) {
        schema.run("create table bench_starts (job_id bigint not null, started_at datetime(3) not null, lateness_ms int not null,"
                + " urgent boolean not null, key (urgent, lateness_ms), key (job_id)) select job_id, started_at, lateness_ms, job_id > "
                + (count - urgent) + " urgent from task_history where outcome = 'SUCCEEDED' and started_at >= '"
                + RowlockJobs.SQL.format(from) + "' and started_at < '" + RowlockJobs.SQL.format(until) + "' and job_id <= " + count);
        long all = schema.number("select count(*) from bench_starts");
        long ordinary = schema.number("select count(*) from bench_starts where not urgent");
        long served = schema.number("select count(distinct job_id) from bench_starts where not urgent");
        long least = served < count - urgent
                ? 0
                : schema.number("select min(c) from (select count(*) c from bench_starts where not urgent group by job_id) g");
        // Part of a window would look like a bad one.
        Instant whole = from.plusSeconds(Math.max(1, seconds / WINDOW) * WINDOW);
        String windows = "select count(*) c from bench_starts where started_at < '" + RowlockJobs.SQL.format(whole)
                + "' group by floor(timestampdiff(second, '" + RowlockJobs.SQL.format(from) + "', started_at) / " + WINDOW + ")";
        Line line = Line.of("starts_per_s", (double) all / seconds)
                .with("worst_window_per_s", schema.number("select min(c) from (" + windows + ") w") / (double) WINDOW)
                .with("best_window_per_s", schema.number("select max(c) from (" + windows + ") w") / (double) WINDOW)
                .with("worst_job_share", least / ((double) ordinary / (count - urgent)))
                .with("late_p50_s", late(schema, ordinary, 0.5, false))
                .with("late_p99_s", late(schema, ordinary, 0.99, false));
        if (urgent > 0) {
            line.with("urgent_started", (double) (all - ordinary) / seconds / urgent)
                    .with("urgent_late_p99_s", late(schema, all - ordinary, 0.99, true));
        }
        return line.with(
                "not_run",
                schema.number("select coalesce(sum(occurrences), 0) from task_history where outcome in ('SKIPPED', 'MISSED', 'LOST')"));
    }

    private static double late(Schema schema, long of, double share, boolean urgent) {
        return schema.number("select lateness_ms from bench_starts where urgent = " + urgent + " order by lateness_ms limit 1 offset "
                        + Math.max(0, (long) (of * share) - 1))
                / 1000.0;
    }

    /** Looks how old the heartbeats are, on the server's own clock. */
    private static final class Watch implements AutoCloseable {

        private final Thread thread;
        private volatile boolean closed;
        volatile double oldestBeat;

        Watch(Schema schema) {
            thread = new Thread(() -> {
                while (!closed) {
                    double age = schema.number("select coalesce(max(timestampdiff(microsecond, heartbeat_at, utc_timestamp(6))), 0)"
                                    + " from session where state = 'ALIVE'")
                            / 1e6;
                    oldestBeat = Math.max(oldestBeat, age);
                    Idle.rest(0.2);
                }
            });
            thread.start();
        }

        @Override
        public void close() throws InterruptedException {
            closed = true;
            thread.join();
        }
    }
}
