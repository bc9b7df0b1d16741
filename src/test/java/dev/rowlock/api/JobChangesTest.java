package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a job's rows when it is edited or deleted. */
@Tag("database")
class JobChangesTest {

    @RegisterExtension
    static final Api api = new Api();

    private static final JobRows rows = new JobRows(api);

    @Test
    void an_edit_that_leaves_the_schedule_gives_prepared_rows_back_and_moves_nothing() {
        rows.create("@every 1m");
        rows.acquire(2);
        List<String> before = api.rows("select id, fire_time, next_fire_time, cursor_of from live_task order by id");

        assertThat(rows.put("@every 60s", ", \"description\": \"new\"").status())
                .isEqualTo(200);

        assertThat(rows.states()).isEqualTo("IDLE,IDLE,IDLE*");
        assertThat(api.rows("select id, fire_time, next_fire_time, cursor_of from live_task order by id"))
                .isEqualTo(before);
        assertThat(api.rows("select distinct job_version, launch_id, session_id, prepared_at from live_task"))
                .containsExactly("2 null null null");
        assertThat(api.rows("select count(*) from task_history")).containsExactly("0");
    }

    @Test
    void what_changes_nothing_makes_no_version() {
        rows.create("@every 1m");
        rows.acquire(1);

        assertThat(rows.put("@every 1m", "").header("ETag")).isEqualTo("\"1\"");
        assertThat(rows.states()).isEqualTo("PREPARED,IDLE*");
        assertThat(api.one("select count(*) from job_version")).isEqualTo("1");
    }

    @Test
    void a_new_schedule_moves_the_cursor_that_lies_ahead() {
        rows.create("0 3 1 1 *");
        String id = api.one("select id from live_task");

        rows.put("@every 1m", "");

        assertThat(api.rows("select id, timestampdiff(second, utc_timestamp(), fire_time) between 0 and 60, due_at ="
                        + " fire_time, job_version from live_task"))
                .containsExactly(id + " 1 1 2");
        rows.chainIsClosed();
    }

    @Test
    void rows_that_the_new_schedule_does_not_ask_for_end_as_cancelled() {
        rows.create("@every 1m");
        rows.acquire(2);

        rows.put("0 0 1 1 *", "");

        assertThat(rows.states()).isEqualTo("IDLE*");
        assertThat(api.rows("select outcome, reason, occurrences, job_version from task_history"))
                .containsExactly(
                        "CANCELLED the schedule was changed before it was run 1 1",
                        "CANCELLED the schedule was changed before it was run 1 1");
        rows.chainIsClosed();
    }

    @Test
    void rows_that_the_new_schedule_asks_for_too_stay() {
        rows.create("@every 1m");
        rows.acquire(1);
        String fireTime = api.one("select fire_time from live_task where cursor_of is null");

        rows.put("* * * * * *", "");

        assertThat(api.rows("select count(*) from task_history")).containsExactly("0");
        assertThat(api.one("select count(*) from live_task where fire_time = '" + fireTime + "'"))
                .isEqualTo("1");
        // The new schedule is filled in up to the row that was made already, and the cursor goes beyond it.
        assertThat(api.one("select timestampdiff(second, '" + fireTime
                        + "', fire_time) from live_task where cursor_of is not null"))
                .isEqualTo("1");
        assertThat(api.one("select count(*) >= 1 and count(distinct fire_time) = count(*) from live_task"))
                .isEqualTo("1");
        rows.chainIsClosed();
    }

    @Test
    void an_overdue_cursor_that_only_the_old_schedule_asked_for_ends_with_all_that_followed() {
        rows.create("@every 1m");
        rows.minutesGoBy(10);

        rows.put("0 0 1 1 *", "");

        assertThat(api.rows(
                        "select outcome, occurrences, timestampdiff(minute, fire_time, last_fire_time), attempt, cause"
                                + " from task_history"))
                .containsExactly("CANCELLED 10 9 1 SCHEDULE");
        assertThat(rows.states()).isEqualTo("IDLE*");
        assertThat(api.one("select fire_time > utc_timestamp() from live_task")).isEqualTo("1");
        rows.chainIsClosed();
    }

    @Test
    void an_overdue_cursor_that_the_new_schedule_asks_for_too_stays_and_the_rest_ends() {
        rows.create("@every 1m");
        rows.minutesGoBy(10);

        rows.put("* * * * * *", "");

        assertThat(rows.states()).isEqualTo("IDLE,IDLE*");
        assertThat(api.rows("select outcome, occurrences from task_history")).containsExactly("CANCELLED 9");
        rows.chainIsClosed();
    }

    @Test
    void a_schedule_that_asks_for_nothing_more_has_no_cursor() {
        rows.create("@every 1m");
        rows.acquire(1);

        Reply reply = rows.put("@at 2020-01-01T00:00:00Z", "");

        assertThat(reply.body().path("state").asText()).isEqualTo("ENDED");
        assertThat(reply.body().path("warnings").toString()).contains("no fire time any more");
        assertThat(api.one("select count(*) from live_task")).isEqualTo("0");
        rows.chainIsClosed();
        rows.put("@every 1m", "");
        assertThat(rows.states()).isEqualTo("IDLE*");
    }

    @Test
    void no_fire_time_is_made_twice_when_the_clock_was_set_back() {
        rows.create("@every 1m");
        rows.acquire(1);
        // It ran, though by the clock it is still to come.
        api.update(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin,"
                        + " attempt, cause, outcome, ended_at, last_fire_time) select id, job_id, 'default', 'a', 1,"
                        + " fire_time, next_fire_time, '', 1, 'SCHEDULE', 'SUCCEEDED', utc_timestamp(3), fire_time"
                        + " from live_task where state = 'PREPARED'");
        api.update("delete from live_task where state = 'PREPARED'");

        rows.put("@every 1m", ", \"endAt\": \"2091-01-01T00:00:00Z\"");

        assertThat(rows.states()).isEqualTo("IDLE*");
        assertThat(
                        api.one(
                                "select count(*) from live_task t join task_history h using (job_id, fire_time, origin, attempt)"))
                .isEqualTo("0");
        rows.chainIsClosed();
    }

    /** A newer version of Rowlock recorded that several were skipped, some of which lie ahead by now. */
    @Test
    void nothing_is_made_again_of_what_a_version_that_is_not_understood_has_settled() {
        rows.create("@every 1m");
        api.update("update job_version set definition = json_set(definition, '$.schedule', 'whenever')");
        api.update("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin,"
                + " attempt, cause, outcome, ended_at, last_fire_time, occurrences) select 1000, id, 'default', 'a', 1,"
                + " utc_timestamp(3) - interval 1 minute, '', 1, 'SCHEDULE', 'SKIPPED', utc_timestamp(3),"
                + " utc_timestamp(3) + interval 90 second, 3 from job");

        rows.put("* * * * * *", "");

        assertThat(rows.states()).isEqualTo("IDLE*");
        assertThat(api.one("select count(*) from live_task t join task_history h on h.id = 1000"
                        + " where t.fire_time > h.last_fire_time"))
                .isEqualTo("1");
        rows.chainIsClosed();

        assertThat(api.post(JobRows.JOB + "/reschedule", "").status()).isEqualTo(200);

        assertThat(api.one("select min(t.fire_time) > min(h.last_fire_time) from live_task t join task_history h"
                        + " on h.id = 1000"))
                .isEqualTo("1");
        rows.chainIsClosed();
    }

    @Test
    void an_executing_task_is_left_alone_and_its_fire_time_is_not_made_again() {
        rows.create("@every 1m");
        rows.acquire(1);
        api.update("update live_task set state = 'EXECUTING', started_at = utc_timestamp(3) where state = 'PREPARED'");

        rows.put("@every 1m", ", \"endAt\": \"2090-01-01T00:00:00Z\"");

        assertThat(rows.states()).isEqualTo("EXECUTING,IDLE*");
        assertThat(api.one("select job_version from live_task where state = 'EXECUTING'"))
                .isEqualTo("1");
        rows.chainIsClosed();
    }

    @Test
    void rows_that_were_made_far_ahead_are_replaced_by_a_new_schedule() {
        rows.create("@every 1m");
        rows.acquire(5);

        rows.put("@every 30s", "");

        // What lies within two minutes is kept and filled in between; nothing that is asked for later is left out.
        assertThat(api.rows("select outcome, count(*) from task_history group by outcome"))
                .containsExactly("CANCELLED 3");
        assertThat(api.one("select timestampdiff(second, max(if(cursor_of is null, fire_time, null)),"
                        + " max(if(cursor_of is null, null, fire_time))) from live_task"))
                .isEqualTo("30");
        assertThat(
                        api.one(
                                "select timestampdiff(second, min(fire_time), max(fire_time)) / 30 + 1 - count(*) from live_task"))
                .startsWith("0");
        rows.chainIsClosed();
    }

    @Test
    void a_deleted_job_leaves_its_versions_and_cancels_what_was_promised() {
        rows.create("@every 1m");
        rows.acquire(2);
        api.update(
                "update live_task set state = 'EXECUTING', started_at = utc_timestamp(3) where state = 'PREPARED' limit 1");
        api.post(JobRows.JOB + "/run", "");

        assertThat(api.call("DELETE", JobRows.JOB, null).status()).isEqualTo(204);

        assertThat(rows.states()).isEqualTo("EXECUTING");
        assertThat(api.rows("select cause, outcome, reason from task_history order by cause, id"))
                .containsExactly(
                        "SCHEDULE CANCELLED the job was deleted",
                        "SCHEDULE CANCELLED the job was deleted",
                        "MANUAL CANCELLED the job was deleted");
        assertThat(api.rows("select version, valid_until is null from job_version"))
                .containsExactly("1 0");
        assertThat(api.get(JobRows.JOB).status()).isEqualTo(404);
        Reply tasks = api.get("/tasks?job=default/a&state=EXECUTING");
        assertThat(tasks.body().path("items").size()).isEqualTo(1);
    }

    @Test
    void what_was_overdue_when_a_job_was_deleted_is_recorded() {
        rows.create("@every 1m");
        rows.minutesGoBy(10);

        api.call("DELETE", JobRows.JOB, null);

        assertThat(api.rows("select outcome, occurrences, next_fire_time from task_history"))
                .containsExactly("CANCELLED 10 null");
        assertThat(api.one("select count(*) from live_task")).isEqualTo("0");
    }

    @Test
    void a_cursor_that_is_killed_hands_on() {
        rows.create("@every 1m");
        String id = api.one("select id from live_task");
        Instant fireTime =
                Instant.parse(api.get("/tasks/" + id).body().path("fireTime").asText());

        Reply killed = api.post("/tasks/" + id + "/kill", "");

        assertThat(killed.status()).isEqualTo(200);
        assertThat(killed.body().path("outcome").asText()).isEqualTo("CANCELLED");
        assertThat(api.get(JobRows.JOB).body().path("nextFireTime").asText())
                .isEqualTo(dev.rowlock.field.Times.text(fireTime.plusSeconds(60)));
        rows.chainIsClosed();
        assertThat(api.post("/tasks/" + id + "/kill", "").status()).isEqualTo(409);
    }
}
