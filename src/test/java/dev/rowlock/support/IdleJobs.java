package dev.rowlock.support;

/** Many jobs, each with a cursor that is due at some time of the next days. */
public final class IdleJobs {

    private IdleJobs() {}

    public static void insert(Rows rows, int jobs) {
        rows.run("insert into job (id, namespace, name, version, definition, paused, created_at, updated_at)"
                + " select n, 'default', concat('idle-', n), 1, json_object('namespace', 'default', 'name', concat('idle-', n),"
                + " 'schedule', '0 0 1 1 *', 'command', 'true', 'zone', 'UTC', 'onLost', 'RERUN'), false, utc_timestamp(3),"
                + " utc_timestamp(3) from " + Numbers.upTo(jobs));
        rows.run("insert into job_version (job_id, version, namespace, name, definition, paused, valid_from)"
                + " select id, version, namespace, name, definition, paused, created_at from job");
        rows.run("insert into job_next (task_id, job_id, job_version, stripe, fire_time)"
                + " select id, id, 1, id % 64, utc_timestamp(3) + interval 3600 + id second from job");
        rows.run("update live_task set due_at = fire_time");
        rows.all("analyze table task, job_next, job, job_version, task_history");
    }
}
