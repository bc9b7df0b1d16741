package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What was set aside is tried again, ever less often. */
class SetAsideTest extends NodeByHand {

    @AfterEach
    void dropTrigger() {
        rows.run("drop trigger if exists no_reason");
    }

    @Test
    void what_was_set_aside_is_taken_up_by_any_node_ever_less_often_and_forgotten_once_it_went_on() {
        long job = playground.everySecond("bad", 0);
        long bad = Long.parseLong(String.valueOf(rows.one("select id from live_task")));
        rows.run(
                "insert into task (job_id, job_version, stripe, fire_time, attempt, cause, state) select job_id, 1, stripe, "
                        + "fire_time + interval 1 second, 1, 'SCHEDULE', 'IDLE' from live_task");
        HandDrivenNode b = playground.joined("b", playground.address());
        a.schedule();
        a.reconsidering.runOnce();
        assertThat(rows.one("select hold_reason from live_task where id = " + bad))
                .startsWith("cannot be prepared: ");

        for (int times = 2; times <= 12; times++) {
            rows.run("update task_aside set look_at = utc_timestamp(3)");
            b.reconsidering.runOnce();
            assertThat(rows.count("live_task where id = " + bad + " and due_at is not null"))
                    .isEqualTo(1);
            b.schedule();
        }
        assertThat(rows.one(
                        "select concat(times, ' ', timestampdiff(second, utc_timestamp(3), look_at) between 3500 and 3600)"
                                + " from task_aside"))
                .isEqualTo("12 1");

        rows.run("delete from live_task where job_id = " + job + " and id <> " + bad);
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
        rows.run("create trigger no_reason before update on job_next for each row if old.task_id = " + bad
                + " and new.due_at is not null then signal sqlstate '45000' set message_text = 'no'; end if");
        rows.run("update task_aside set look_at = utc_timestamp(3)");

        a.reconsidering.runOnce();

        assertThat(rows.count(
                        "live_task where hold is null and due_at is not null and state = 'IDLE' and cursor_of > 0"))
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
        rows.run("create trigger no_reason before update on job_next for each row if old.task_id = " + bad
                + " and new.due_at is not null then signal sqlstate 'HY000' set mysql_errno = 9001, message_text = 'no';"
                + " end if");
        rows.run("update task_aside set look_at = utc_timestamp(3)");

        a.reconsidering.runOnce();

        assertThat(rows.count(
                        "live_task where hold is null and due_at is not null and state = 'IDLE' and cursor_of > 0"))
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
                "insert into task (job_id, job_version, stripe, fire_time, attempt, cause, state) select job_id, 1, stripe, "
                        + "fire_time + interval 1 second, 1, 'SCHEDULE', 'IDLE' from live_task");
    }
}
