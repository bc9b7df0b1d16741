package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.definition.Overlap;
import dev.rowlock.definition.Overrides;
import dev.rowlock.exec.StopCause;
import dev.rowlock.node.Signals.Signal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of tasks of a job that is running, across nodes, ends of all kinds, and what people do meanwhile. */
class OverlapTest extends NodeByHand {

    private static final String ALL =
            "select group_concat(concat(cause, ' ', outcome) order by id separator ', ')" + " from task_history";

    @Test
    void the_queue_runs_in_order_one_at_a_time() {
        create("QUEUE", "");
        List<Long> runs = List.of(run(), run(), run());
        a.schedule();
        assertThat(executing()).containsExactly(runs.get(0));
        assertThat(rows.one(
                        "select group_concat(concat(hold, ' ', hold_reason) order by id) from live_task where hold is"
                                + " not null"))
                .isEqualTo(("OVERLAP task %1$d is executing (overlap QUEUE),OVERLAP task %1$d is executing (overlap"
                                + " QUEUE)")
                        .formatted(runs.get(0)));

        for (long next : runs) {
            assertThat(executing()).containsExactly(next);
            finish(0);
        }

        assertThat(rows.one(ALL)).isEqualTo("MANUAL SUCCEEDED, MANUAL SUCCEEDED, MANUAL SUCCEEDED");
        assertThat(rows.count("task_history where queued_at is not null")).isEqualTo(2);
    }

    @Test
    void the_end_of_what_had_to_wait_is_recorded_soon_as_others_probably_wait() {
        create("QUEUE", "");
        run();
        run();
        a.schedule();
        AtomicInteger awaited = new AtomicInteger();
        a.listen(Signal.AWAITED_ENDED, awaited::incrementAndGet);

        finish(0);
        assertThat(awaited).hasValue(0);
        finish(0);

        assertThat(awaited).hasValue(1);
        assertThat(rows.count("task_history where outcome = 'SUCCEEDED'")).isEqualTo(2);
    }

    @Test
    void a_run_that_asks_for_skip_is_skipped_though_the_job_may_run_beside_itself() {
        create("ALLOW", "");
        long first = run();
        a.schedule();
        long second = jobs.run(KEY, new Overrides(null, Map.of(), null, Overlap.SKIP), null)
                .task();
        a.schedule();

        assertThat(executing()).containsExactly(first);
        assertThat(rows.one("select concat(outcome, ' ', superseded_by) from task_history where id = " + second))
                .isEqualTo("SKIPPED " + first);
    }

    @Test
    void a_retry_keeps_its_place_in_the_queue() {
        create("QUEUE", ", \"retry\": {\"max\": 1, \"backoff\": \"1m\"}");
        run();
        long second = run();
        a.schedule();

        finish(1);
        assertThat(executing()).isEmpty();
        assertThat(rows.one("select hold from live_task where id = " + second)).isEqualTo("OVERLAP");
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RETRY'");
        a.schedule();
        assertThat(rows.one("select cause from live_task where state = 'EXECUTING'"))
                .isEqualTo("RETRY");
        finish(1);

        assertThat(executing()).containsExactly(second);
        finish(0);
        assertThat(rows.one(ALL)).isEqualTo("MANUAL FAILED, MANUAL SUCCEEDED, RETRY FAILED");
    }

    @Test
    void the_queue_goes_on_when_the_node_of_the_first_is_lost() {
        create("QUEUE", "");
        HandDrivenNode b = playground.joined("b", playground.address());
        long first = run();
        b.schedule();
        long second = run();
        a.schedule();
        assertThat(executing()).containsExactly(first);

        expire(b);
        a.schedule();

        assertThat(rows.one("select cause from live_task where state = 'EXECUTING'"))
                .isEqualTo("RECOVERY");
        finish(0);
        assertThat(executing()).containsExactly(second);
    }

    @Test
    void waiting_is_no_misfire() {
        create("QUEUE", "");
        run();
        long second = run();
        a.schedule();
        rows.run(
                "update live_task set cause = 'SCHEDULE', origin = '', fire_time = fire_time - interval 1 hour where id = "
                        + second);

        finish(0);

        assertThat(executing()).containsExactly(second);
    }

    @Test
    void a_pause_holds_what_the_schedule_queued_and_a_resume_fires_nothing_of_the_past() {
        create("QUEUE", "");
        run();
        long second = run();
        a.schedule();
        rows.run("update live_task set cause = 'SCHEDULE', origin = '' where id = " + second);

        jobs.setPaused(KEY, true, ANY);
        assertThat(rows.one("select hold from live_task where id = " + second)).isEqualTo("PAUSE");
        finish(0);
        assertThat(executing()).isEmpty();
        jobs.setPaused(KEY, false, ANY);
        a.schedule();

        assertThat(rows.one("select concat(outcome, ' ', reason) from task_history where id = " + second))
                .isEqualTo("SKIPPED the job was paused");
    }

    @Test
    void an_edit_decides_again_and_the_queue_goes_on() {
        create("QUEUE", "");
        long first = run();
        long second = run();
        a.schedule();

        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("overlap", "ALLOW"), ANY);
        a.schedule();

        assertThat(executing()).containsExactly(first, second);
    }

    @Test
    void a_job_that_began_to_queue_while_it_ran_is_not_forgotten() {
        create("SKIP", "");
        run();
        a.schedule();
        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("overlap", "QUEUE"), ANY);
        long second = run();
        a.schedule();
        assertThat(rows.one("select timestampdiff(second, utc_timestamp(3), due_at) <= 1 from live_task where id = "
                        + second))
                .isEqualTo("1");
        finish(0);
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where id = " + second);
        a.schedule();

        assertThat(executing()).containsExactly(second);
    }

    @Test
    void a_deleted_job_has_no_queue() {
        create("QUEUE", "");
        run();
        run();
        a.schedule();

        jobs.delete(KEY, ANY);
        finish(0);

        assertThat(rows.count("live_task")).isZero();
        assertThat(rows.one(ALL)).isEqualTo("SCHEDULE CANCELLED, MANUAL SUCCEEDED, MANUAL CANCELLED");
    }

    @Test
    void the_newest_is_skipped_beyond_the_limit() {
        create("QUEUE", ", \"overlapLimit\": 1");
        run();
        long second = run();
        long third = run();
        a.schedule();

        assertThat(rows.one("select concat(outcome, ' ', superseded_by, ' ', reason) from task_history where id = "
                        + third))
                .isEqualTo("SKIPPED " + second + " 1 tasks of the job were waiting, task " + second
                        + " first (overlapLimit 1)");
    }

    @Test
    void what_waits_is_missed_when_its_deadline_is_over() {
        create("QUEUE", ", \"startDeadline\": \"1m\"");
        long first = run();
        long second = run();
        a.schedule();
        rows.run(
                "update live_task set fire_time = fire_time - interval 2 minute, due_at = due_at - interval 2 minute where"
                        + " id = " + second);

        a.schedule();

        assertThat(executing()).containsExactly(first);
        assertThat(rows.one("select concat(outcome, ' ', reason) from task_history where id = " + second))
                .isEqualTo("MISSED its startDeadline of 1m was over: task " + first + " is executing (overlap QUEUE)");
    }

    @Test
    void a_replaced_task_is_killed_and_names_the_one_that_replaced_it_first() {
        create("REPLACE", "");
        long first = run();
        a.schedule();
        a.processes.ignoresTerm = true;
        long second = run();
        a.schedule();
        long third = run();
        a.schedule();
        assertThat(executing()).containsExactly(first);

        a.processes.stop(StopCause.REQUEST);
        a.recorder.runOnce();
        a.schedule();

        assertThat(executing()).containsExactly(third);
        assertThat(rows.one(
                        "select concat(outcome, ' ', replaced_by, ' ', reason) from task_history where id = " + first))
                .isEqualTo("KILLED " + second + " replaced by task " + second + " (overlap REPLACE)");
        assertThat(rows.one("select concat(outcome, ' ', superseded_by, ' ', reason) from task_history where id = "
                        + second))
                .isEqualTo("SKIPPED " + third + " task " + third
                        + " replaces it, before it could start (overlap REPLACE)");
    }

    @Test
    void the_one_that_replaces_starts_when_the_node_of_the_other_is_expired_and_nothing_is_recovered() {
        create("REPLACE", "");
        HandDrivenNode b = playground.joined("b", playground.address());
        long first = run();
        b.schedule();
        long second = run();
        a.schedule();
        assertThat(rows.one("select concat(kind, ' ', replaced_by) from task_request where session_id = '" + b.session()
                        + "'"))
                .isEqualTo("KILL " + second);

        expire(b);
        a.schedule();

        assertThat(executing()).containsExactly(second);
        assertThat(rows.one("select concat(outcome, ' ', replaced_by) from task_history where id = " + first))
                .isEqualTo("LOST " + second);
        assertThat(rows.count("live_task where cause = 'RECOVERY'")).isZero();
    }

    @Test
    void a_retry_is_superseded_by_the_next_occurrence() {
        create("SKIP", ", \"retry\": {\"max\": 5, \"backoff\": \"1h\"}");
        run();
        rows.run("update live_task set cause = 'SCHEDULE', origin = '' where cause = 'MANUAL'");
        a.schedule();
        finish(1);
        assertThat(rows.one(
                        "select concat(cause, ' ', attempt) from live_task where state = 'IDLE' and cursor_of is null"))
                .isEqualTo("RETRY 2");
        long next = run();
        rows.run("update live_task set cause = 'SCHEDULE', origin = '' where cause = 'MANUAL'");
        a.schedule();

        assertThat(executing()).containsExactly(next);
        assertThat(rows.one("select concat(outcome, ' ', superseded_by) from task_history where cause = 'RETRY'"))
                .isEqualTo("SKIPPED " + next);
    }

    private void create(String overlap, String more) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"j\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"overlap\": \"" + overlap + "\""
                        + more + "}"));
    }

    private long run() {
        return jobs.run(KEY, null).task();
    }

    private List<Long> executing() {
        return rows.all("select id from live_task where state = 'EXECUTING' order by id").stream()
                .map(row -> Long.valueOf(Objects.requireNonNull(row.get("id"))))
                .toList();
    }

    private void finish(int exitCode) {
        a.processes.end(exitCode);
        a.recorder.runOnce();
        a.schedule();
    }

    private void expire(HandDrivenNode dead) {
        long beat = Long.parseLong(
                Objects.requireNonNull(rows.one("select beat from session where id = '" + dead.session() + "'")));
        assertThat(a.sessions.expire(a.session(), dead.session(), beat, "gone")).isTrue();
        playground.nodes.remove(dead);
        dead.close();
    }
}
