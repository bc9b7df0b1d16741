package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.definition.Overlap;
import dev.rowlock.definition.Overrides;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.transition.GroupWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However long it lasts that a group is full, or no node takes a job, no more of it waits than its overlap says. */
class HeldRunsTest extends NodeByHand {

    private static final String GROUP = "\"group\": \"g\"";
    private static final String NODES = "\"nodes\": \"role=db\", \"startDeadline\": \"12h\"";

    private Groups groups;

    @BeforeEach
    void open() {
        groups = new Groups(new GroupStore(database), new TaskQueries(database), () -> {});
        groups.put("g", new GroupDefinition(0, ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # overlap | held by | those of five runs that wait
            SKIP      | GROUP | 1
            REPLACE   | GROUP | 5
            QUEUE     | GROUP | 1 2
            ALLOW     | GROUP | 1 2
            SKIP      | NODES | 1
            REPLACE   | NODES | 5
            QUEUE     | NODES | 1 2
            ALLOW     | NODES | 1 2
            """)
    void only_so_many_wait(String overlap, String held, String waiting) {
        boolean limited = overlap.equals("QUEUE") || overlap.equals("ALLOW");
        create(overlap, (held.equals("GROUP") ? GROUP : NODES) + (limited ? ", \"overlapLimit\": 2" : ""));
        List<Long> runs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            runs.add(run());
            a.schedule();
        }
        List<String> expected = new ArrayList<>();
        for (String number : waiting.split(" ", -1)) {
            expected.add(String.valueOf(runs.get(Integer.parseInt(number) - 1)));
        }

        assertThat(rows.one("select group_concat(id order by id separator ' ') from live_task where hold is not null"))
                .isEqualTo(String.join(" ", expected));
        assertThat(rows.count("task_wait")).isBetween(1L, (long) expected.size());
        assertThat(rows.count("task_history where outcome = 'SKIPPED' and superseded_by is not null"))
                .isEqualTo(5 - expected.size());
    }

    @Test
    void the_newest_that_waits_for_a_node_is_not_missed_for_the_time_that_those_it_replaced_have_waited() {
        create("REPLACE", "\"nodes\": \"role=db\", \"misfireThreshold\": \"3s\"");
        run();
        a.schedule();
        rows.run("update task_wait set rank_at = rank_at - interval 10 second");
        long newest = run();
        a.schedule();

        rows.run("update live_task set due_at = utc_timestamp(3) where id = " + newest);
        a.schedule();

        assertThat(rows.count("task_history where outcome = 'MISSED'")).isZero();
        assertThat(rows.one("select hold from live_task where id = " + newest)).isEqualTo("NODE");
    }

    /** In one transaction nothing of it is in the table yet. */
    @Test
    void those_that_come_due_together_are_skipped_for_the_first_of_them() {
        create("SKIP", GROUP);
        long first = run();
        run();
        run();

        a.schedule();

        assertThat(rows.one("select group_concat(id) from live_task where hold = 'GROUP'"))
                .isEqualTo(String.valueOf(first));
        assertThat(rows.one("select group_concat(distinct reason) from task_history"))
                .isEqualTo("task " + first + " was still waiting to start (overlap SKIP)");
    }

    @Test
    void what_has_waited_starts_and_the_next_waits_in_turn() {
        create("SKIP", GROUP);
        long first = run();
        a.schedule();
        groups.put("g", new GroupDefinition(1, ""));
        new GroupWaits(database).wake();
        long second = run();
        a.schedule();

        assertThat(executing()).isEqualTo(String.valueOf(first));
        assertThat(rows.one("select superseded_by from task_history where id = " + second))
                .isEqualTo(String.valueOf(first));
        a.processes.end(0);
        a.recorder.runOnce();
        long third = run();
        a.schedule();
        assertThat(executing()).isEqualTo(String.valueOf(third));
    }

    @ParameterizedTest
    @CsvSource({"group, 100, 5", "maxPerNode, 100, 4"})
    void without_a_limit_a_hundred_wait(String what, int held, int skipped) {
        create("ALLOW", what.equals("group") ? GROUP : "\"maxPerNode\": 1");
        for (int i = 0; i < 105; i++) {
            run();
        }

        while (rows.count("live_task where queued_at is null and cursor_of is null and state = 'IDLE'") > 0) {
            a.schedule(); // as many as it has slots each time
        }

        assertThat(rows.count("live_task where hold in ('GROUP', 'NODE') or state = 'PREPARED'"))
                .isEqualTo(held);
        assertThat(rows.count("task_history where outcome = 'SKIPPED'")).isEqualTo(skipped);
        assertThat(rows.one("select min(reason) from task_history"))
                .matches(
                        "100 tasks of the job were waiting, task \\d+ first \\(without an overlapLimit 100 may wait\\)");
    }

    @Test
    void the_newest_takes_the_place_of_what_it_replaces() {
        create("REPLACE", GROUP);
        run();
        a.schedule();
        String since = rows.one("select rank_at from task_wait");
        long newest = run();
        a.schedule();

        assertThat(rows.one("select concat(task_id, ' ', rank_at) from task_wait"))
                .isEqualTo(newest + " " + since);
    }

    /** It looks once a second, and the job may hardly ever rest. */
    @Test
    void a_run_that_waits_by_itself_goes_before_the_next_of_a_job_that_skips() {
        create("SKIP", "\"priority\": 0");
        run();
        a.schedule();
        long waiting = jobs.run(KEY, new Overrides(null, Map.of(), null, Overlap.QUEUE), null)
                .task();
        a.schedule();
        a.slots.lack(true);
        a.processes.end(0);
        a.recorder.runOnce();
        long next = run();
        a.schedule();

        assertThat(rows.one("select concat(outcome, ' ', superseded_by) from task_history where id = " + next))
                .isEqualTo("SKIPPED " + waiting);
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where id = " + waiting);
        a.schedule();
        assertThat(executing()).isEqualTo(String.valueOf(waiting));
    }

    private void create(String overlap, String more) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"j\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"overlap\": \"" + overlap
                        + "\", " + more + "}"));
    }

    private long run() {
        return jobs.run(KEY, null).task();
    }

    private @Nullable String executing() {
        return rows.one("select group_concat(id) from live_task where state = 'EXECUTING'");
    }
}
