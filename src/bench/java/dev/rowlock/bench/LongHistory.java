package dev.rowlock.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** A long history: what writing, listing, filtering and purging cost at that length, and whether fires are late while it is purged. */
final class LongHistory {

    private static final int JOBS = 1000;
    private static final int DAYS = 40;
    private static final int STEADY_SECONDS = 20;
    private static final int STEADY_JOBS = 100;
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    private final Server server;
    private final Report report;
    private final int rows;
    private final int requests;

    LongHistory(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        rows = options.number("rows", 1_000_000);
        requests = options.number("requests", 300);
    }

    void run() throws Exception {
        report.note(rows + " rows of history over " + DAYS + " days, " + JOBS + " jobs; 2 % failed, 0.01 % lost; one client over HTTP");
        try (Schema schema = server.schema()) {
            Instant now = Starts.now().truncatedTo(ChronoUnit.SECONDS);
            report.add("fires, history empty", steady(schema, Duration.ZERO));
            report.add("fill", fill(schema, now));
            report.add("fires, history long", steady(schema, Duration.ZERO));
            reads(schema, now);
            long before = schema.number("select count(*) from task_history");
            Line purging = steady(schema, Duration.ofDays(30));
            long purged = before - schema.number("select count(*) from task_history");
            report.add("fires, while it is purged", purging.with("purged_rows", purged));
        }
    }

    private Line fill(Schema schema, Instant now) {
        schema.run("truncate table task_history");
        schema.run("alter table task auto_increment = " + (rows + 1L)); // what comes is newer than what was
        return new HistoryRows(rows, JOBS, DAYS, "job", "concat('ns-', job % 20)", "concat('old-', job)").fill(schema, now);
    }

    /** Jobs due every second meanwhile; the purge is part of the node. */
    private Line steady(Schema schema, Duration retention) throws Exception {
        Instant first = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(5);
        Instant from = first.plusSeconds(5);
        Instant until = from.plusSeconds(STEADY_SECONDS);
        Starts starts = new Starts(STEADY_JOBS * STEADY_SECONDS);
        starts.countOnly(from, until);
        Contender.Task task = new Contender.Task(
                schema, STEADY_JOBS, 400, Contender.Command.NOOP, "* * * * * ?", first, starts);
        try (Rowlock node = new Rowlock(task, 1, retention)) {
            node.start();
            Machine.await(120, 1, () -> !Starts.now().isBefore(from));
            Cost before = server.cost();
            Machine.await(120, 1, () -> !Starts.now().isBefore(until));
            Cost spent = server.cost().since(before);
            return Line.of("offered", STEADY_JOBS * STEADY_SECONDS)
                    .with("achieved", starts.count())
                    .with(starts.lateness())
                    .with("server_us_per_fire", spent.serverCpu() * 1e6 / (STEADY_JOBS * STEADY_SECONDS));
        } finally {
            schema.run("delete from task");
            schema.run("delete from job_next");
            schema.run("delete from job");
            schema.run("delete from job_version");
        }
    }

    private void reads(Schema schema, Instant now) throws Exception {
        Random random = new Random(7);
        Map<String, java.util.function.Supplier<String>> paths = new LinkedHashMap<>();
        paths.put("list newest", () -> "");
        paths.put("list before any instant", () -> "&until=" + any(random, now));
        paths.put("by job", () -> "&job=ns-7/old-" + (random.nextInt(JOBS / 20) * 20 + 7));
        paths.put("by outcome FAILED", () -> "&outcome=FAILED&until=" + any(random, now));
        paths.put("by outcome LOST", () -> "&outcome=LOST");
        paths.put("by node", () -> "&node=node-1&until=" + any(random, now));
        paths.put("by namespace", () -> "&namespace=ns-3&until=" + any(random, now));
        paths.put("by namespace and LOST", () -> "&namespace=ns-0&outcome=LOST");
        paths.put("by a node that never was", () -> "&node=nobody");
        try (Daemon node = new Daemon(schema, "reader", Map.of("ROWLOCK_HISTORY_RETENTION", "0"))) {
            node.awaitReady();
            for (var path : paths.entrySet()) {
                int[] left = {requests};
                Latencies.Request request = n -> {
                    node.ok(node.request("/api/v1/tasks?state=ENDED&limit=50"
                                    + path.getValue().get())
                            .GET()
                            .build());
                    left[0]--;
                };
                Latencies.measure(1, 1, request); // warm
                report.add(path.getKey(), Latencies.measure(requests / 100.0, 1, request));
            }
        }
    }

    private static String any(Random random, Instant now) {
        return ISO.format(now.minusSeconds(random.nextInt(DAYS * 86_400)));
    }
}
