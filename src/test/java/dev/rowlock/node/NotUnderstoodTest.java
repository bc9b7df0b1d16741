package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.IdleJobs;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Jobs of a newer version: they are left to nodes that understand them, and all others go on. */
class NotUnderstoodTest extends NodeByHand {

    @Test
    void however_many_jobs_are_not_understood_others_are_found_and_no_statement_grows_with_them() {
        IdleJobs.insert(rows, 12_000);
        rows.run("update job set definition = json_set(definition, '$.calendar', 'holidays')");
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 5 second");
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);
        a.keeper.runOnce();
        a.nanos.stop();

        a.schedule(); // as many scans as one poll may take
        a.schedule();
        a.schedule();

        assertThat(a.processes.started).hasSize(1);
        assertThat(rows.count("live_task where state = 'IDLE' and hold is null and due_at < utc_timestamp(3)"))
                .isEqualTo(12_000);
        assertThat(a.problem().orElse("")).contains("12000 jobs");
        assertThat(a.notUnderstood().leftOut()).hasSizeLessThan(500);
    }

    @Test
    void a_job_that_is_not_understood_is_left_to_others_and_goes_on_when_it_is() {
        long bad = rows.task(playground.job("bad", "whenever"), -100, true);
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);

        a.schedule();

        assertThat(a.processes.started).hasSize(1);
        assertThat(rows.one("select concat(state, ' ', due_at is null, ' ', hold is null) from live_task where id = "
                        + bad))
                .isEqualTo("IDLE 0 1");
        assertThat(a.problem().orElse("")).contains("default/bad (schedule: ");
        assertThat(a.notUnderstood().leftOut()).hasSize(1);

        rows.run("update job set definition = json_set(definition, '$.schedule', '0 0 1 1 *') where name = 'bad'");
        a.beatFor(Duration.ofSeconds(32));
        a.schedule();

        assertThat(a.processes.started).hasSize(2);
        assertThat(a.problem()).isEmpty();
    }

    @Test
    void a_schedule_with_a_line_of_a_later_kind_is_left_to_others() {
        long later = rows.task(playground.job("later", "0 0 1 1 *"), -100, true);
        rows.run("update job set definition = json_set(definition, '$.schedule',"
                + " json_array('0 0 1 1 *', json_object('schedule', '@hourly', 'unless', 'x')))");
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);

        a.schedule();

        assertThat(a.processes.started).hasSize(1);
        assertThat(rows.one("select concat(state, ' ', due_at is null) from live_task where id = " + later))
                .isEqualTo("IDLE 0");
        assertThat(a.problem().orElse("")).contains("default/later (schedule[1].unless: ");
    }

    @Test
    void jobs_that_are_not_understood_take_no_room_in_a_batch() {
        IdleJobs.insert(rows, 600);
        rows.run("update job set definition = json_set(definition, '$.calendar', 'holidays')");
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 5 second");
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);

        a.schedule();
        a.schedule(); // fires what the first has prepared

        assertThat(a.processes.started).hasSize(1);
        assertThat(rows.count("live_task where state = 'IDLE' and hold is null and due_at < utc_timestamp(3)"))
                .isEqualTo(600);
        assertThat(a.problem().orElse("")).contains("600 jobs");
    }

    @Test
    void overdue_tasks_of_jobs_that_are_not_understood_do_not_keep_others_from_being_taken_over() {
        HandDrivenNode b = playground.joined("b", playground.address());
        IdleJobs.insert(rows, 60);
        rows.task(playground.job("good", "0 0 1 1 *"), 3_600_000, true);
        rows.run("update live_task set due_at = utc_timestamp(3) + interval 4 second");
        b.schedule();
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(61);
        assertThat(b.processes.started).isEmpty();
        rows.run("update job set definition = json_set(definition, '$.newer', 1) where name <> 'good'");
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 5 second where state = 'PREPARED'");
        rows.run("update live_task set due_at = due_at + interval 2 second where job_id ="
                + " (select id from job where name = 'good')");

        a.schedule();
        a.schedule();

        assertThat(a.processes.started)
                .singleElement()
                .satisfies(spec -> assertThat(spec.environment()).containsEntry("ROWLOCK_JOB", "default/good"));
    }
}
