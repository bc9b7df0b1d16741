package dev.rowlock.bench;

import dev.rowlock.db.schema.Migrations;
import dev.rowlock.db.Servers;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What people and pages ask of a cluster with many jobs and a long history, by one client over HTTP; once while nothing fires, and the first ones
 * again beside 100 fires a second. The node that answers takes no work.
 */
final class Answers {

    private static final int DAYS = 40;
    /** So many jobs have a history. */
    private static final int THAT_RAN = 10_000;

    private static final int STEADY_JOBS = 100;
    private static final String NOT_KEPT = "no";
    private static final String PARTS = "overview,search,lists,single,forecast,apply,beside";
    /** What an overview has seen is not asked for again within a second. */
    private static final Duration NOT_FRESH = Duration.ofMillis(1_050);

    private static final Map<String, String> LISTS = new LinkedHashMap<>();

    static {
        LISTS.put("jobs, first page", "/jobs?limit=50");
        LISTS.put("jobs, 1,000 of them", "/jobs?limit=1000");
        LISTS.put("jobs, by a label of 1 %", "/jobs?limit=50&label=team%3Dteam-7");
        LISTS.put("jobs, sorted by next fire time", "/jobs?limit=50&sort=next");
        LISTS.put("jobs, sorted by last outcome", "/jobs?limit=50&sort=outcome");
        LISTS.put("jobs, sorted by last end", "/jobs?limit=50&sort=last");
        LISTS.put("tasks, first page", "/tasks?limit=50");
        LISTS.put("tasks, the newest that ended", "/tasks?limit=50&state=ENDED");
        LISTS.put("tasks, of a namespace", "/tasks?limit=50&state=ENDED&namespace=default");
        LISTS.put("tasks, of a namespace with none", "/tasks?limit=50&namespace=nobody");
        LISTS.put("tasks, of a label of 1 %", "/tasks?limit=50&state=ENDED&label=team%3Dteam-7");
        LISTS.put("tasks, of a label of none", "/tasks?limit=50&state=ENDED&label=nobody");
        LISTS.put("tasks, SUCCEEDED", "/tasks?limit=50&outcome=SUCCEEDED");
        LISTS.put("tasks, FAILED", "/tasks?limit=50&outcome=FAILED");
        LISTS.put("tasks, LOST", "/tasks?limit=50&outcome=LOST");
        LISTS.put("tasks, FAILED and of a label of 1 %", "/tasks?limit=50&outcome=FAILED&label=team%3Dteam-7");
        LISTS.put("tasks, FAILED and minDuration of none", "/tasks?limit=50&outcome=FAILED&minDuration=1h");
        LISTS.put("tasks, minDuration of half", "/tasks?limit=50&minDuration=500ms");
        LISTS.put("tasks, minDuration of one in two million", "/tasks?limit=50&minDuration=1h");
        LISTS.put("tasks, cause of most", "/tasks?limit=50&state=ENDED&cause=SCHEDULE");
        LISTS.put("tasks, cause of one in two million", "/tasks?limit=50&cause=MANUAL");
    }

    private final Server server;
    private final Report report;
    private final int jobs;
    private final int rows;
    private final int requests;
    private final int ran;
    private final int patience;
    private final String keep;
    private final List<String> parts;
    private final Random random = new Random(7);

    Answers(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        jobs = options.number("jobs", 100_000);
        rows = options.number("rows", 1_000_000);
        requests = options.number("requests", 200);
        ran = Math.min(jobs, THAT_RAN);
        patience = options.seconds("count", 0);
        keep = options.text("keep", NOT_KEPT);
        parts = options.list("only", PARTS);
        if (!keep.matches("[a-z][a-z0-9_]*")) {
            throw new IllegalArgumentException("--keep is the name of a database: lower case letters, digits and _");
        }
    }

    void run() throws Exception {
        report.note(jobs + " jobs: seven of ten daily, two hourly, one every five minutes; " + rows + " rows of history over " + DAYS
                + " days; one client over HTTP");
        try (Schema schema = schema()) {
            Instant now = Starts.now().truncatedTo(ChronoUnit.SECONDS);
            if (isEmpty(schema)) {
                fill(schema, now);
            }
            try (Daemon node = new Daemon(schema, "reader", Map.of("ROWLOCK_HISTORY_RETENTION", "0"))) {
                node.awaitReady();
                post(node, "/cluster/nodes/reader/drain", "");
                count(schema, node);
                for (String part : parts) {
                    measure(part, schema, node, now);
                }
            }
        }
    }

    /** A new one, or the one that is kept. */
    Schema schema() throws SQLException {
        return keep.equals(NOT_KEPT) ? server.schema() : server.kept(keep);
    }

    private void measure(String part, Schema schema, Daemon node, Instant now) throws Exception {
        switch (part) {
            case "overview" -> overview(node, "");
            case "search" -> search(node, "");
            case "lists" -> each(node, LISTS);
            case "single" -> single(node, now);
            case "forecast" -> forecast(node);
            case "apply" -> apply(node);
            case "beside" -> beside(schema, node);
            default -> throw new IllegalArgumentException("--only is some of " + PARTS + ", not \"" + part + "\"");
        }
    }

    static boolean isEmpty(Schema schema) {
        return schema.number("select count(*) from information_schema.tables where table_schema = database()") == 0;
    }

    /** Jobs, their history, and what was counted of it. */
    void fill(Schema schema, Instant now) {
        schema.writeNoLog();
        Migrations.run(new Servers(schema.address));
        schema.run("alter table task auto_increment = " + (rows + 1L)); // what comes is newer than what was
        RowlockJobs.insertSpread(schema, jobs, "0 0 0 1 1 ?", now.plus(Duration.ofHours(6)));
        for (String table : new String[] {"job", "job_version"}) {
            String id = table.equals("job") ? "id" : "job_id";
            schema.run("update " + table + " set definition = json_set(definition, '$.schedule', case when " + id + " <= " + STEADY_JOBS
                    + " then '* * * * * ?' when " + id + " % 10 = 0 then '*/5 * * * *' when " + id + " % 10 < 3 then concat(" + id
                    + " % 60, ' * * * *') else concat(" + id + " % 60, ' ', " + id + " % 24, ' * * *') end,"
                    + " '$.description', concat('what job ', " + id + ", ' is for, in a few words'),"
                    + " '$.labels', json_object('team', concat('team-', " + id + " % 100)))");
        }
        HistoryRows history = new HistoryRows(rows, ran, DAYS, "job + 1", "'default'", "concat('job-', job + 1)");
        report.add("fill", history.fill(schema, now));
        if (patience == 0) {
            aggregates(schema);
        }
        schema.text("analyze table job, job_version, job_stats, job_day, history_minute");
    }

    /** As counting leaves them, but for histograms. */
    private void aggregates(Schema schema) {
        String last = "(select max(ended_at) from task_history)";
        schema.run("insert into job_stats (job_id, last_task, last_outcome, last_started, last_ended, last_duration_ms, result, streak,"
                + " streak_since, streak_first, p50_ms, p95_ms, samples) select job_id, id, outcome, started_at, ended_at, duration_ms,"
                + " if(outcome = 'SUCCEEDED', 'SUCCEEDED', 'FAILED'), 1, ended_at, id, 500, 1000, 300 from task_history where id > " + (rows - ran));
        schema.run("insert into job_day (job_id, day, runs, succeeded, durations, latenesses) select id, date(utc_timestamp()) - interval n day,"
                + " 25, 25, '', '' from job join " + Schema.numbers(DAYS) + " where id <= " + ran);
        schema.run("insert into history_minute (minute, fires, succeeded) select date_format(utc_timestamp() - interval n minute, '%Y-%m-%d %H:%i:00'),"
                + " 150, 150 from " + Schema.numbers(3 * 1_440));
        schema.run("insert into setting (name, value) select 'history-counted', concat(date_format(" + last + ", '%Y-%m-%d %H:%i:%s.000 '), " + rows + ")");
    }

    /** The node counts what it finds, as after an upgrade. */
    private void count(Schema schema, Daemon node) throws InterruptedException {
        if (patience == 0) {
            return;
        }
        String left = "select count(*) from task_history h left join setting s on s.name = 'history-counted'"
                + " where h.id = " + rows + " and (s.value is null or s.value < date_format(h.ended_at, '%Y-%m-%d %H:%i:%s.000'))";
        long began = System.nanoTime();
        Cost before = server.cost();
        boolean done = Machine.await(patience, 500, () -> schema.number(left) == 0);
        double seconds = (System.nanoTime() - began) / 1e9;
        report.add(
                "history is counted",
                Line.of("rows", rows)
                        .with("done", done)
                        .with("seconds", seconds)
                        .with("counted_to", schema.text("select value from setting where name = 'history-counted'"))
                        .with("server_cpu_s", server.cost().since(before).serverCpu())
                        .with("node_mib", Machine.residentMiB(node.pid())));
    }

    private void overview(Daemon node, String beside) throws Exception {
        report.add(
                "overview, read again each time" + beside,
                Latencies.spaced(Math.min(requests, 100), n -> Machine.await(NOT_FRESH.toMillis() / 1e3, 50, () -> false), n -> get(node, "/overview")));
        report.add("overview, as fast as it comes" + beside, Latencies.measure(requests / 100.0, 1, n -> get(node, "/overview")));
    }

    private void search(Daemon node, String beside) throws Exception {
        Map<String, Latencies.Request> searches = new LinkedHashMap<>();
        searches.put("jobs, q of few", n -> get(node, "/jobs?q=job-" + (1 + random.nextInt(jobs))));
        searches.put("jobs, q of none", n -> get(node, "/jobs?q=nothing-" + n));
        searches.put("jobs, q of all", n -> get(node, "/jobs?limit=50&q=job"));
        for (Map.Entry<String, Latencies.Request> search : searches.entrySet()) {
            Latencies.measure(1, 1, search.getValue()); // warm
            report.add(search.getKey() + beside, Latencies.measure(requests / 20.0, 1, search.getValue()));
        }
    }

    private void each(Daemon node, Map<String, String> paths) throws Exception {
        for (Map.Entry<String, String> path : paths.entrySet()) {
            each(path.getKey(), n -> get(node, path.getValue()));
        }
    }

    private void each(String what, Latencies.Request request) throws Exception {
        Latencies.measure(1, 1, request); // warm
        report.add(what, Latencies.measure(requests / 50.0, 1, request));
    }

    /** Each time after a job has changed, as an answer is kept until one does. */
    private void forecast(Daemon node) throws Exception {
        Latencies.Request change = n -> post(node, "/jobs/default/job-" + (STEADY_JOBS + 1) + (n % 2 == 0 ? "/pause" : "/resume"), "");
        report.add("forecast of 24 h", Latencies.spaced(20, change, n -> get(node, "/forecast")));
        report.add("forecast of 24 h, kept", Latencies.measure(1, 1, n -> get(node, "/forecast")));
        report.add("forecast of 168 h", Latencies.spaced(5, change, n -> get(node, "/forecast?hours=168")));
        report.add("after the forecasts", Line.of("node_mib", Machine.residentMiB(node.pid())));
    }

    private void single(Daemon node, Instant now) throws Exception {
        each("tasks, of a job", n -> get(node, "/tasks?limit=50&namespace=default&job=" + anyThatRan()));
        each("explain a task", n -> get(node, "/tasks/" + (1 + random.nextInt(rows)) + "/explain"));
        each("explain an instant", n -> get(node, "/jobs/default/" + anyThatRan() + "/explain?at=" + anyOf(now)));
        each("explain what comes", n -> get(node, "/jobs/default/job-" + (1 + random.nextInt(jobs)) + "/explain?at=" + now.plusSeconds(90_000)));
        each("stats of a job", n -> get(node, "/jobs/default/" + anyThatRan() + "/stats"));
        each("rerun what failed in an hour, dryRun", n -> post(node, "/tasks/rerun", rerun("", now, 3_600)));
        each("rerun what failed of a job in 40 days, dryRun", n -> post(
                node, "/tasks/rerun", rerun("\"job\": \"default/" + anyThatRan() + "\", ", now, DAYS * 86_400)));
    }

    private String anyThatRan() {
        return "job-" + (1 + random.nextInt(ran));
    }

    private Instant anyOf(Instant now) {
        return now.minusSeconds(random.nextInt(DAYS * 86_400));
    }

    private static String rerun(String more, Instant now, int seconds) {
        return "{" + more + "\"dryRun\": true, \"outcome\": [\"FAILED\"], \"since\": \"" + now.minusSeconds(seconds) + "\", \"until\": \"" + now
                + "\"}";
    }

    /** A thousand jobs that are there get another command each time, and another schedule every other time. */
    private void apply(Daemon node) throws Exception {
        Latencies.Request nothing = n -> {};
        report.add("apply, another command of 1,000 jobs", Latencies.spaced(5, nothing, n -> post(node, "/apply", thousand(n, "7 3 * * *"))));
        report.add(
                "apply, another command and schedule of 1,000 jobs",
                Latencies.spaced(5, nothing, n -> post(node, "/apply", thousand(n, (n + 8) + " 3 * * *"))));
    }

    private String thousand(int command, String schedule) {
        return IntStream.range(Math.max(0, jobs - 1_000), jobs)
                .mapToObj(n -> "{\"name\": \"job-" + (n + 1) + "\", \"schedule\": \"" + schedule + "\", \"command\": \"echo " + command + "\"}")
                .collect(Collectors.joining(", ", "{\"jobs\": [", "]}"));
    }

    private void beside(Schema schema, Daemon node) throws Exception {
        Instant first = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(10);
        schema.run("update job_next set fire_time = '" + RowlockJobs.SQL.format(first) + "', due_at = fire_time where job_id <= " + STEADY_JOBS);
        Starts starts = new Starts(1_000_000);
        Contender.Task task = new Contender.Task(schema, STEADY_JOBS, 400, Contender.Command.NOOP, "", first, starts);
        try (Rowlock worker = new Rowlock(task, Map.of())) {
            worker.start();
            Machine.await(60, 10, () -> starts.count() > 5 * STEADY_JOBS);
            starts.countOnly(Starts.now(), Instant.MAX);
            overview(node, ", beside 100 fires a second");
            search(node, ", beside 100 fires a second");
            report.add("those fires", Line.of("starts", starts.count()).with(starts.lateness()));
        }
    }

    private static void get(Daemon node, String path) throws Exception {
        node.ok(node.request("/api/v1" + path).GET().build());
    }

    private static void post(Daemon node, String path, String body) throws Exception {
        node.ok(node.request("/api/v1" + path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
    }
}
