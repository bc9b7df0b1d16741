package dev.rowlock.api;

/** The tasks of one job, started and ended by hand. */
final class TaskRows {

    static final String JOB = "/jobs/default/a";

    private final Api api;

    TaskRows(Api api) {
        this.api = api;
    }

    void create() {
        api.put(JOB, "{\"schedule\": \"@manual\", \"command\": \"true\"}");
    }

    long run() {
        return api.post(JOB + "/run", "").body().path("id").asLong();
    }

    void executes(long id) {
        api.update("update live_task set state = 'EXECUTING', launch_id = 's-" + id
                + "', session_id = 's', started_at = utc_timestamp(3) where id = " + id);
    }

    void ends(long id, String outcome) {
        ends(id, outcome, 0);
    }

    void ends(long id, String outcome, int outputBytes) {
        api.update(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                        + " outcome, node, session_id, launch_id, due_at, started_at, ended_at, lateness_ms,"
                        + " duration_ms, exit_code, exit_signal, output_bytes, last_fire_time) select id, job_id,"
                        + " 'default', 'a', 1, fire_time, origin, attempt, cause, '"
                        + outcome
                        + "', 'node-a', session_id, launch_id, due_at, started_at, utc_timestamp(3), 5, 1000, 0, 15, "
                        + outputBytes
                        + ", fire_time from live_task"
                        + " where id = " + id);
        api.update("delete from live_task where id = " + id);
    }

    void writes(long id, String text) {
        api.update("replace into task_output values (" + id + ", 's-" + id + "', " + text.length() + ", 0, '" + text
                + "', '', utc_timestamp(3))");
    }

    void session(String id, String node) {
        api.update(
                "insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at,"
                        + " heartbeat_at, state) values ('" + id + "', '" + node
                        + "', 'h', 'b', 1, 1, '1', '{}', 4, utc_timestamp(3), utc_timestamp(3), 'ALIVE')");
    }
}
