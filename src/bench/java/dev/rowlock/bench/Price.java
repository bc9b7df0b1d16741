package dev.rowlock.bench;

import dev.rowlock.task.transition.Acquire.ScanBounds;
import dev.rowlock.task.transition.Acquire.AcquirableTasks;
import dev.rowlock.task.history.Retention.DeletedBatch;
import dev.rowlock.task.history.Retention.AgingTable;
import dev.rowlock.db.Database;
import dev.rowlock.db.Servers;
import dev.rowlock.task.LaunchId;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.report.count.Counting;
import dev.rowlock.task.history.Retention;
import dev.rowlock.task.transition.Acquire;
import dev.rowlock.task.transition.Acquisition;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.transition.DuePosition;
import dev.rowlock.task.transition.Finish;
import dev.rowlock.task.transition.ScanFilter;
import dev.rowlock.task.transition.Start;
import dev.rowlock.task.store.Started;
import dev.rowlock.task.Ending;
import dev.rowlock.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Server CPU and log bytes of one occurrence, step by step, over one connection and in full batches: what it costs to
 * prepare, start, finish, count and purge it. Several schemas take turns, so that their ratios hold on a busy machine.
 */
final class Price {

    private static final String SESSION = "s000000000001";
    private static final int KEPT_DAYS = 10;

    private final Server server;
    private final Report report;
    private final int jobs;
    private final int fires;
    private final int rows;
    private final int rounds;
    private final int batch;
    private final int counted;
    private final int purged;
    /** Statements that make another schema of ours, by their names; the first is ours as it is. */
    private final List<String> variants;

    Price(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        jobs = options.number("jobs", 5_000);
        fires = options.number("fires", 1);
        rows = options.number("rows", 100_000);
        rounds = options.number("rounds", 6);
        batch = options.number("batch", 500);
        counted = options.number("counted", 4_000);
        purged = options.number("purged", 1_000);
        variants = List.of(options.text("against", " ").split("[|]")).stream().filter(sql -> !sql.isBlank()).toList();
    }

    void run() throws Exception {
        report.note(jobs + " jobs, " + rows + " rows of history, batches of " + batch + "; server CPU and bytes of its log for each row");
        List<Run> runs = new ArrayList<>(List.of(new Run("today", "")));
        for (String variant : variants) {
            runs.add(new Run(variant, variant));
        }
        for (int round = 0; round <= rounds; round++) {
            for (int i = 0; i < runs.size(); i++) {
                Run run = runs.get((i + round) % runs.size());
                Line line = run.once(round);
                if (round == 0) {
                    report.warmUp(run.name, line);
                } else {
                    report.add(run.name, line);
                    run.lines.add(line);
                }
            }
        }
        for (Run run : runs.subList(1, runs.size())) {
            for (String figure : List.of("prepare_us", "start_us", "finish_us", "cycle_us", "count_us", "purge_us", "all_us", "cycle_bytes")) {
                report.note(run.name + ": " + figure + " " + ratios(lines(run, figure), lines(runs.get(0), figure)) + " of today's");
            }
        }
        for (Run run : runs) {
            run.close();
        }
    }

    private static List<Double> lines(Run run, String figure) {
        return run.lines.stream().map(line -> (Double) line.values.get(figure)).toList();
    }

    /** The middle one of the rounds, the least and the greatest, and that of all rounds together. */
    private static String ratios(List<Double> ones, List<Double> others) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < ones.size(); i++) {
            ratios.add(ones.get(i) / others.get(i));
        }
        ratios.sort(null);
        double all = ones.stream().mapToDouble(d -> d).sum() / others.stream().mapToDouble(d -> d).sum();
        return Line.text(ratios.get(ratios.size() / 2)) + " (" + Line.text(ratios.get(0)) + " to " + Line.text(ratios.get(ratios.size() - 1))
                + "), in all " + Line.text(all);
    }

    private record Spent(double cpu, double bytes, double binaryLog) {

        static Spent by(Server server) {
            return new Spent(Machine.threadCpuSeconds(server.pid), server.cost().logBytes(), server.binaryLogBytes());
        }
    }

    private final class Run {

        private final String name;
        private final Schema schema;
        private final Database database;
        private final Acquire acquire;
        private final Start start;
        private final Finish finish;
        private final Counting counting;
        private final Retention retention;
        private Instant fire = Starts.now().truncatedTo(ChronoUnit.SECONDS).minus(Duration.ofHours(1));
        private int launches;
        private final List<Line> lines = new ArrayList<>();

        private Run(String name, String alter) throws Exception {
            this.name = name;
            schema = server.schema();
            schema.writeNoLog();
            RowlockJobs.insert(schema, jobs, "* * * * * ?", "true", fire);
            schema.run("update job_next set task_id = task_id + 100000000 order by task_id desc");
            schema.run("update task_ids set next_id = 200000000");
            for (String sql : alter.split(";")) {
                if (!sql.isBlank()) {
                    schema.run(sql);
                }
            }
            schema.run("insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at, beat,"
                    + " heartbeat_at, state) values ('" + SESSION + "', 'node-1', 'h', 'b', 1, 1, 'test', '{}', 1,"
                    + " utc_timestamp(3), 1, utc_timestamp(3), 'ALIVE')");
            new HistoryRows(rows, jobs, KEPT_DAYS, "1 + job", "'default'", "concat('job-', 1 + job)")
                    .fill(schema, fire.minusSeconds(60));
            database = Database.single(new Servers(schema.address), Duration.ofSeconds(60));
            acquire = new Acquire(database);
            start = new Start(database, Duration.ofDays(9), () -> fire.plus(Duration.ofDays(1)));
            finish = new Finish(database, "node-1", 3, Duration.ofSeconds(1));
            counting = new Counting(database);
            retention = new Retention(database);
            counting.begin();
            count();
        }

        private void close() throws Exception {
            database.close();
            schema.close();
        }

        private Line once(int round) {
            server.settle();
            List<Spent> costs = new ArrayList<>(List.of(Spent.by(server)));
            for (int more = 1; more < fires; more++) {
                finish(start(prepare()));
            }
            server.settle();
            costs.set(0, Spent.by(server));
            List<Task> prepared = prepare();
            costs.add(Spent.by(server));
            List<Started> started = start(prepared);
            costs.add(Spent.by(server));
            finish(started);
            costs.add(Spent.by(server));
            server.settle();
            costs.add(Spent.by(server));
            count();
            server.settle();
            costs.add(Spent.by(server));
            long gone = purge();
            server.settle();
            costs.add(Spent.by(server));
            Line line = Line.of("round", round);
            List<String> steps = List.of("prepare", "start", "finish", "behind", "count", "purge");
            for (int i = 0; i < steps.size(); i++) {
                int each = i < 4 ? 1 : fires;
                line.with(steps.get(i) + "_us", micros(costs.get(i), costs.get(i + 1)) / each);
            }
            return line.with("cycle_us", micros(costs.get(0), costs.get(4)))
                    .with("all_us", micros(costs.get(0), costs.get(6)))
                    .with("cycle_bytes", bytes(costs.get(0), costs.get(4)))
                    .with("cycle_binlog", (costs.get(4).binaryLog - costs.get(0).binaryLog) / jobs)
                    .with("count_bytes", bytes(costs.get(4), costs.get(5)))
                    .with("purge_bytes", bytes(costs.get(5), costs.get(6)))
                    .with("purged", gone);
        }

        private double micros(Spent from, Spent to) {
            return (to.cpu - from.cpu) * 1e6 / jobs;
        }

        private double bytes(Spent from, Spent to) {
            return (to.bytes - from.bytes) / jobs;
        }

        private List<Task> prepare() {
            List<Task> prepared = new ArrayList<>();
            DuePosition from = DuePosition.at(fire);
            while (prepared.size() < jobs) {
                AcquirableTasks found = acquire.scan(
                        new ScanBounds(fire, from, Duration.ZERO, Duration.ZERO, List.of(), batch, ScanFilter.NOTHING),
                        SESSION);
                from = found.end();
                List<Acquisition> wanted = found.candidates().stream()
                        .filter(task -> task.fireTime().equals(fire))
                        .map(this::acquisition)
                        .toList();
                List<Task> now = acquire.acquire(SESSION, wanted, Starts.now()).tasks();
                if (now.isEmpty()) {
                    throw new IllegalStateException("prepared " + prepared.size() + " of " + jobs);
                }
                prepared.addAll(now);
            }
            fire = fire.plusSeconds(1);
            return prepared;
        }

        private Acquisition acquisition(Task task) {
            return new Acquisition(task, LaunchId.of(SESSION, ++launches), List.of(), null, task.fireTime().plusSeconds(1), Terms.PLAIN);
        }

        private List<Started> start(List<Task> prepared) {
            List<Started> started = new ArrayList<>();
            for (int from = 0; from < jobs; from += batch) {
                List<Claim> claims = prepared.subList(from, Math.min(jobs, from + batch)).stream().map(Claim::fire).toList();
                started.addAll(start.start(SESSION, "node-1", claims, jobs, Duration.ZERO, Start.NoSlot.KEEP).started());
            }
            if (started.size() != jobs) {
                throw new IllegalStateException("started " + started.size() + " of " + jobs);
            }
            return started;
        }

        private void finish(List<Started> started) {
            for (int from = 0; from < jobs; from += batch) {
                Instant now = Starts.now();
                finish.finish(started.subList(from, Math.min(jobs, from + batch)).stream()
                        .map(one -> new Ending(one.task().ref(), Outcome.SUCCEEDED, null, now, 5L, 0, null, 0L, null, null, null))
                        .toList());
            }
        }

        private void count() {
            counting.reach(Starts.now());
            while (counting.count(counted).more()) {}
        }

        /** As many of the oldest as were added. */
        private long purge() {
            Instant oldest = Instant.parse(schema.text("select date_format(min(ended_at), '%Y-%m-%dT%H:%i:%s.%fZ') from (select ended_at"
                    + " from task_history force index (by_ended_at) order by ended_at desc limit " + rows + ") kept"));
            long gone = 0;
            Instant floor = Instant.EPOCH;
            while (true) {
                DeletedBatch deleted = retention.delete(AgingTable.HISTORY, floor, oldest, purged);
                gone += deleted.deleted();
                floor = deleted.through();
                if (!deleted.more()) {
                    return gone;
                }
            }
        }
    }
}
