package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a job's rows when it is paused and resumed. */
@Tag("database")
class JobPauseTest {

    @RegisterExtension
    static final Api api = new Api();

    private static final JobRows rows = new JobRows(api);

    @Test
    void a_pause_holds_everything_but_manual_runs() {
        rows.create("@every 1m");
        rows.acquire(1);
        api.update(
                "insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state)"
                        + " select job_id, 1, stripe, '2020-01-01', 2, 'RECOVERY', utc_timestamp(3), 'IDLE' from live_task limit 1");
        api.post(JobRows.JOB + "/run", "");

        Reply paused = api.post(JobRows.JOB + "/pause", "{}");

        assertThat(paused.status()).isEqualTo(200);
        assertThat(paused.body().path("state").asText()).isEqualTo("PAUSED");
        assertThat(paused.body().path("nextFireTime").isNull()).isTrue();
        assertThat(
                        api.rows(
                                "select cause, state, due_at is null, hold from live_task order by hold is null, cause = 'RECOVERY', id"))
                .containsExactly(
                        "SCHEDULE IDLE 1 PAUSE",
                        "SCHEDULE IDLE 1 PAUSE",
                        "RECOVERY IDLE 1 PAUSE",
                        "MANUAL IDLE 0 null");
        assertThat(api.post(JobRows.JOB + "/pause", "").header("ETag")).isEqualTo("\"2\"");
        assertThat(api.rows("select version, paused from job_version order by version"))
                .containsExactly("1 0", "2 1");
    }

    @Test
    void a_resume_lets_go_what_lies_ahead() {
        rows.create("@every 1m");
        rows.acquire(1);
        api.post(JobRows.JOB + "/pause", "");

        assertThat(api.post(JobRows.JOB + "/resume", "").body().path("state").asText())
                .isEqualTo("IDLE");

        assertThat(api.rows("select state, due_at = fire_time, hold from live_task"))
                .containsExactly("IDLE 1 null", "IDLE 1 null");
        assertThat(api.one("select count(*) from task_history")).isEqualTo("0");
        rows.chainIsClosed();
    }

    @Test
    void what_fell_into_a_pause_is_recorded_as_skipped_in_one_row() {
        rows.create("@every 1m");
        rows.acquire(2);
        api.post(JobRows.JOB + "/pause", "");
        String first = api.one("select min(id) from live_task");
        rows.minutesGoBy(10);

        api.post(JobRows.JOB + "/resume", "");

        assertThat(api.rows("select id, outcome, reason, occurrences, timestampdiff(minute, fire_time, last_fire_time),"
                        + " job_version from task_history"))
                .containsExactly(first + " SKIPPED the job was paused 10 9 2");
        assertThat(api.rows("select state, due_at = fire_time, fire_time > utc_timestamp(), cursor_of = job_id,"
                        + " job_version from live_task"))
                .containsExactly("IDLE 1 1 1 3");
        rows.chainIsClosed();
    }

    @Test
    void what_ran_between_fire_times_that_fell_into_a_pause_parts_their_row() {
        rows.create("@every 1m");
        rows.acquire(4);
        api.post(JobRows.JOB + "/pause", "");
        rows.minutesGoBy(10);
        api.update(
                "update live_task set state = 'EXECUTING' where id = (select id from (select id from live_task order by fire_time"
                        + " limit 1 offset 2) third)");

        api.post(JobRows.JOB + "/resume", "");

        assertThat(api.rows("select outcome, occurrences, timestampdiff(minute, fire_time, last_fire_time) from"
                        + " task_history order by fire_time"))
                .containsExactly("SKIPPED 2 1", "SKIPPED 7 6");
        assertThat(rows.states()).isEqualTo("EXECUTING,IDLE*");
        rows.chainIsClosed();
    }

    @Test
    void retries_that_a_pause_held_are_due_at_the_resume() {
        rows.create("0 0 1 1 *");
        api.update(
                "insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state)"
                        + " select job_id, 1, stripe, '2020-01-01', 2, 'RECOVERY', utc_timestamp(3), 'IDLE' from live_task limit 1");
        api.post(JobRows.JOB + "/pause", "");
        api.post(JobRows.JOB + "/resume", "");

        assertThat(
                        api.one(
                                "select abs(timestampdiff(second, due_at, utc_timestamp())) < 60 from live_task where attempt = 2"))
                .isEqualTo("1");
    }

    @Test
    void a_new_schedule_for_a_paused_job_stays_paused() {
        rows.create("@every 1m");
        api.post(JobRows.JOB + "/pause", "");
        rows.minutesGoBy(5);

        Reply reply = rows.put("@every 2m", "");

        assertThat(reply.body().path("state").asText()).isEqualTo("PAUSED");
        assertThat(api.rows("select outcome, occurrences from task_history")).containsExactly("SKIPPED 5");
        assertThat(api.rows("select due_at is null, hold, fire_time > utc_timestamp() from live_task"))
                .containsExactly("1 PAUSE 1");
        rows.chainIsClosed();
    }

    @Test
    void a_job_may_be_created_paused_and_resumed_by_put() {
        rows.put("@every 1m", ", \"paused\": true");
        assertThat(api.rows("select due_at is null, hold from live_task")).containsExactly("1 PAUSE");

        rows.put("@every 1m", ", \"paused\": false");
        assertThat(api.rows("select due_at = fire_time, hold from live_task")).containsExactly("1 null");
    }

    @Test
    void a_pause_of_months_of_a_schedule_of_seconds_is_counted() {
        rows.create("* * * * * *");
        api.post(JobRows.JOB + "/pause", "");
        rows.minutesGoBy(60 * 24 * 3);

        api.post(JobRows.JOB + "/resume", "");

        assertThat(api.one("select occurrences between 3 * 86400 and 3 * 86400 + 100 and"
                        + " timestampdiff(second, fire_time, last_fire_time) = occurrences - 1 from task_history"))
                .isEqualTo("1");
    }
}
