package dev.rowlock.engine;

import dev.rowlock.support.Rows;

/** What a node of version 0.1 writes and reads of what holds a task: its statements, with their parameters filled in. */
final class OlderNode {

    private static final String HOLDS = "(j.paused and t.origin = '')";
    private static final String IS_ASIDE = "t.state = 'IDLE' and t.due_at is null and t.waits_for like 'error: %'";
    private static final String DUE_AGAIN =
            "if(t.origin = '' and t.attempt = 1 and t.cause in ('SCHEDULE', 'CATCH_UP'),"
                    + " greatest(t.fire_time, utc_timestamp(3) - interval 60 second), utc_timestamp(3))";

    private final Rows rows;
    private final long job;

    OlderNode(Rows rows, long job) {
        this.rows = rows;
        this.job = job;
    }

    void pause() {
        save(true);
        rows.run("update task t set t.due_at = null, t.waits_for = 'pause' where t.job_id = " + job
                + " and t.state = 'IDLE' and t.origin = '' and t.started_at is null");
    }

    void resume() {
        save(false);
        rows.run("update task t set t.due_at = " + DUE_AGAIN + ", t.waits_for = null where t.job_id = " + job
                + " and t.state = 'IDLE' and t.waits_for = 'pause'");
    }

    void edit() {
        save("1".equals(rows.one("select paused from job where id = " + job)));
    }

    private void save(boolean paused) {
        rows.run(
                "update task set state = 'IDLE', launch_id = null, session_id = null, prepared_at = null where job_id = "
                        + job + " and state = 'PREPARED'");
        rows.run("update job set version = version + 1, paused = " + paused + " where id = " + job);
        rows.run("insert into job_version (job_id, version, namespace, name, definition, paused, valid_from)"
                + " select id, version, namespace, name, definition, paused, utc_timestamp(3) from job where id = "
                + job);
        rows.run("update task set job_version = (select version from job where id = " + job + ") where job_id = " + job
                + " and state <> 'EXECUTING'");
        release();
    }

    /** Of what is set aside. */
    void release() {
        rows.run("update task t force index (one_attempt) left join job j on j.id = t.job_id set t.due_at = if(" + HOLDS
                + ", null, " + DUE_AGAIN + "), t.waits_for = if(" + HOLDS + ", 'pause', null) where " + IS_ASIDE
                + " and t.started_at is null and t.job_id = " + job);
        rows.run("update task_aside set look_at = utc_timestamp(3) where job_id = " + job);
    }

    void setAside(String why) {
        rows.run("update task t join job j on j.id = t.job_id set t.due_at = null, t.waits_for = 'error: " + why
                + "' where t.state = 'IDLE' and t.job_id = " + job);
        rows.run("insert into task_aside (task_id, job_id, times, since, look_at) select t.id, t.job_id, 1,"
                + " utc_timestamp(3), utc_timestamp(3) + interval 10 second from task t where t.job_id = " + job
                + " and " + IS_ASIDE + " on duplicate key update times = times + 1");
    }

    void giveBack() {
        rows.run("update task t left join job j on j.id = t.job_id set t.state = 'IDLE', t.launch_id = null,"
                + " t.session_id = null, t.prepared_at = null, t.started_at = null, t.due_at = if(" + HOLDS
                + ", null, greatest(t.due_at, utc_timestamp(3))), t.waits_for = if(" + HOLDS
                + ", 'pause', null) where t.job_id = " + job + " and t.state in ('PREPARED', 'EXECUTING')");
    }

    void refused(String why) {
        rows.run("update task set waits_for = 'error: the result cannot be recorded: " + why + "' where job_id = " + job
                + " and state = 'EXECUTING'");
    }

    /** As its API and its next try see them. */
    long aside() {
        return rows.count("task t where " + IS_ASIDE + " and t.job_id = " + job);
    }

    /** As it sees them when their session ends. */
    long refused() {
        return rows.count("task where state = 'EXECUTING' and waits_for like 'error: %' and job_id = " + job);
    }
}
