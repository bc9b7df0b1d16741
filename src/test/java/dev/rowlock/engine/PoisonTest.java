package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.exec.StopCause;
import dev.rowlock.job.JobKey;
import dev.rowlock.store.job.JobStore;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One row with which something is wrong: it says so itself, and all others go on. */
class PoisonTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private Playground playground;
    private Rows rows;
    private HandDrivenNode a;

    @BeforeEach
    void open() {
        playground = new Playground(SERVER, dir);
        rows = playground.rows;
        a = playground.joined("a", playground.address());
    }

    @AfterEach
    void close() throws IOException {
        rows.run("drop trigger if exists no_reason");
        playground.close();
    }

    @Test
    void a_result_that_history_refuses_does_not_stop_the_others_and_its_row_says_so() {
        long poisoned = started(50);
        a.processes.end(0);
        occupyHistory(poisoned);

        a.recorder.runOnce();

        assertThat(rows.count("task_history where started_at is not null")).isEqualTo(49);
        assertThat(rows.one("select concat(hold, ' ', hold_reason) from task where id = " + poisoned))
                .startsWith("ERROR the result cannot be recorded: ");
        assertThat(a.localTasks.running()).isZero();
        assertThat(a.recorder.runOnce().more()).isFalse();
    }

    @Test
    void a_refused_result_is_recorded_when_somebody_has_mended_what_was_wrong() {
        long poisoned = started(1);
        a.processes.end(0);
        occupyHistory(poisoned);
        a.recorder.runOnce();

        rows.run("delete from task_history");
        a.beatFor(Duration.ofSeconds(62));
        a.recorder.runOnce();

        assertThat(rows.one("select outcome from task_history where id = " + poisoned))
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void a_result_whose_reason_is_refused_is_recorded_without_it() {
        started(3);
        rows.run("create trigger no_reason before insert on task_history for each row "
                + "if new.reason is not null then signal sqlstate '45000' set message_text = 'no'; end if");
        a.processes.end(1);

        a.recorder.runOnce();

        assertThat(rows.count("task_history where outcome = 'FAILED' and exit_code = 1"))
                .isEqualTo(3);
    }

    @Test
    void a_refused_result_does_not_keep_its_node_from_joining_again() {
        long poisoned = started(5);
        a.processes.end(0);
        occupyHistory(poisoned);
        a.nanos.advance(HandDrivenNode.FENCE);

        a.keeper.runOnce();

        assertThat(a.lease.current()).isPresent();
        assertThat(rows.count("task_history where outcome = 'SUCCEEDED'")).isEqualTo(4);
        assertThat(rows.one(
                        "select concat(state, ' ', due_at is null, ' ', hold, ' ', hold_reason) from task where id = "
                                + poisoned))
                .startsWith("IDLE 1 ERROR the result cannot be recorded: ");
    }

    /** More than the splitting of one batch comes to an end with. */
    @Test
    void refused_results_do_not_keep_their_node_from_joining_again_however_many_they_are() {
        for (int i = 0; i < 150; i++) {
            rows.task(playground.job("j" + i, "0 0 1 1 *"), -50, true);
        }
        for (int i = 0; i < 3; i++) {
            a.schedule();
            a.processes.end(0);
        }
        assertThat(a.processes.started).hasSize(150);
        rows.run("create trigger no_reason before insert on task_history for each row "
                + "signal sqlstate '45000' set message_text = 'no'");
        a.nanos.advance(HandDrivenNode.FENCE);

        a.keeper.runOnce();

        assertThat(a.lease.current()).isPresent();
        assertThat(rows.count("task where state = 'IDLE' and waits_for like 'error: the result cannot be recorded: %'"))
                .isEqualTo(150);
    }

    @Test
    void a_refused_result_does_not_keep_its_node_from_leaving() {
        long poisoned = started(5);
        a.processes.end(0);
        occupyHistory(poisoned);

        a.departure.leave();

        assertThat(rows.count("session where node = 'a'")).isZero();
        assertThat(rows.count("task_history where outcome = 'SUCCEEDED'")).isEqualTo(4);
        assertThat(rows.one(
                        "select concat(state, ' ', due_at is null, ' ', waits_for) from task where id = " + poisoned))
                .startsWith("IDLE 1 error: the result cannot be recorded: ");
    }

    @Test
    void a_loss_that_history_refuses_does_not_keep_a_dead_session_from_being_expired() {
        long poisoned = started(20);
        occupyHistory(poisoned);
        HandDrivenNode b = playground.joined("b", playground.address());

        b.beatFor(Duration.ofSeconds(40));
        b.reaper.runOnce();

        assertThat(rows.count("session where node = 'a'")).isZero();
        assertThat(rows.count("task_history where outcome = 'LOST' and node = 'a'"))
                .isEqualTo(19);
        assertThat(rows.count("task where cause = 'RECOVERY'")).isEqualTo(19);
        assertThat(rows.one(
                        "select concat(state, ' ', due_at is null, ' ', hold, ' ', hold_reason) from task where id = "
                                + poisoned))
                .startsWith("IDLE 1 ERROR its loss cannot be recorded: ");
    }

    @Test
    void a_loss_that_history_refused_is_recorded_and_recovered_when_that_is_mended() {
        long poisoned = started(1);
        occupyHistory(poisoned);
        HandDrivenNode b = playground.joined("b", playground.address());
        b.beatFor(Duration.ofSeconds(40));
        b.reaper.runOnce();
        b.reconsidering.runOnce();
        assertThat(b.problem().orElse("")).contains("default/j0").contains("its loss cannot be recorded");

        rows.run("update task_aside set look_at = utc_timestamp(3)");
        b.reconsidering.runOnce();
        assertThat(rows.one("select times from task_aside where task_id = " + poisoned))
                .isEqualTo("2");

        rows.run("delete from task_history");
        rows.run("update task_aside set look_at = utc_timestamp(3)");
        b.reconsidering.runOnce();
        b.schedule();

        assertThat(rows.one("select concat(outcome, ' ', reason) from task_history where id = " + poisoned))
                .startsWith("LOST its node was lost");
        assertThat(b.processes.started)
                .singleElement()
                .satisfies(spec -> assertThat(spec.environment()).containsEntry("ROWLOCK_CAUSE", "RECOVERY"));
    }

    @Test
    void an_edit_frees_a_loss_that_was_set_aside_as_well() {
        long poisoned = started(1);
        occupyHistory(poisoned);
        HandDrivenNode b = playground.joined("b", playground.address());
        b.beatFor(Duration.ofSeconds(40));
        b.reaper.runOnce();
        rows.run("delete from task_history");

        saveAgain("j0");
        b.reconsidering.runOnce();

        assertThat(rows.one("select outcome from task_history where id = " + poisoned))
                .isEqualTo("LOST");
    }

    @Test
    void what_was_set_aside_is_taken_up_by_any_node_ever_less_often_and_forgotten_once_it_went_on() {
        long job = playground.everySecond("bad", 0);
        long bad = Long.parseLong(String.valueOf(rows.one("select id from task")));
        rows.run(
                "insert into task (job_id, job_version, shard, fire_time, attempt, cause, state) select job_id, 1, shard, "
                        + "fire_time + interval 1 second, 1, 'SCHEDULE', 'IDLE' from task");
        HandDrivenNode b = playground.joined("b", playground.address());
        a.schedule();
        a.reconsidering.runOnce();
        assertThat(rows.one("select hold_reason from task where id = " + bad)).startsWith("cannot be prepared: ");

        for (int times = 2; times <= 12; times++) {
            rows.run("update task_aside set look_at = utc_timestamp(3)");
            b.reconsidering.runOnce();
            assertThat(rows.count("task where id = " + bad + " and due_at is not null"))
                    .isEqualTo(1);
            b.schedule();
        }
        assertThat(rows.one(
                        "select concat(times, ' ', timestampdiff(second, utc_timestamp(3), look_at) between 3500 and 3600)"
                                + " from task_aside"))
                .isEqualTo("12 1");

        rows.run("delete from task where job_id = " + job + " and id <> " + bad);
        rows.run("update task_aside set look_at = utc_timestamp(3)");
        b.reconsidering.runOnce();
        b.schedule();
        assertThat(b.processes.started).isNotEmpty();

        rows.run("update task_aside set look_at = utc_timestamp(3)");
        a.reconsidering.runOnce();
        assertThat(rows.count("task_aside")).isZero();
        assertThat(a.problem()).isEmpty();
    }

    @Test
    void what_cannot_even_be_taken_up_again_stays_set_aside_for_longer_and_holds_up_nobody() {
        cannotBePrepared(5);
        a.schedule();
        assertThat(rows.count("task_aside")).isEqualTo(5);
        String bad = String.valueOf(rows.one("select min(task_id) from task_aside"));
        rows.run("create trigger no_reason before update on task for each row if old.id = " + bad
                + " and new.due_at is not null then signal sqlstate '45000' set message_text = 'no'; end if");
        rows.run("update task_aside set look_at = utc_timestamp(3)");

        a.reconsidering.runOnce();

        assertThat(rows.count("task where hold is null and due_at is not null and state = 'IDLE' and cursor_of > 0"))
                .isEqualTo(4);
        assertThat(rows.one("select concat(times, ' ', look_at > utc_timestamp(3) + interval 15 second)"
                        + " from task_aside where task_id = " + bad))
                .isEqualTo("2 1");
    }

    @Test
    void what_cannot_be_taken_up_for_another_reason_holds_up_nobody_either() {
        cannotBePrepared(5);
        a.schedule();
        String bad = String.valueOf(rows.one("select min(task_id) from task_aside"));
        rows.run("create trigger no_reason before update on task for each row if old.id = " + bad
                + " and new.due_at is not null then signal sqlstate 'HY000' set mysql_errno = 9001, message_text = 'no';"
                + " end if");
        rows.run("update task_aside set look_at = utc_timestamp(3)");

        a.reconsidering.runOnce();

        assertThat(rows.count("task where hold is null and due_at is not null and state = 'IDLE' and cursor_of > 0"))
                .isEqualTo(4);
        assertThat(rows.one("select concat(times, ' ', look_at <= utc_timestamp(3)) from task_aside where task_id = "
                        + bad))
                .isEqualTo("1 1");
    }

    /** Jobs whose next occurrence is there already. */
    private void cannotBePrepared(int jobs) {
        for (int i = 0; i < jobs; i++) {
            playground.everySecond("bad" + i, 0);
        }
        rows.run(
                "insert into task (job_id, job_version, shard, fire_time, attempt, cause, state) select job_id, 1, shard, "
                        + "fire_time + interval 1 second, 1, 'SCHEDULE', 'IDLE' from task");
    }

    @Test
    void however_many_jobs_are_not_understood_others_are_found_and_no_statement_grows_with_them() {
        IdleJobs.insert(rows, 12_000);
        rows.run("update job set definition = json_set(definition, '$.calendar', 'holidays')");
        rows.run("update task set due_at = utc_timestamp(3) - interval 5 second");
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);
        a.keeper.runOnce();
        a.nanos.stop();

        a.schedule(); // as many scans as one poll may take
        a.schedule();
        a.schedule();

        assertThat(a.processes.started).hasSize(1);
        assertThat(rows.count("task where state = 'IDLE' and hold is null and due_at < utc_timestamp(3)"))
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
        assertThat(rows.one("select concat(state, ' ', due_at is null, ' ', hold is null) from task where id = " + bad))
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
    void jobs_that_are_not_understood_take_no_room_in_a_batch() {
        IdleJobs.insert(rows, 600);
        rows.run("update job set definition = json_set(definition, '$.calendar', 'holidays')");
        rows.run("update task set due_at = utc_timestamp(3) - interval 5 second");
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);

        a.schedule();
        a.schedule(); // fires what the first has prepared

        assertThat(a.processes.started).hasSize(1);
        assertThat(rows.count("task where state = 'IDLE' and hold is null and due_at < utc_timestamp(3)"))
                .isEqualTo(600);
        assertThat(a.problem().orElse("")).contains("600 jobs");
    }

    @Test
    void overdue_tasks_of_jobs_that_are_not_understood_do_not_keep_others_from_being_taken_over() {
        HandDrivenNode b = playground.joined("b", playground.address());
        IdleJobs.insert(rows, 60);
        rows.task(playground.job("good", "0 0 1 1 *"), 3_600_000, true);
        rows.run("update task set due_at = utc_timestamp(3) + interval 4 second");
        b.schedule();
        assertThat(rows.count("task where state = 'PREPARED'")).isEqualTo(61);
        assertThat(b.processes.started).isEmpty();
        rows.run("update job set definition = json_set(definition, '$.newer', 1) where name <> 'good'");
        rows.run("update task set due_at = utc_timestamp(3) - interval 5 second where state = 'PREPARED'");
        rows.run("update task set due_at = due_at + interval 2 second where job_id ="
                + " (select id from job where name = 'good')");

        a.schedule();
        a.schedule();

        assertThat(a.processes.started)
                .singleElement()
                .satisfies(spec -> assertThat(spec.environment()).containsEntry("ROWLOCK_JOB", "default/good"));
    }

    @Test
    void a_job_that_cannot_be_prepared_does_not_stop_the_others_and_a_new_version_lets_it_go() {
        long job = playground.everySecond("bad", 0);
        long bad = Long.parseLong(String.valueOf(rows.one("select id from task")));
        rows.run(
                "insert into task (job_id, job_version, shard, fire_time, attempt, cause, state) select job_id, 1, shard, "
                        + "fire_time + interval 1 second, 1, 'SCHEDULE', 'IDLE' from task");
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);

        a.schedule();

        assertThat(a.processes.started).hasSize(1);
        assertThat(rows.one(
                        "select concat(state, ' ', due_at is null, ' ', hold, ' ', hold_reason) from task where id = "
                                + bad))
                .startsWith("IDLE 1 ERROR cannot be prepared: ");

        rows.run("delete from task where job_id = " + job + " and id <> " + bad);
        saveAgain("bad");
        a.schedule();

        assertThat(a.processes.started).hasSize(2);
        playground.invariants.check();
    }

    @Test
    void a_task_that_cannot_be_started_does_not_stop_the_others_and_its_row_says_so() {
        playground.everySecond("bad", -3);
        a.scheduler.runOnce();
        rows.task(playground.job("good", "0 0 1 1 *"), -50, true);
        occupyHistory(Long.parseLong(
                String.valueOf(rows.one("select id from task where state = 'PREPARED' order by due_at limit 1, 1"))));

        a.schedule();

        assertThat(a.processes.started).hasSize(2);
        assertThat(rows.one("select hold_reason from task where hold = 'ERROR'"))
                .startsWith("cannot be started: ");
    }

    @Test
    void what_the_fence_ended_before_its_process_was_made_is_given_back_and_not_failed() {
        started(1);
        a.processes.neverStart(StopCause.FENCE);

        a.compensator.runOnce();
        a.recorder.runOnce();

        assertThat(rows.count("task_history")).isZero();
        assertThat(rows.count("task where state = 'IDLE' and launch_id is null and due_at <= utc_timestamp(3)"))
                .isEqualTo(1);
    }

    @Test
    void what_was_prepared_and_is_ours_no_more_is_forgotten_by_the_next_compensation() {
        playground.everySecond("j", 2);
        a.schedule();
        rows.run("update task set state = 'IDLE', launch_id = null, session_id = null where state = 'PREPARED'");

        a.compensator.runOnce();

        assertThat(a.localTasks.preparedCount()).isZero();
        playground.invariants.memoryAndTableAgree();
    }

    private void saveAgain(String job) {
        try (Database database = Database.single(playground.address(), Duration.ofSeconds(5))) {
            new JobStore(database)
                    .change(
                            new JobKey("default", job),
                            "mending",
                            change -> change.save(change.job().stored()));
        }
    }

    /** That many tasks of jobs of their own, executing; answers the id of one of them. */
    private long started(int jobs) {
        for (int i = 0; i < jobs; i++) {
            rows.task(playground.job("j" + i, "0 0 1 1 *"), -50, true);
        }
        a.schedule();
        assertThat(a.processes.started).hasSize(jobs);
        return Long.parseLong(String.valueOf(rows.one("select min(id) from task where state = 'EXECUTING'")));
    }

    private void occupyHistory(long id) {
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause, outcome, ended_at, "
                        + "last_fire_time) values (" + id
                        + ", 1, 'n', 'j', 1, '2020-01-01', 'node:x', 1, 'SCHEDULE', 'LOST', '2020-01-01', '2020-01-01')");
    }
}
