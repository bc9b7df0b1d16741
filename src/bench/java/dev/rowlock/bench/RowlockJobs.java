package dev.rowlock.bench;

import dev.rowlock.db.schema.Migrations;
import dev.rowlock.db.Servers;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Rowlock's tables, and many jobs in them. The live tasks lie as acquiring leaves those of jobs that have fired before: by stripe. New jobs that
 * were made one by one have them in the order of the jobs until they have fired once, and fire a twentieth slower that once.
 */
final class RowlockJobs {

    static final DateTimeFormatter SQL =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private RowlockJobs() {}

    static void insert(Schema schema, int jobs, String cron, String command, Instant first) {
        Migrations.run(new Servers(schema.address));
        insertRows(schema, jobs, cron, command, "'" + SQL.format(first) + "'");
    }

    /** The first fire times lie one every millisecond, from {@code first} on. */
    static void insertSpread(Schema schema, int jobs, String cron, Instant first) {
        Migrations.run(new Servers(schema.address));
        insertRows(schema, jobs, cron, "true", "'" + SQL.format(first) + "' + interval j.id * 1000 microsecond");
    }

    /**
     * Jobs with policies.
     *
     * @param policies further members of the definitions, as {@code json_object} takes them; {@code n} counts the jobs
     */
    static void insertWith(Schema schema, int jobs, String cron, Instant first, String policies) {
        insertJobs(schema, jobs, cron, "true", policies);
        insertCursors(schema, "'" + SQL.format(first) + "'");
    }

    /** Jobs that have no schedule, and were each asked that often, a millisecond apart, to run at one instant. */
    static void insertRuns(Schema schema, int jobs, int runs, Instant at, String policies) {
        insertJobs(schema, jobs, "@manual", "true", policies);
        String time = "'" + SQL.format(at) + "'";
        schema.run("insert into task (id, job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, state)"
                + " select row_number() over (order by id % 64, id, n), id, 1, id % 64, " + time + " - interval 1000 * (" + runs + " - n) microsecond,"
                + " concat('run:', n), 1, 'MANUAL', " + time + ", 'IDLE' from job join " + Schema.numbers(runs));
        analyze(schema);
    }

    /** An alert rule for each job, of all that comes to pass while they run. */
    static void insertRules(Schema schema, int jobs) {
        schema.run("insert into alert_rule (name, definition, created_at, updated_at) select concat('rule-', n),"
                + " json_object('when', json_array('FAILED', 'NOT_STARTED_BY', 'TOO_LONG'), 'deadline', '1m', 'warnAfter',"
                + " '1m', 'namespace', 'default', 'job', concat('job-', n), 'channels', json_array('nobody')),"
                + " utc_timestamp(3), utc_timestamp(3) from " + Schema.numbers(jobs));
    }

    private static void insertRows(Schema schema, int jobs, String cron, String command, String fireTime) {
        insertJobs(schema, jobs, cron, command, "");
        insertCursors(schema, fireTime);
    }

    private static void insertJobs(Schema schema, int jobs, String cron, String command, String policies) {
        schema.run("insert into job (id, namespace, name, version, definition, paused, created_at, updated_at)"
                + " select n, 'default', concat('job-', n), 1, json_object('namespace', 'default', 'name', concat('job-', n),"
                + " 'schedule', '" + cron + "', 'command', '" + command + "', 'zone', 'UTC', 'onLost', 'RERUN'"
                + policies + "), false, utc_timestamp(3), utc_timestamp(3) from " + Schema.numbers(jobs));
        schema.run("insert into job_version (job_id, version, namespace, name, definition, paused, valid_from)"
                + " select id, version, namespace, name, definition, paused, created_at from job");
    }

    /** With what an edit would have put on them. */
    private static void insertCursors(Schema schema, String fireTime) {
        schema.run("insert into job_next (task_id, job_id, job_version, stripe, fire_time, due_at, priority, group_name,"
                + " selector) select j.id, j.id, 1, j.id % 64, " + fireTime + ", " + fireTime + ", coalesce(json_extract(definition, '$.priority'), 0),"
                + " json_unquote(json_extract(definition, '$.group')), coalesce(s.id, 0) from job j left join selector s"
                + " on s.expression = json_unquote(json_extract(definition, '$.nodes')) order by j.id % 64, j.id");
        analyze(schema);
    }

    private static void analyze(Schema schema) {
        schema.text("analyze table task, job_next, job, job_version, task_history");
    }

    static long finished(Schema schema) {
        return schema.number("select count(*) from task_history where outcome = 'SUCCEEDED'");
    }
}
