package dev.rowlock.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Many nodes before many jobs, a long history and many tasks that wait: what they ask of the database while nothing is due, what it takes to join
 * and to leave, and how long people wait for an answer. The nodes are processes of the jar.
 */
final class Size {

    private static final String GROUP = "crowded";
    private static final String WAITS = "no free slot in group " + GROUP;
    private static final int AFTERWARDS = 10;

    private final Server server;
    private final Report report;
    private final int jobs;
    private final int rows;
    private final int nodes;
    private final int waiting;
    private final int settle;
    private final int seconds;
    private final int requests;
    private final Answers answers;

    Size(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        nodes = options.number("nodes", 2);
        waiting = options.seconds("waiting", 0);
        settle = options.seconds("settle", 60);
        seconds = options.number("seconds", 60);
        answers = new Answers(server, options, report);
        jobs = options.number("jobs", 100_000);
        rows = options.number("rows", 1_000_000);
        requests = options.number("requests", 200);
    }

    void run() throws Exception {
        report.note(jobs + " jobs, one of ten with a policy; " + rows + " rows of history; " + nodes + " nodes; " + waiting
                + " tasks wait for a slot of their group; nothing else is due");
        try (Schema schema = answers.schema()) {
            if (Answers.isEmpty(schema)) {
                answers.fill(schema, Starts.now().truncatedTo(ChronoUnit.SECONDS));
                policies(schema);
                crowd(schema);
            }
            Deque<Daemon> running = new ArrayDeque<>();
            try {
                join(schema, running, 1);
                report.add("what older versions left", caughtUp(schema));
                for (int i = 2; i <= nodes; i++) {
                    join(schema, running, i);
                }
                measure(schema, running);
            } finally {
                for (Daemon node : running) {
                    node.kill(); // in order, each would take its turn
                    node.close();
                }
            }
        }
    }

    /** Nodes find what an upgrade leaves: spans to be noted, and cursors to be checked against the time zones. */
    private Line caughtUp(Schema schema) {
        long began = System.nanoTime();
        String done = "select count(*) from setting where name in ('task-spans', 'time-zone-data')";
        if (!Machine.await(1_200, 500, () -> schema.number(done) == 2)) {
            throw new IllegalStateException("what older versions left was not made up for within 20 minutes");
        }
        return Line.of("seconds", (System.nanoTime() - began) / 1e9);
    }

    private double join(Schema schema, Deque<Daemon> running, int number) throws Exception {
        Daemon node = new Daemon(schema, "node-" + number, Map.of("ROWLOCK_HISTORY_RETENTION", "0"));
        running.addLast(node);
        return node.awaitReady();
    }

    private void policies(Schema schema) {
        schema.run("insert into selector (id, expression) values (1, 'zone')");
        String one = "case floor(%1$s / 10) %% 10 when 0 then '{\"overlap\": \"QUEUE\"}' when 1 then '{\"priority\": 10}'"
                + " when 2 then '{\"retry\": {\"max\": 3}}' when 3 then '{\"jitter\": \"5m\"}' when 4 then '{\"misfire\": \"SKIP\"}'"
                + " when 5 then '{\"timeout\": \"1h\"}' when 6 then '{\"startDeadline\": \"10m\"}' when 7 then '{\"nodes\": \"zone\"}'"
                + " when 8 then '{\"maxPerNode\": 2}' else '{\"overlap\": \"ALLOW\"}' end";
        for (String table : List.of("job", "job_version")) {
            String id = table.equals("job") ? "id" : "job_id";
            schema.run("update " + table + " set definition = json_merge_patch(definition, " + one.formatted(id) + ") where " + id + " % 10 = 5");
        }
        schema.run("update job_next set priority = if(floor(job_id / 10) % 10 = 1, 10, 0), selector = if(floor(job_id / 10) % 10 = 7, 1, 0)"
                + " where job_id % 10 = 5");
    }

    /** The slot of a group is taken for as long as this lasts, and many wait for it. */
    private void crowd(Schema schema) {
        if (waiting == 0) {
            return;
        }
        schema.run("insert into job_group (name, slots, created_at, updated_at) values ('" + GROUP + "', 1, utc_timestamp(3), utc_timestamp(3))");
        for (String table : List.of("job", "job_version")) {
            String id = table.equals("job") ? "id" : "job_id";
            schema.run("update " + table + " set definition = json_set(definition, '$.group', '" + GROUP + "', '$.command', 'sleep 7200',"
                    + " '$.misfireThreshold', '1d') where " + id + " > " + (jobs - waiting));
        }
        String which = " where job_id > " + (jobs - waiting);
        schema.run("update job_next set group_name = '" + GROUP + "', due_at = utc_timestamp(3), fire_time = due_at" + which);
        // All but the one that is to take the slot wait already, as nodes would leave them: that takes many nodes long.
        String held = which + " and job_id > " + (jobs - waiting + 1);
        schema.run("insert into task_wait (task_id, stripe, awaited, rank_at) select task_id, stripe, 'group:" + GROUP + "', fire_time from job_next" + held);
        schema.run("insert into task (id, job_id, job_version, stripe, fire_time, attempt, cause, queued_at, state, group_name, hold, hold_reason, waited_for)"
                + " select task_id, job_id, job_version, stripe, fire_time, 1, 'SCHEDULE', utc_timestamp(3), 'IDLE', group_name, 'GROUP', '" + WAITS
                + "', 'group: " + WAITS + "' from job_next" + held);
        schema.run("update job_next set task_id = task_id + 10000000, fire_time = fire_time + interval 1 day, due_at = fire_time" + held);
        schema.text("analyze table task, job_next");
    }

    private void measure(Schema schema, Deque<Daemon> running) throws Exception {
        Daemon first = running.getFirst();
        Idle.rest(settle);
        Line idle = idle(running);
        report.add("idle", idle);
        double statements = (double) idle.values.get("idle_statements_per_s_and_node") * nodes;
        report.add("answers", answers(first));
        joinOnceMore(schema, running, statements);
        leave(running, statements);
        if (nodes > 1) {
            die(running, statements);
        }
    }

    private void joinOnceMore(Schema schema, Deque<Daemon> running, double statements) throws Exception {
        long began = System.nanoTime();
        Cost before = server.cost();
        Line line = Line.of("ready_s", join(schema, running, nodes + 1));
        awaitNode(running.getFirst(), "node-" + (nodes + 1), node -> node.get("stripes").getAsInt() > 0);
        report.add("a node joins", known(line, began, before, statements));
    }

    private void leave(Deque<Daemon> running, double statements) throws Exception {
        long began = System.nanoTime();
        Cost before = server.cost();
        running.removeLast().close();
        awaitNode(running.getFirst(), "node-" + (nodes + 1), node -> node.get("stripes").getAsInt() == 0);
        report.add("a node leaves", known(new Line(), began, before, statements));
    }

    private void die(Deque<Daemon> running, double statements) throws Exception {
        long began = System.nanoTime();
        Cost before = server.cost();
        Daemon killed = running.removeLast();
        killed.kill();
        awaitNode(running.getFirst(), "node-" + nodes, node -> node.get("stripes").getAsInt() == 0);
        report.add("a node is killed", known(new Line(), began, before, statements));
        killed.close();
    }

    /** What was asked within some seconds beyond what all nodes ask when nothing happens. */
    private Line known(Line line, long began, Cost before, double statements) throws InterruptedException {
        line.with("known_s", (System.nanoTime() - began) / 1e9);
        Idle.rest(AFTERWARDS);
        double extra = server.cost().since(before).statements() - statements * (System.nanoTime() - began) / 1e9;
        return line.with("statements", extra);
    }

    private Line idle(Deque<Daemon> running) {
        double cpu = Daemon.cpuSeconds(running);
        Cost before = server.cost();
        Idle.rest(seconds);
        Cost spent = server.cost().since(before);
        return Line.of("idle_statements_per_s_and_node", (spent.statements() - 3) / seconds / nodes)
                .with("node_cpu_percent", (Daemon.cpuSeconds(running) - cpu) / seconds * 100 / nodes)
                .with("server_cpu_percent", spent.serverCpu() / seconds * 100)
                .with("resident_mib", Machine.residentMiB(running.getFirst().pid()));
    }

    private Line answers(Daemon node) throws Exception {
        Line line = new Line();
        each(line, "overview", node, Math.min(requests, 50), 1_050, "/overview");
        each(line, "jobs", node, requests, 0, "/jobs?limit=50");
        each(line, "search", node, requests, 0, "/jobs?limit=50&q=job-4711");
        each(line, "tasks", node, requests, 0, "/tasks?limit=50");
        each(line, "job", node, requests, 0, "/jobs/default/job-4711");
        each(line, "cluster", node, requests, 0, "/cluster");
        Latencies.Request change = n -> node.ok(node.request("/api/v1/jobs/default/job-101" + (n % 2 == 0 ? "/pause" : "/resume"))
                .POST(BodyPublishers.ofString(""))
                .build());
        Latencies.Request forecast = n -> node.ok(node.request("/api/v1/forecast").GET().build());
        Line of = Latencies.spaced(5, change, forecast);
        return line.with("forecast_p50_ms", of.values.get("p50_ms")).with("forecast_max_ms", of.values.get("max_ms"));
    }

    private static void each(Line line, String name, Daemon node, int requests, int pause, String path) throws Exception {
        Latencies.Request rest = n -> Idle.rest(pause / 1000.0);
        Latencies.Request get = n -> node.ok(node.request("/api/v1" + path).GET().build());
        for (int i = 0; i < 20; i++) {
            get.send(i);
        }
        Line of = Latencies.spaced(requests, rest, get);
        line.with(name + "_p50_ms", of.values.get("p50_ms")).with(name + "_p99_ms", of.values.get("p99_ms"));
    }

    /** Until the node that is asked sees this of the other. */
    private static void awaitNode(Daemon asked, String name, Predicate<JsonObject> until) {
        boolean seen = Machine.await(120, 100, () -> {
            try {
                HttpRequest request = asked.request("/api/v1/cluster").GET().build();
                for (var session : JsonParser.parseString(asked.ok(request)).getAsJsonObject().getAsJsonArray("sessions")) {
                    if (session.getAsJsonObject().get("node").getAsString().equals(name)) {
                        return until.test(session.getAsJsonObject());
                    }
                }
                return false;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        if (!seen) {
            throw new IllegalStateException("node " + name + " is not seen as it should be");
        }
    }
}
