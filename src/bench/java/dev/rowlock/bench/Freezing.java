package dev.rowlock.bench;

import dev.rowlock.db.Servers;
import dev.rowlock.db.schema.Migrations;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A freeze ends that has held many jobs, while others are due every second: how soon the first of what it held starts, and
 * the last, and how late the others are meanwhile. The nodes are processes of their own with all that belongs to them, but
 * for the commands.
 */
final class Freezing {

    private static final int QUEUED_EACH = 100;
    private static final int PATIENCE = 600;
    private static final int AFTERWARDS = 5;

    private final Server server;
    private final Report report;
    private final int held;
    private final int queues;
    private final int others;
    private final int capacity;
    private final int nodes;
    private final int rounds;

    Freezing(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        held = options.number("jobs", 50_000);
        queues = options.seconds("queues", 0);
        others = options.number("others", 500);
        capacity = options.number("capacity", 500);
        nodes = options.number("nodes", 1);
        rounds = options.number("rounds", 1);
    }

    void run() throws Exception {
        report.note("a freeze ends that held " + held + " jobs and " + queues + " that queue " + QUEUED_EACH + " each; "
                + others + " others are due every second; " + nodes + " nodes of " + capacity + " slots");
        for (int round = 0; round < rounds; round++) {
            report.add(held + " held, " + queues + " queues", once());
        }
    }

    private Line once() throws Exception {
        try (Schema schema = server.schema()) {
            Migrations.run(new Servers(schema.address));
            Instant first = Starts.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(20 + (held + 100 * queues) / 5_000);
            Instant end = first.plusSeconds(15);
            RowlockJobs.insertWith(schema, others, "* * * * * ?", first, "");
            hold(schema, end);
            List<Daemon> running = new ArrayList<>();
            try {
                for (int i = 1; i <= nodes; i++) {
                    running.add(Daemon.withoutProcesses(
                            schema, "node-" + i, Map.of("ROWLOCK_NODE_CAPACITY", "" + capacity)));
                }
                for (Daemon node : running) {
                    node.awaitReady();
                }
                return measured(schema, end);
            } finally {
                for (Daemon node : running) {
                    node.close();
                }
            }
        }
    }

    /** As the nodes leave what a freeze covers: cursors that wait for its end, and tasks of jobs that queue. */
    private void hold(Schema schema, Instant end) {
        String until = "'" + RowlockJobs.SQL.format(end) + "'";
        schema.run("insert into freeze (scope, effect, from_at, until_at, reason, made_by, created_at, changed_at) values"
                + " (json_object('namespaces', json_array('held')), 'HOLD', utc_timestamp(3) - interval 1 hour, " + until
                + ", '', 'bench', utc_timestamp(3), utc_timestamp(3))");
        schema.run("update cluster_lock set rules = 1 where name like 'task-%'");
        schema.run("insert into job (id, namespace, name, version, definition, paused, created_at, updated_at)"
                + " select " + others + " + n, 'held', concat('held-', n), 1, json_object('namespace', 'held', 'name',"
                + " concat('held-', n), 'schedule', '0 0 1 1 *', 'command', 'true', 'zone', 'UTC', 'onLost', 'RERUN', 'overlap',"
                + " if(n > " + held + ", 'QUEUE', 'SKIP')), false, utc_timestamp(3), utc_timestamp(3) from "
                + Schema.numbers(held + queues));
        schema.run("insert into job_version (job_id, version, namespace, name, definition, paused, valid_from)"
                + " select id, version, namespace, name, definition, paused, created_at from job where namespace = 'held'");
        schema.run("insert into job_next (task_id, job_id, job_version, stripe, fire_time, due_at, hold, hold_reason)"
                + " select id, id, 1, id % 64, utc_timestamp(3) - interval 30 minute, " + until + ", 'FREEZE', 'freeze 1' from job"
                + " where namespace = 'held' and id <= " + (others + held) + " order by id % 64, id");
        if (queues > 0) {
            schema.run("insert into task (id, job_id, job_version, stripe, fire_time, attempt, cause, due_at, state, queued_at,"
                    + " hold, hold_reason) select 1000000 + row_number() over (order by id, n), id, 1, id % 64,"
                    + " utc_timestamp(3) - interval " + QUEUED_EACH + " - n second, 1, 'SCHEDULE', " + until
                    + ", 'IDLE', utc_timestamp(3), 'FREEZE', 'freeze 1' from job join " + Schema.numbers(QUEUED_EACH)
                    + " where namespace = 'held' and id > " + (others + held));
        }
        schema.run("update task_ids set next_id = 100000000");
        schema.text("analyze table task, job_next, job, job_version, task_history");
    }

    private Line measured(Schema schema, Instant end) throws Exception {
        Idle.rest(Math.max(0, (end.toEpochMilli() - Starts.now().toEpochMilli()) / 1000.0));
        long all = held + (long) queues * QUEUED_EACH;
        String ofHeld = "from task_history where namespace = 'held' and started_at is not null";
        boolean done = Machine.await(PATIENCE, 500, () -> schema.number("select count(*) " + ofHeld) >= all);
        Idle.rest(AFTERWARDS);
        String since = "timestampdiff(microsecond, '" + RowlockJobs.SQL.format(end) + "', %s(started_at)) div 1000 " + ofHeld;
        long last = schema.number("select " + since.formatted("max"));
        String meanwhile = "from task_history where namespace = 'default' and started_at is not null and fire_time >= '"
                + RowlockJobs.SQL.format(end) + "' and fire_time <= '"
                + RowlockJobs.SQL.format(end.plusMillis(last)) + "'";
        long count = Math.max(1, schema.number("select count(*) " + meanwhile));
        return Line.of("all_started", done)
                .with("first_ms", schema.number("select " + since.formatted("min")))
                .with("last_ms", last)
                .with("others", count)
                .with("others_p50_ms", lateness(schema, meanwhile, count / 2))
                .with("others_p99_ms", lateness(schema, meanwhile, count * 99 / 100))
                .with("others_max_ms", lateness(schema, meanwhile, count - 1))
                .with(
                        "others_not_run",
                        schema.number("select coalesce(sum(occurrences), 0) from task_history where namespace = 'default'"
                                + " and started_at is null and fire_time >= '" + RowlockJobs.SQL.format(end) + "'"));
    }

    private static long lateness(Schema schema, String which, long at) {
        return schema.number("select lateness_ms " + which + " order by lateness_ms limit 1 offset " + at);
    }
}
