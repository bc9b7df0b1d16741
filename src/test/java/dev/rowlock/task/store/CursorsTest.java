package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.transition.Acquisition;
import dev.rowlock.task.transition.Transitions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How cursors move: from where they were seen or not at all, and never without the task that they pass. */
class CursorsTest extends Transitions {

    private static final Terms TERMS = new Terms(Duration.ofMillis(1500), 7, "g");

    private List<Task> prepare(List<Task> tasks, @Nullable Duration next, Terms terms) {
        List<Acquisition> wanted = new ArrayList<>();
        for (Task task : tasks) {
            Instant to = next == null ? null : task.fireTime().plus(next);
            wanted.add(new Acquisition(task, launch("one", wanted.size() + 1), List.of(), null, to, terms));
        }
        return acquire.acquire("one", wanted, Instant.now()).tasks();
    }

    @Test
    void those_that_stand_where_they_were_seen_move_though_others_do_not() {
        for (String name : List.of("same", "moved", "parked", "changed", "gone")) {
            rows.task(rows.job(name, DEFINITION), -100, true);
        }
        List<Task> seen = scan();
        assertThat(seen).hasSize(5);
        String of = " c join job j on j.id = c.job_id ";
        rows.run("update job_next" + of + "set c.fire_time = c.fire_time + interval 1 minute where j.name = 'moved'");
        rows.run("update job_next" + of + "set c.due_at = null where j.name = 'parked'");
        rows.run("update job_next" + of + "set c.job_version = 2 where j.name = 'changed'");
        rows.run("delete c from job_next" + of + "where j.name = 'gone'");

        List<Task> prepared = prepare(seen, Duration.ofHours(1), Terms.PLAIN);

        assertThat(prepared).singleElement().satisfies(task -> {
            assertThat(rows.one("select name from job where id = " + task.jobId()))
                    .isEqualTo("same");
            assertThat(rows.count("task where state = 'PREPARED' and id = " + task.id()
                            + " and next_fire_time = fire_time + interval 1 hour"))
                    .isOne();
            assertThat(rows.count("job_next where job_id = " + task.jobId() + " and task_id <> " + task.id()
                            + " and due_at = fire_time and fire_time > utc_timestamp(3) + interval 59 minute"))
                    .isOne();
        });
        assertThat(rows.count("task")).isOne();
        assertThat(rows.count("job_next")).isEqualTo(4);
    }

    @Test
    void one_goes_with_the_last_occurrence_unless_it_was_moved_since() {
        rows.task(rows.job("j", DEFINITION), -100, true);
        List<Task> seen = scan();
        rows.run("update job_next set fire_time = fire_time + interval 1 minute");
        assertThat(prepare(seen, null, Terms.PLAIN)).isEmpty();
        assertThat(rows.count("job_next")).isOne();
        rows.run("update job_next set fire_time = fire_time - interval 1 minute");

        assertThat(prepare(seen, null, Terms.PLAIN)).hasSize(1);

        assertThat(rows.count("job_next")).isZero();
        assertThat(rows.one("select next_fire_time from task")).isNull();
    }

    @Test
    void a_task_has_the_id_and_all_else_that_the_cursor_had_for_it() {
        long id = rows.task(rows.job("j", DEFINITION), -100, true);
        rows.run("update job_next set needs = 1, selector = 3, priority = 7, group_name = 'g', jitter_ms = 1500,"
                + " due_at = fire_time + interval 1500000 microsecond");

        assertThat(prepare(scan(), Duration.ofHours(1), TERMS)).hasSize(1);

        assertThat(rows.one("select concat_ws(' ', id, needs, selector, priority, group_name, jitter_ms,"
                        + " timestampdiff(microsecond, fire_time, due_at)) from task"))
                .isEqualTo(id + " 1 3 7 g 1500 1500000");
        assertThat(rows.one("select concat_ws(' ', needs, selector, priority, group_name, jitter_ms,"
                        + " timestampdiff(microsecond, fire_time, due_at)) from job_next"))
                .isEqualTo("1 3 7 g 1500 1500000");
    }

    @Test
    void what_one_leaves_as_an_idle_task_is_there_once() {
        long id = rows.task(rows.job("j", DEFINITION), -100, true);
        long other = rows.task(rows.job("k", DEFINITION), -100, false);

        database.transact("leaving", handle -> {
            Cursors.toTasks(handle, List.of(id, id, other));
            return id;
        });

        assertThat(rows.count("task where state = 'IDLE' and due_at is not null"))
                .isEqualTo(2);
        assertThat(rows.count("job_next")).isZero();
    }
}
