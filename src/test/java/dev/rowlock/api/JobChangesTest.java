package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a job's rows when it is edited, paused, resumed or deleted. Rows are moved by hand, as the engine would. */
class JobChangesTest {

    private static final String JOB = "/jobs/default/a";

    @RegisterExtension
    static final Api api = new Api();

    private static Reply put(String schedule, String more) {
        return api.put(JOB, "{\"schedule\": \"" + schedule + "\", \"command\": \"true\"" + more + "}");
    }

    /** {@code @every} counts from the creation, so that a minute's boundary is never near. */
    private static void create(String schedule) {
        assertThat(put(schedule, "").status()).isEqualTo(201);
    }

    /** The row with the cursor was acquired {@code times} times: prepared, and the cursor on the next. */
    private static void acquire(int times) {
        for (int i = 0; i < times; i++) {
            String id = api.one("select id from task where cursor_of is not null");
            String next = api.one("select timestampadd(minute, 1, fire_time) from task where id = " + id);
            api.update("update task set cursor_of = null, state = 'PREPARED', launch_id = 'x-" + id
                    + "', session_id = 'x', prepared_at = utc_timestamp(3), next_fire_time = '" + next + "' where id = "
                    + id);
            api.update(
                    "insert into task (job_id, job_version, shard, fire_time, attempt, cause, due_at, state, cursor_of)"
                            + " select job_id, job_version, shard, '" + next + "', 1, 'SCHEDULE', '" + next
                            + "', 'IDLE', job_id"
                            + " from task where id = " + id);
        }
    }

    /** Everything happened so many minutes earlier than it did. */
    private static void minutesGoBy(int minutes) {
        api.update("update task set fire_time = timestampadd(minute, -" + minutes
                + ", fire_time), next_fire_time = timestampadd(minute, -" + minutes
                + ", next_fire_time), due_at = timestampadd(minute, -" + minutes + ", due_at) order by fire_time");
        api.update("update job set created_at = timestampadd(minute, -" + minutes + ", created_at)");
    }

    private static String states() {
        return String.join(
                ",", api.rows("select concat(state, if(cursor_of is null, '', '*')) from task order by fire_time, id"));
    }

    /** Every fire time that a row points at has a row, live or in history. */
    private static void chainIsClosed() {
        String all = "(select fire_time, next_fire_time, last_fire_time from task_history where origin = ''"
                + " union all select fire_time, next_fire_time, fire_time from task where origin = '')";
        assertThat(api.rows("select p.fire_time, p.next_fire_time from " + all + " p where p.next_fire_time is not null"
                        + " and not exists (select 1 from " + all
                        + " n where p.next_fire_time between n.fire_time and n.last_fire_time)"))
                .isEmpty();
        assertThat(api.rows("select job_id from task where cursor_of is not null group by job_id having count(*) > 1"))
                .isEmpty();
    }

    @Test
    void an_edit_that_leaves_the_schedule_gives_prepared_rows_back_and_moves_nothing() {
        create("@every 1m");
        acquire(2);
        List<String> before = api.rows("select id, fire_time, next_fire_time, cursor_of from task order by id");

        assertThat(put("@every 60s", ", \"description\": \"new\"").status()).isEqualTo(200);

        assertThat(states()).isEqualTo("IDLE,IDLE,IDLE*");
        assertThat(api.rows("select id, fire_time, next_fire_time, cursor_of from task order by id"))
                .isEqualTo(before);
        assertThat(api.rows("select distinct job_version, launch_id, session_id, prepared_at from task"))
                .containsExactly("2 null null null");
        assertThat(api.rows("select count(*) from task_history")).containsExactly("0");
    }

    @Test
    void what_changes_nothing_makes_no_version() {
        create("@every 1m");
        acquire(1);

        assertThat(put("@every 1m", "").header("ETag")).isEqualTo("\"1\"");
        assertThat(states()).isEqualTo("PREPARED,IDLE*");
        assertThat(api.one("select count(*) from job_version")).isEqualTo("1");
    }

    @Test
    void a_new_schedule_moves_the_cursor_that_lies_ahead() {
        create("0 3 1 1 *");
        String id = api.one("select id from task");

        put("@every 1m", "");

        assertThat(api.rows(
                        "select id, timestampdiff(second, utc_timestamp(), fire_time) between 0 and 60, due_at = fire_time,"
                                + " job_version from task"))
                .containsExactly(id + " 1 1 2");
        chainIsClosed();
    }

    @Test
    void rows_that_the_new_schedule_does_not_ask_for_end_as_cancelled() {
        create("@every 1m");
        acquire(2);

        put("0 0 1 1 *", "");

        assertThat(states()).isEqualTo("IDLE*");
        assertThat(api.rows("select outcome, reason, occurrences, job_version from task_history"))
                .containsExactly(
                        "CANCELLED the schedule was changed before it was run 1 1",
                        "CANCELLED the schedule was changed before it was run 1 1");
        chainIsClosed();
    }

    @Test
    void rows_that_the_new_schedule_asks_for_too_stay() {
        create("@every 1m");
        acquire(1);
        String fireTime = api.one("select fire_time from task where cursor_of is null");

        put("* * * * * *", "");

        assertThat(api.rows("select count(*) from task_history")).containsExactly("0");
        assertThat(api.one("select count(*) from task where fire_time = '" + fireTime + "'"))
                .isEqualTo("1");
        // The new schedule is filled in up to the row that was made already, and the cursor goes beyond it.
        assertThat(api.one("select timestampdiff(second, '" + fireTime
                        + "', fire_time) from task where cursor_of is not null"))
                .isEqualTo("1");
        assertThat(api.one("select count(*) >= 1 and count(distinct fire_time) = count(*) from task"))
                .isEqualTo("1");
        chainIsClosed();
    }

    @Test
    void an_overdue_cursor_that_only_the_old_schedule_asked_for_ends_with_all_that_followed() {
        create("@every 1m");
        minutesGoBy(10);

        put("0 0 1 1 *", "");

        assertThat(api.rows(
                        "select outcome, occurrences, timestampdiff(minute, fire_time, last_fire_time), attempt, cause from"
                                + " task_history"))
                .containsExactly("CANCELLED 10 9 1 SCHEDULE");
        assertThat(states()).isEqualTo("IDLE*");
        assertThat(api.one("select fire_time > utc_timestamp() from task")).isEqualTo("1");
        chainIsClosed();
    }

    @Test
    void an_overdue_cursor_that_the_new_schedule_asks_for_too_stays_and_the_rest_ends() {
        create("@every 1m");
        minutesGoBy(10);

        put("* * * * * *", "");

        assertThat(states()).isEqualTo("IDLE,IDLE*");
        assertThat(api.rows("select outcome, occurrences from task_history")).containsExactly("CANCELLED 9");
        chainIsClosed();
    }

    @Test
    void a_schedule_that_asks_for_nothing_more_has_no_cursor() {
        create("@every 1m");
        acquire(1);

        Reply reply = put("@at 2020-01-01T00:00:00Z", "");

        assertThat(reply.body().path("state").asText()).isEqualTo("ENDED");
        assertThat(reply.body().path("warnings").toString()).contains("no fire time any more");
        assertThat(api.one("select count(*) from task")).isEqualTo("0");
        chainIsClosed();
        put("@every 1m", "");
        assertThat(states()).isEqualTo("IDLE*");
    }

    @Test
    void no_fire_time_is_made_twice_when_the_clock_was_set_back() {
        create("@every 1m");
        acquire(1);
        // It ran, though by the clock it is still to come.
        api.update(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin, attempt,"
                        + " cause, outcome, ended_at, last_fire_time) select id, job_id, 'default', 'a', 1, fire_time, next_fire_time, '', 1,"
                        + " 'SCHEDULE', 'SUCCEEDED', utc_timestamp(3), fire_time from task where state = 'PREPARED'");
        api.update("delete from task where state = 'PREPARED'");

        put("@every 1m", ", \"endAt\": \"2091-01-01T00:00:00Z\"");

        assertThat(states()).isEqualTo("IDLE*");
        assertThat(api.one(
                        "select count(*) from task t join task_history h using (job_id, fire_time, origin, attempt)"))
                .isEqualTo("0");
        chainIsClosed();
    }

    @Test
    void an_executing_task_is_left_alone_and_its_fire_time_is_not_made_again() {
        create("@every 1m");
        acquire(1);
        api.update("update task set state = 'EXECUTING', started_at = utc_timestamp(3) where state = 'PREPARED'");

        put("@every 1m", ", \"endAt\": \"2090-01-01T00:00:00Z\"");

        assertThat(states()).isEqualTo("EXECUTING,IDLE*");
        assertThat(api.one("select job_version from task where state = 'EXECUTING'"))
                .isEqualTo("1");
        chainIsClosed();
    }

    @Test
    void a_pause_holds_everything_but_manual_runs() {
        create("@every 1m");
        acquire(1);
        api.update("insert into task (job_id, job_version, shard, fire_time, attempt, cause, due_at, state)"
                + " select job_id, 1, shard, '2020-01-01', 2, 'RECOVERY', utc_timestamp(3), 'IDLE' from task limit 1");
        api.post(JOB + "/run", "");

        Reply paused = api.post(JOB + "/pause", "{}");

        assertThat(paused.status()).isEqualTo(200);
        assertThat(paused.body().path("state").asText()).isEqualTo("PAUSED");
        assertThat(paused.body().path("nextFireTime").isNull()).isTrue();
        assertThat(api.rows("select cause, state, due_at is null, hold from task order by id"))
                .containsExactly(
                        "SCHEDULE IDLE 1 PAUSE",
                        "SCHEDULE IDLE 1 PAUSE",
                        "RECOVERY IDLE 1 PAUSE",
                        "MANUAL IDLE 0 null");
        assertThat(api.post(JOB + "/pause", "").header("ETag")).isEqualTo("\"2\"");
        assertThat(api.rows("select version, paused from job_version order by version"))
                .containsExactly("1 0", "2 1");
    }

    @Test
    void a_resume_lets_go_what_lies_ahead() {
        create("@every 1m");
        acquire(1);
        api.post(JOB + "/pause", "");

        assertThat(api.post(JOB + "/resume", "").body().path("state").asText()).isEqualTo("IDLE");

        assertThat(api.rows("select state, due_at = fire_time, hold from task"))
                .containsExactly("IDLE 1 null", "IDLE 1 null");
        assertThat(api.one("select count(*) from task_history")).isEqualTo("0");
        chainIsClosed();
    }

    @Test
    void what_fell_into_a_pause_is_recorded_as_skipped_in_one_row() {
        create("@every 1m");
        acquire(2);
        api.post(JOB + "/pause", "");
        String first = api.one("select min(id) from task");
        minutesGoBy(10);

        api.post(JOB + "/resume", "");

        assertThat(api.rows("select id, outcome, reason, occurrences, timestampdiff(minute, fire_time, last_fire_time),"
                        + " job_version from task_history"))
                .containsExactly(first + " SKIPPED the job was paused 10 9 2");
        assertThat(api.rows(
                        "select state, due_at = fire_time, fire_time > utc_timestamp(), cursor_of = job_id, job_version from"
                                + " task"))
                .containsExactly("IDLE 1 1 1 3");
        chainIsClosed();
    }

    @Test
    void what_ran_between_fire_times_that_fell_into_a_pause_parts_their_row() {
        create("@every 1m");
        acquire(4);
        api.post(JOB + "/pause", "");
        minutesGoBy(10);
        api.update(
                "update task set state = 'EXECUTING' where id = (select id from (select id from task order by fire_time"
                        + " limit 1 offset 2) third)");

        api.post(JOB + "/resume", "");

        assertThat(api.rows(
                        "select outcome, occurrences, timestampdiff(minute, fire_time, last_fire_time) from task_history"
                                + " order by fire_time"))
                .containsExactly("SKIPPED 2 1", "SKIPPED 7 6");
        assertThat(states()).isEqualTo("EXECUTING,IDLE*");
        chainIsClosed();
    }

    @Test
    void rows_that_were_made_far_ahead_are_made_anew_by_a_new_schedule() {
        create("@every 1m");
        acquire(5);

        put("@every 30s", "");

        // What lies within two minutes is kept and filled in between; nothing that is asked for later is left out.
        assertThat(api.rows("select outcome, count(*) from task_history group by outcome"))
                .containsExactly("CANCELLED 3");
        assertThat(api.one("select timestampdiff(second, max(if(cursor_of is null, fire_time, null)),"
                        + " max(if(cursor_of is null, null, fire_time))) from task"))
                .isEqualTo("30");
        assertThat(api.one(
                        "select timestampdiff(second, min(fire_time), max(fire_time)) / 30 + 1 - count(*) from task"))
                .startsWith("0");
        chainIsClosed();
    }

    @Test
    void retries_that_a_pause_held_are_due_at_the_resume() {
        create("0 0 1 1 *");
        api.update("insert into task (job_id, job_version, shard, fire_time, attempt, cause, due_at, state)"
                + " select job_id, 1, shard, '2020-01-01', 2, 'RECOVERY', utc_timestamp(3), 'IDLE' from task limit 1");
        api.post(JOB + "/pause", "");
        api.post(JOB + "/resume", "");

        assertThat(api.one(
                        "select abs(timestampdiff(second, due_at, utc_timestamp())) < 60 from task where attempt = 2"))
                .isEqualTo("1");
    }

    @Test
    void a_new_schedule_for_a_paused_job_stays_paused() {
        create("@every 1m");
        api.post(JOB + "/pause", "");
        minutesGoBy(5);

        Reply reply = put("@every 2m", "");

        assertThat(reply.body().path("state").asText()).isEqualTo("PAUSED");
        assertThat(api.rows("select outcome, occurrences from task_history")).containsExactly("SKIPPED 5");
        assertThat(api.rows("select due_at is null, hold, fire_time > utc_timestamp() from task"))
                .containsExactly("1 PAUSE 1");
        chainIsClosed();
    }

    @Test
    void a_job_may_be_created_paused_and_resumed_by_put() {
        put("@every 1m", ", \"paused\": true");
        assertThat(api.rows("select due_at is null, hold from task")).containsExactly("1 PAUSE");

        put("@every 1m", ", \"paused\": false");
        assertThat(api.rows("select due_at = fire_time, hold from task")).containsExactly("1 null");
    }

    @Test
    void a_pause_of_months_of_a_schedule_of_seconds_is_counted() {
        create("* * * * * *");
        api.post(JOB + "/pause", "");
        minutesGoBy(60 * 24 * 3);

        api.post(JOB + "/resume", "");

        assertThat(api.one("select occurrences between 3 * 86400 and 3 * 86400 + 100 and"
                        + " timestampdiff(second, fire_time, last_fire_time) = occurrences - 1 from task_history"))
                .isEqualTo("1");
    }

    @Test
    void a_deleted_job_leaves_its_versions_and_cancels_what_was_promised() {
        create("@every 1m");
        acquire(2);
        api.update(
                "update task set state = 'EXECUTING', started_at = utc_timestamp(3) where state = 'PREPARED' limit 1");
        api.post(JOB + "/run", "");

        assertThat(api.call("DELETE", JOB, null).status()).isEqualTo(204);

        assertThat(states()).isEqualTo("EXECUTING");
        assertThat(api.rows("select cause, outcome, reason from task_history order by id"))
                .containsExactly(
                        "SCHEDULE CANCELLED the job was deleted",
                        "SCHEDULE CANCELLED the job was deleted",
                        "MANUAL CANCELLED the job was deleted");
        assertThat(api.rows("select version, valid_until is null from job_version"))
                .containsExactly("1 0");
        assertThat(api.get(JOB).status()).isEqualTo(404);
        Reply tasks = api.get("/tasks?job=default/a&state=EXECUTING");
        assertThat(tasks.body().path("items").size()).isEqualTo(1);
    }

    @Test
    void what_was_overdue_when_a_job_was_deleted_is_recorded() {
        create("@every 1m");
        minutesGoBy(10);

        api.call("DELETE", JOB, null);

        assertThat(api.rows("select outcome, occurrences, next_fire_time from task_history"))
                .containsExactly("CANCELLED 10 null");
        assertThat(api.one("select count(*) from task")).isEqualTo("0");
    }

    @Test
    void a_cursor_that_is_killed_hands_on() {
        create("@every 1m");
        String id = api.one("select id from task");
        Instant fireTime =
                Instant.parse(api.get("/tasks/" + id).body().path("fireTime").asText());

        Reply killed = api.post("/tasks/" + id + "/kill", "");

        assertThat(killed.status()).isEqualTo(200);
        assertThat(killed.body().path("outcome").asText()).isEqualTo("CANCELLED");
        assertThat(api.get(JOB).body().path("nextFireTime").asText())
                .isEqualTo(dev.rowlock.job.Times.text(fireTime.plusSeconds(60)));
        chainIsClosed();
        assertThat(api.post("/tasks/" + id + "/kill", "").status()).isEqualTo(409);
    }
}
