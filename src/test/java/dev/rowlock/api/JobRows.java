package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import dev.rowlock.support.LiveRows;

/** The rows of one job, moved by hand as the engine would. */
final class JobRows {

    static final String JOB = "/jobs/default/a";

    private final Api api;

    JobRows(Api api) {
        this.api = api;
    }

    Reply put(String schedule, String more) {
        return api.put(JOB, "{\"schedule\": \"" + schedule + "\", \"command\": \"true\"" + more + "}");
    }

    /** {@code @every} counts from the creation, so that a minute's boundary is never near. */
    void create(String schedule) {
        assertThat(put(schedule, "").status()).isEqualTo(201);
    }

    /** The occurrence at the cursor was acquired {@code times} times: prepared, and the cursor at the next. */
    void acquire(int times) {
        for (int i = 0; i < times; i++) {
            String id = api.one("select task_id from job_next");
            api.update("insert into task (id, job_id, job_version, stripe, fire_time, next_fire_time, attempt, cause,"
                    + " due_at, state, launch_id, session_id, prepared_at, jitter_ms)"
                    + " select task_id, job_id, job_version, stripe, fire_time, timestampadd(minute, 1, fire_time), 1,"
                    + " 'SCHEDULE', due_at, 'PREPARED', 'x-" + id
                    + "', 'x', utc_timestamp(3), jitter_ms from job_next");
            api.update("update job_next set fire_time = timestampadd(minute, 1, fire_time), due_at = fire_time,"
                    + " task_id = " + LiveRows.newId());
        }
    }

    /** Everything happened so many minutes earlier than it did. */
    void minutesGoBy(int minutes) {
        api.update("update live_task set fire_time = timestampadd(minute, -" + minutes
                + ", fire_time), next_fire_time = timestampadd(minute, -" + minutes
                + ", next_fire_time), due_at = timestampadd(minute, -" + minutes + ", due_at) order by fire_time");
        api.update("update job set created_at = timestampadd(minute, -" + minutes + ", created_at)");
    }

    String states() {
        return String.join(
                ",",
                api.rows("select concat(state, if(cursor_of is null, '', '*')) from live_task order by fire_time, id"));
    }

    /** Every fire time that a row points at has a row, live or in history. */
    void chainIsClosed() {
        String all = "(select fire_time, next_fire_time, last_fire_time from task_history where origin = ''"
                + " union all select fire_time, next_fire_time, fire_time from live_task where origin = '')";
        assertThat(api.rows("select p.fire_time, p.next_fire_time from " + all + " p where p.next_fire_time is not null"
                        + " and not exists (select 1 from " + all
                        + " n where p.next_fire_time between n.fire_time and n.last_fire_time)"))
                .isEmpty();
        assertThat(api.rows(
                        "select job_id from live_task where cursor_of is not null group by job_id having count(*) > 1"))
                .isEmpty();
    }
}
