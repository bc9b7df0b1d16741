package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.TaskFilter;
import dev.rowlock.job.TaskView;
import dev.rowlock.store.task.TaskQueries;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TcpRelay.Trap;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A job that runs on every node: who gets a part of an occurrence, when it starts, and what becomes of it otherwise.
 */
class BroadcastTest extends NodeByHand {

    private static final String PARTS =
            "select group_concat(concat(origin, ' ', state) order by origin separator ', ') from task"
                    + " where origin like 'node:%'";
    private static final String ENDED =
            "select group_concat(concat(substring_index(origin, '#', 1), ' ', outcome) order by id separator ', ')"
                    + " from task_history where origin like 'node:%'";
    private static final String REASON =
            "select group_concat(distinct reason) from task_history where origin like 'node:%' and outcome = ";

    private HandDrivenNode b;
    private HandDrivenNode c;

    @BeforeEach
    void joinOthers() {
        b = playground.joined("b", playground.address());
        c = playground.joined("c", playground.address());
    }

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
        rows.run("update task t join (select date_add(utc_timestamp(3), interval 700000 microsecond) as soon) v"
                + " set t.fire_time = v.soon, t.due_at = v.soon where t.cursor_of is not null");
        a.schedule();
        assertThat(rows.one("select s.node from task t join session s on s.id = t.session_id"))
                .isEqualTo("a");
        rows.run("update session set labels = '{\"old\": \"1\"}' where node = 'a'");
        rows.run("update task set due_at = utc_timestamp(3) where state = 'PREPARED'");
        a.nanos.advance(Duration.ofSeconds(1));

        a.schedule();

        assertThat(rows.one(PARTS)).isEqualTo("node:b IDLE, node:c IDLE");
    }

    @Test
    void without_a_matching_node_it_waits_and_is_missed_when_that_has_lasted_too_long() {
        create(", \"nodes\": \"role=web\", \"startDeadline\": \"1m\"");
        long whole = due();
        everywhere();
        assertThat(rows.one("select concat(state, ' ', hold) from task where id = " + whole))
                .isEqualTo("IDLE NODE");

        rows.run("update task set fire_time = fire_time - interval 2 minute, due_at = utc_timestamp(3) where id = "
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
    void the_part_of_a_node_that_dies_is_missed_and_runs_nowhere_else() {
        create("");
        due();
        a.schedule();

        expire(b);
        lookAround();
        a.schedule();
        c.schedule();

        assertThat(rows.one(PARTS)).isEqualTo("node:a EXECUTING, node:c EXECUTING");
        assertThat(rows.one(ENDED)).isEqualTo("node:b MISSED");
        assertThat(rows.one(REASON + "'MISSED'")).isEqualTo("node b ended before it ran this");
        assertThat(nodeOf("MISSED")).isEqualTo("b node:b");
    }

    @Test
    void a_node_that_comes_back_in_time_runs_its_part() {
        create("");
        due();
        a.schedule();
        playground.nodes.remove(b);
        b.close();

        b = playground.joined("b", playground.address());
        b.schedule();

        assertThat(b.processes.started).hasSize(1);
    }

    @Test
    void the_part_of_a_drained_node_is_missed() {
        create("");
        due();
        a.schedule();
        rows.run("update session set drained = true, state = 'DRAINING' where node = 'b'");
        lookAround();

        everywhere();

        assertThat(b.processes.started).isEmpty();
        assertThat(rows.one(REASON + "'MISSED'"))
                .isEqualTo("node b took no more work (drained or stopping) before it ran this");
    }

    @Test
    void overlap_counts_for_each_node_alone() {
        create("");
        due();
        everywhere();
        finish(a, 0);

        due();
        everywhere();

        assertThat(a.processes.started).hasSize(2);
        assertThat(b.processes.started).hasSize(1);
        assertThat(rows.one(ENDED)).isEqualTo("node:a SUCCEEDED, node:b SKIPPED, node:c SKIPPED");
    }

    @Test
    void so_many_run_at_a_time_in_the_order_of_their_names() {
        create(", \"broadcastParallel\": 2");
        due();
        a.schedule();
        assertThat(rows.one("select concat(hold, ' ', hold_reason, ' ', due_at is null) from task where origin ="
                        + " 'node:c'"))
                .isEqualTo("OVERLAP 2 other nodes first (broadcastParallel 2) 1");
        everywhere();
        assertThat(c.processes.started).isEmpty();

        finish(b, 0);
        everywhere();

        assertThat(c.processes.started).hasSize(1);
    }

    @Test
    void an_edit_lets_no_more_start_than_may_run_at_a_time() {
        create(", \"broadcastParallel\": 1");
        due();
        everywhere();
        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("description", "other"), ANY);

        everywhere();

        long first = part("a");
        assertThat(rows.one("select group_concat(hold_reason order by id) from task where hold = 'OVERLAP'"))
                .isEqualTo("task %d on a first (broadcastParallel 1),task %d on a, %d on b first (broadcastParallel 1)"
                        .formatted(first, first, part("b")));
        finish(a, 0);
        rows.run("update task set due_at = utc_timestamp(3) where due_at > utc_timestamp(3) and origin like 'node:%'");
        everywhere();
        assertThat(b.processes.started).hasSize(1);
        assertThat(c.processes.started).isEmpty();
    }

    @Test
    void a_retry_keeps_the_place_of_its_node() {
        create(", \"broadcastParallel\": 1, \"retry\": {\"max\": 1, \"backoff\": \"1h\"}");
        due();
        everywhere();
        finish(a, 1);
        everywhere();
        assertThat(b.processes.started).isEmpty();

        rows.run("update task set due_at = utc_timestamp(3) where cause = 'RETRY'");
        everywhere();
        assertThat(a.processes.started).hasSize(2);
        finish(a, 1);
        everywhere();

        assertThat(b.processes.started).hasSize(1);
        assertThat(rows.one(ENDED)).isEqualTo("node:a FAILED, node:a FAILED");
    }

    @Test
    void the_next_one_goes_when_the_node_before_it_dies() {
        create(", \"broadcastParallel\": 1");
        due();
        everywhere();

        expire(a);
        lookAround();
        b.schedule();

        assertThat(b.processes.started).hasSize(1);
        assertThat(rows.one(ENDED)).isEqualTo("node:a LOST");
        assertThat(rows.count("task where cause = 'RECOVERY'")).isZero();
    }

    @Test
    void what_was_lost_is_recovered_where_its_node_is_back() {
        create("");
        due();
        everywhere();
        playground.nodes.remove(b);
        b.close();

        b = playground.joined("b", playground.address());
        b.schedule();

        assertThat(rows.one(ENDED)).isEqualTo("node:b LOST");
        assertThat(rows.one("select concat(cause, ' ', attempt, ' ', origin) from task where state = 'EXECUTING'"
                        + " and attempt > 1"))
                .isEqualTo("RECOVERY 2 node:b");
        assertThat(b.processes.started).hasSize(1);
    }

    @Test
    void one_failure_cancels_what_has_not_started() {
        create(", \"broadcastParallel\": 2, \"stopOnFailure\": true");
        due();
        everywhere();

        long failed = part("a");
        finish(a, 3);
        everywhere();

        assertThat(c.processes.started).isEmpty();
        assertThat(rows.one(REASON + "'CANCELLED'")).isEqualTo("task " + failed + " on node a failed (stopOnFailure)");
        assertThat(nodeOf("CANCELLED")).isEqualTo("c node:c");
        assertThat(rows.one(PARTS)).isEqualTo("node:b EXECUTING");
    }

    @Test
    void a_failure_that_is_tried_again_cancels_nothing_yet() {
        create(", \"broadcastParallel\": 1, \"stopOnFailure\": true, \"retry\": {\"max\": 1, \"backoff\": \"1h\"}");
        due();
        everywhere();
        finish(a, 3);
        assertThat(rows.count("task_history where outcome = 'CANCELLED'")).isZero();

        rows.run("update task set due_at = utc_timestamp(3) where cause = 'RETRY'");
        everywhere();
        finish(a, 3);

        assertThat(rows.count("task_history where outcome = 'CANCELLED'")).isEqualTo(2);
    }

    @Test
    void a_loss_for_good_cancels_what_has_not_started() {
        create(", \"broadcastParallel\": 1, \"stopOnFailure\": true");
        due();
        everywhere();

        long lost = part("a");
        expire(a);

        assertThat(rows.one(REASON + "'CANCELLED'")).isEqualTo("task " + lost + " on node a was lost (stopOnFailure)");
    }

    @Test
    void a_retry_whose_node_ends_is_missed_and_cancels_what_has_not_started() {
        create(", \"broadcastParallel\": 1, \"stopOnFailure\": true, \"retry\": {\"max\": 1, \"backoff\": \"1h\"}");
        due();
        everywhere();
        finish(a, 3);
        expire(a);
        lookAround();
        rows.run("update task set due_at = utc_timestamp(3) where cause = 'RETRY'");

        b.schedule();

        assertThat(rows.one(ENDED)).isEqualTo("node:a FAILED, node:b CANCELLED, node:c CANCELLED, node:a MISSED");
        assertThat(b.processes.started).isEmpty();
    }

    @Test
    void a_manual_run_expands_too_even_beside_one_of_the_schedule_at_the_same_time() {
        create("");
        long whole = due();
        long asked = jobs.run(KEY, null).task();
        rows.run("update task t join task w on w.id = " + whole + " set t.fire_time = w.fire_time where t.id = "
                + asked);

        a.schedule();

        assertThat(rows.one("select group_concat(distinct origin order by origin) from task where origin like"
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
        assertThat(rows.one("select group_concat(distinct hold) from task where origin in ('node:b', 'node:c')"))
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

        assertThat(rows.count("task")).isZero();
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
    void a_part_that_its_node_had_no_room_for_is_no_misfire() {
        create("");
        due();
        a.schedule();
        rows.run("update task set fire_time = fire_time - interval 1 hour where origin = 'node:b'");

        b.schedule();

        assertThat(b.processes.started).hasSize(1);
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

        assertThat(rows.count("task where origin like 'node:%'")).isEqualTo(203);
        assertThat(rows.count("task where hold = 'OVERLAP'")).isEqualTo(201);
        assertThat(rows.one("select reason from task_history where id = " + whole))
                .isEqualTo("203 tasks, on the nodes a, b, c, n100, n101, n102, n103, n104, n105, n106 and 193 more");
        finish(a, 0);
        finish(b, 0);
        everywhere();
        assertThat(c.processes.started).hasSize(1);
        assertThat(rows.one("select group_concat(origin order by id) from task where hold is null and state = 'IDLE'"
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
        Trap trap = relay.cutAfter(TcpRelay.statement("commit"));

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
        assertThat(rows.one("select s.node from task t join session s on s.id = t.session_id where t.id = " + whole))
                .isEqualTo("b");
        rows.run("update task set due_at = due_at - interval 30 second where id = " + whole);

        a.schedule();

        assertThat(rows.one("select concat(outcome, ' ', node) from task_history where id = " + whole))
                .isEqualTo("EXPANDED b");
        assertThat(rows.count("task where origin like 'node:%'")).isEqualTo(3);
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

    private static TaskFilter listed(@Nullable Outcome outcome, boolean expanded) {
        return new TaskFilter(null, null, "ENDED", outcome, null, null, null, null, 10, expanded);
    }

    /** One pass. */
    /** The node that a part was for, whoever recorded its end, and where it comes from. */
    private @Nullable String nodeOf(String outcome) {
        return rows.one("select concat(node, ' ', origin) from v_history where outcome = '" + outcome + "'");
    }

    private static void poll(HandDrivenNode node) {
        node.pollSoon();
        node.scheduler.runOnce();
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

    private void create(String more) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"j\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"broadcast\": true" + more
                        + "}"));
    }

    /** An occurrence of the schedule that is due now. */
    private long due() {
        long id = jobs.run(KEY, null).task();
        rows.run("update task t join task c on c.cursor_of = t.job_id set t.cause = 'SCHEDULE', t.origin = '',"
                + " t.next_fire_time = c.fire_time where t.id = " + id);
        return id;
    }

    private long part(String node) {
        return Long.parseLong(
                Objects.requireNonNull(rows.one("select min(id) from task where origin = 'node:" + node + "'")));
    }

    private void everywhere() {
        playground.nodes.forEach(HandDrivenNode::schedule);
        playground.nodes.forEach(HandDrivenNode::schedule);
    }

    private void lookAround() {
        playground.nodes.forEach(node -> node.keeper.runOnce());
    }

    private static void finish(HandDrivenNode node, int exitCode) {
        node.processes.end(exitCode);
        node.recorder.runOnce();
    }

    private void expire(HandDrivenNode dead) {
        HandDrivenNode witness = playground.nodes.stream()
                .filter(node -> node != dead)
                .findFirst()
                .orElseThrow();
        long beat = Long.parseLong(
                Objects.requireNonNull(rows.one("select beat from session where id = '" + dead.session() + "'")));
        assertThat(witness.sessions.expire(witness.session(), dead.session(), beat, "gone"))
                .isTrue();
        playground.nodes.remove(dead);
        dead.close();
    }
}
