package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.definition.Outcome;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TcpRelay.Trap;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.query.TaskQueries;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A job that runs on every node: who gets a part of an occurrence, and what becomes of it when the job changes. */
class BroadcastTest extends Broadcasting {

    @Test
    void each_node_runs_its_part_and_the_occurrence_ends_as_expanded() {
        create("");
        long whole = due();

        a.schedule();

        assertThat(rows.one("select concat(outcome, ' ', reason, ' ', attempt, origin) from task_history where id = "
                        + whole))
                .isEqualTo("EXPANDED 3 tasks, on the nodes a, b, c 1");
        everywhere();
        assertThat(rows.one(PARTS)).isEqualTo("node:a EXECUTING, node:b EXECUTING, node:c EXECUTING");
        assertThat(List.of(a, b, c))
                .allSatisfy(node -> assertThat(node.processes.started)
                        .extracting(LaunchSpec::environment)
                        .extracting(environment -> environment.get("ROWLOCK_NODE"))
                        .hasSize(1));
        finish(a, 0);
        finish(b, 1);
        finish(c, 0);
        assertThat(rows.one(ENDED)).isEqualTo("node:a SUCCEEDED, node:b FAILED, node:c SUCCEEDED");
        assertThat(rows.count("v_history")).isEqualTo(3);
        assertThat(rows.count("v_broken_link")).isZero();
    }

    @Test
    void only_matching_nodes_get_a_part() {
        rows.run("update session set labels = '{\"role\": \"web\"}' where node in ('b', 'c')");
        lookAround();
        create(", \"nodes\": \"role=web\"");
        due();

        everywhere();

        assertThat(rows.one(PARTS)).isEqualTo("node:b EXECUTING, node:c EXECUTING");
        assertThat(a.processes.started).isEmpty();
    }

    @Test
    void a_node_that_no_longer_matches_expands_what_it_has_prepared_and_gets_no_part() {
        create(", \"nodes\": \"!old\"");
        rows.run("update job_next t join (select date_add(utc_timestamp(3), interval 700000 microsecond) as soon) v"
                + " set t.fire_time = v.soon, t.due_at = v.soon");
        a.schedule();
        assertThat(rows.one("select s.node from live_task t join session s on s.id = t.session_id"))
                .isEqualTo("a");
        rows.run("update session set labels = '{\"old\": \"1\"}' where node = 'a'");
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where state = 'PREPARED'");
        a.nanos.advance(Duration.ofSeconds(1));

        a.schedule();

        assertThat(rows.one(PARTS)).isEqualTo("node:b IDLE, node:c IDLE");
    }

    @Test
    void without_a_matching_node_it_waits_and_is_missed_when_that_has_lasted_too_long() {
        create(", \"nodes\": \"role=web\", \"startDeadline\": \"1m\"");
        long whole = due();
        everywhere();
        assertThat(rows.one("select concat(state, ' ', hold) from live_task where id = " + whole))
                .isEqualTo("IDLE NODE");

        rows.run("update live_task set fire_time = fire_time - interval 2 minute, due_at = utc_timestamp(3) where id = "
                + whole);
        everywhere();

        assertThat(rows.one("select outcome from task_history where id = " + whole))
                .isEqualTo("MISSED");
    }

    @Test
    void a_node_that_joins_later_gets_a_part_of_the_next_one() {
        create("");
        due();
        a.schedule();
        HandDrivenNode d = playground.joined("d", playground.address());
        d.schedule();
        assertThat(d.processes.started).isEmpty();

        due();
        a.schedule();
        d.schedule();

        assertThat(d.processes.started).hasSize(1);
    }

    @Test
    void a_manual_run_expands_too_even_beside_one_of_the_schedule_at_the_same_time() {
        create("");
        long whole = due();
        long asked = jobs.run(KEY, null).task();
        rows.run("update task t join live_task w on w.id = " + whole + " set t.fire_time = w.fire_time where t.id = "
                + asked);

        a.schedule();

        assertThat(rows.one("select group_concat(distinct origin order by origin) from live_task where origin like"
                        + " 'node:a%'"))
                .isEqualTo("node:a,node:a#" + Long.toString(asked, Character.MAX_RADIX));
        a.schedule();
        assertThat(rows.count("task_history where outcome = 'EXPANDED'")).isEqualTo(2);
        assertThat(a.processes.started).as("overlap is per node").hasSize(1);
    }

    @Test
    void a_pause_holds_parts_that_have_not_started_and_a_resume_fires_nothing_of_the_past() {
        create(", \"broadcastParallel\": 1");
        due();
        everywhere();

        jobs.setPaused(KEY, true, ANY);
        assertThat(rows.one("select group_concat(distinct hold) from live_task where origin in ('node:b', 'node:c')"))
                .isEqualTo("PAUSE");
        finish(a, 0);
        everywhere();
        assertThat(b.processes.started).isEmpty();
        jobs.setPaused(KEY, false, ANY);
        everywhere();

        assertThat(rows.one(ENDED)).isEqualTo("node:a SUCCEEDED, node:b SKIPPED, node:c SKIPPED");
        assertThat(rows.one(REASON + "'SKIPPED'")).isEqualTo("the job was paused");
    }

    @Test
    void a_pause_leaves_the_parts_of_a_manual_run_alone() {
        create(", \"broadcastParallel\": 1");
        jobs.run(KEY, null);
        everywhere();

        jobs.setPaused(KEY, true, ANY);
        finish(a, 0);
        everywhere();

        assertThat(b.processes.started).hasSize(1);
    }

    @Test
    void a_deleted_job_leaves_only_what_executes() {
        create(", \"broadcastParallel\": 1");
        due();
        everywhere();

        jobs.delete(KEY, ANY);
        finish(a, 0);

        assertThat(rows.count("live_task")).isZero();
        assertThat(rows.one(ENDED)).isEqualTo("node:a SUCCEEDED, node:b CANCELLED, node:c CANCELLED");
    }

    @Test
    void an_edit_cancels_parts_of_what_the_schedule_no_longer_asks_for() {
        create(", \"broadcastParallel\": 1");
        due();
        everywhere();

        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("schedule", "0 0 2 2 *"), ANY);
        finish(a, 0);
        everywhere();

        assertThat(rows.one(ENDED)).isEqualTo("node:a SUCCEEDED, node:b CANCELLED, node:c CANCELLED");
    }

    @Test
    void two_hundred_nodes_get_their_parts_and_two_of_them_at_a_time() {
        rows.run("insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at,"
                + " beat, heartbeat_at, state) with recursive n (i) as (select 100 union all select i + 1 from n where"
                + " i < 299) select concat('s', i), concat('n', i), 'h', 'b', i, i, 'test', '{}', 1,"
                + " utc_timestamp(3), 1, utc_timestamp(3), 'ALIVE' from n");
        lookAround();
        create(", \"broadcastParallel\": 2");
        long whole = due();

        everywhere();

        assertThat(rows.count("live_task where origin like 'node:%'")).isEqualTo(203);
        assertThat(rows.count("live_task where hold = 'OVERLAP'")).isEqualTo(201);
        assertThat(rows.one("select reason from task_history where id = " + whole))
                .isEqualTo("203 tasks, on the nodes a, b, c, n100, n101, n102, n103, n104, n105, n106 and 193 more");
        finish(a, 0);
        finish(b, 0);
        everywhere();
        assertThat(c.processes.started).hasSize(1);
        assertThat(rows.one(
                        "select group_concat(origin order by id) from live_task where hold is null and state = 'IDLE'"
                                + " and origin like 'node:%'"))
                .isEqualTo("node:n100");
    }

    @Test
    void it_expands_once_even_if_the_answer_to_the_commit_is_lost() throws Exception {
        TcpRelay relay = playground.relay();
        HandDrivenNode d = playground.joined("d", playground.address(relay));
        create("");
        due();
        poll(d);
        Trap trap = relay.cutAfter(TcpRelay.commitOf("insert into task_history"));

        assertThat(catchThrowable(() -> poll(d))).isInstanceOf(DatabaseUnavailable.class);
        assertThat(trap.awaitSprung(Duration.ofSeconds(10))).isTrue();
        lookAround();
        everywhere();

        assertThat(rows.count("task_history where outcome = 'EXPANDED'")).isEqualTo(1);
        assertThat(rows.one(PARTS)).isEqualTo("node:a EXECUTING, node:b EXECUTING, node:c EXECUTING, node:d EXECUTING");
        assertThat(playground.nodes)
                .allSatisfy(node -> assertThat(node.processes.started).hasSize(1));
    }

    @Test
    void it_is_taken_over_from_a_node_that_does_not_fire_it() {
        create("");
        long whole = due();
        poll(b);
        assertThat(rows.one(
                        "select s.node from live_task t join session s on s.id = t.session_id where t.id = " + whole))
                .isEqualTo("b");
        rows.run("update live_task set due_at = due_at - interval 30 second where id = " + whole);

        a.schedule();

        assertThat(rows.one("select concat(outcome, ' ', node) from task_history where id = " + whole))
                .isEqualTo("EXPANDED b");
        assertThat(rows.count("live_task where origin like 'node:%'")).isEqualTo(3);
        everywhere();
        assertThat(b.processes.started).hasSize(1);
    }

    @Test
    void lists_of_tasks_leave_out_what_has_become_parts_unless_it_is_asked_for() {
        create("");
        due();
        everywhere();
        TaskQueries tasks = new TaskQueries(database);

        assertThat(tasks.page(listed(null, false))).isEmpty();
        assertThat(tasks.page(listed(null, true))).extracting(TaskView::outcome).containsExactly("EXPANDED");
        assertThat(tasks.page(listed(Outcome.EXPANDED, false))).hasSize(1);
    }

    @Test
    void a_selector_is_added_once_for_each_node() {
        create("");
        due();
        a.schedule();
        String before = rows.one("select count(*) from selector where expression like 'node:%'");
        due();
        a.schedule();

        assertThat(rows.one("select count(*) from selector where expression like 'node:%'"))
                .isEqualTo(before);
    }

    private static TaskFilter listed(@Nullable Outcome outcome, boolean expanded) {
        return new TaskFilter(null, null, "ENDED", outcome, null, null, null, null, 10, expanded);
    }

    /** One pass. */
    private static void poll(HandDrivenNode node) {
        node.pollSoon();
        node.scheduler.runOnce();
    }
}
