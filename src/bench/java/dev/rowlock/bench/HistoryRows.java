package dev.rowlock.bench;

import java.time.Instant;

/**
 * A long history, written by SQL: the jobs in turn, evenly over some days. 2 % failed, 0.01 % were lost, one in two million took two hours, and one
 * in two million was asked for by hand.
 *
 * @param jobId of a job, of which {@code job} is the number, from 0 on; so are {@code namespace} and {@code name}
 */
record HistoryRows(int rows, int jobs, int days, String jobId, String namespace, String name) {

    private static final int CHUNK = 200_000;
    private static final int RARE = 2_000_000;

    /** @param now where it ends */
    Line fill(Schema schema, Instant now) {
        long began = System.nanoTime();
        for (int done = 0; done < rows; done += CHUNK) {
            int count = Math.min(CHUNK, rows - done);
            String n = "(n + " + done + ")";
            String at = "timestamp('" + RowlockJobs.SQL.format(now) + "') - interval floor((" + rows + " - " + n + ") * "
                    + days * 86_400.0 / rows + ") second";
            schema.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin, attempt,"
                    + " cause, outcome, node, session_id, launch_id, due_at, prepared_at, started_at, ended_at, lateness_ms, duration_ms,"
                    + " exit_code, output_bytes, last_fire_time) select " + n + ", " + jobId + ", " + namespace + ", " + name + ", 1, at,"
                    + " at + interval 60 second, '', 1, if(" + n + " % " + RARE + " = 7, 'MANUAL', 'SCHEDULE'),"
                    + " if(n % 10000 = 0, 'LOST', if(n % 50 = 0, 'FAILED', 'SUCCEEDED')), concat('node-', n % 3), 's000000000000',"
                    + " concat('s000000000000-', n), at, at, at, at, 3, if(" + n + " % " + RARE + " = 9, 7200000, 20 + n % 1000), 0, 0, at"
                    + " from (select n, " + n + " % " + jobs + " as job, " + at + " as at from " + Schema.numbers(count) + ") r");
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        schema.text("analyze table task_history");
        return Line.of("rows", rows).with("rows_per_s", rows / seconds);
    }
}
