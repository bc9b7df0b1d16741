package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Overrides;
import dev.rowlock.job.Run;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What freezes hold and skip, and what becomes of it, with everything else that may happen to a job meanwhile. */
class FreezesTest extends FreezesByHand {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    FreezesTest() {
        super(SERVER);
    }

    @Test
    void once_it_is_answered_nothing_that_it_covers_starts_what_was_prepared_included() {
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\"");
        cluster.round();
        assertThat(cluster.rows.count("task where state = 'PREPARED'")).isEqualTo(3);

        cluster.freeze("\"all\": true, \"for\": \"2h\", \"reason\": \"the database moves\"");
        work(Duration.ofMinutes(3));

        assertThat(started()).isZero();
        assertThat(cluster.rows.count("live_task where hold = 'FREEZE'")).isEqualTo(4); // three, and the cursor
        assertThat(cluster.rows.one("select distinct hold_reason from live_task"))
                .matches("freeze [0-9]+ by Rowlock until 2026-03-02T12:00:01(.000)?Z: the database moves");
    }

    @Test
    void the_latest_of_a_job_waits_and_the_others_are_one_skipped_row() {
        cluster.put("j", MINUTELY);
        long freeze = cluster.freeze("\"all\": true, \"for\": \"10m\"");
        work(Duration.ofSeconds(599));
        assertThat(started()).isZero();

        work(Duration.ofSeconds(2));

        assertThat(ended()).containsExactly("SKIPPED 10:01 9 10:09", "SUCCEEDED 10:10 1 10:10");
        assertThat(cluster.rows.one("select reason from task_history where outcome = 'SKIPPED'"))
                .startsWith("a later occurrence waited in its place: freeze " + freeze + " by Rowlock until ");
        assertThat(cluster.rows.one(
                        "select concat(cause, ' ', queued_at is not null, ' ', waited_for) from task_history"
                                + " where outcome = 'SUCCEEDED'"))
                .startsWith("SCHEDULE 1 freeze: freeze " + freeze);
        work(Duration.ofMinutes(1));
        assertThat(ended()).last().isEqualTo("SUCCEEDED 10:11 1 10:11");
    }

    @Test
    void what_was_prepared_and_held_is_decided_with_what_came_due_behind_it() {
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\"");
        cluster.round();
        cluster.freeze("\"all\": true, \"for\": \"60s\"");
        work(Duration.ofSeconds(64));

        assertThat(ended().subList(0, 2)).containsExactly("SKIPPED 10:00 5 10:00", "SUCCEEDED 10:01 1 10:01");
    }

    @Test
    void a_skipping_freeze_skips_what_comes_due_under_it() {
        cluster.put("j", MINUTELY);
        long freeze = cluster.freeze("\"all\": true, \"for\": \"3m\", \"then\": \"SKIP\"");
        work(Duration.ofMinutes(4));

        assertThat(ended())
                .containsExactly(
                        "SKIPPED 10:01 1 10:01",
                        "SKIPPED 10:02 1 10:02",
                        "SKIPPED 10:03 1 10:03",
                        "SUCCEEDED 10:04 1 10:04");
        assertThat(cluster.rows.one("select min(reason) from task_history where outcome = 'SKIPPED'"))
                .startsWith("freeze " + freeze + " by Rowlock until ");
    }

    @Test
    void skip_wins_over_hold_but_not_for_what_a_hold_kept_before() {
        cluster.put("j", MINUTELY);
        cluster.freeze("\"all\": true, \"for\": \"10m\"");
        work(Duration.ofSeconds(150));
        cluster.freeze("\"all\": true, \"for\": \"10m\", \"then\": \"SKIP\"");
        work(Duration.ofMinutes(11));

        assertThat(ended())
                .contains("SKIPPED 10:01 1 10:01", "SUCCEEDED 10:02 1 10:02", "SKIPPED 10:03 10 10:12")
                .last()
                .isEqualTo("SUCCEEDED 10:13 1 10:13");
    }

    @Test
    void the_last_to_end_counts() {
        cluster.put("j", MINUTELY);
        cluster.freeze("\"all\": true, \"for\": \"2m\"");
        cluster.freeze("\"namespaces\": [\"default\"], \"for\": \"5m\"");
        work(Duration.ofSeconds(270));
        assertThat(started()).isZero();

        work(Duration.ofSeconds(34));

        assertThat(ended()).containsExactly("SKIPPED 10:01 4 10:04", "SUCCEEDED 10:05 1 10:05");
    }

    @Test
    void a_freeze_that_begins_later_covers_from_then_on() {
        cluster.put("j", MINUTELY);
        cluster.freeze("\"all\": true, \"from\": \"2026-03-02T10:01:30Z\", \"until\": \"2026-03-02T10:03:30Z\"");
        work(Duration.ofSeconds(150));
        assertThat(ended()).containsExactly("SUCCEEDED 10:01 1 10:01");

        work(Duration.ofSeconds(64));

        assertThat(ended()).contains("SKIPPED 10:02 1 10:02", "SUCCEEDED 10:03 1 10:03");
    }

    @Test
    void a_node_that_dies_holding_and_one_that_comes_later_change_nothing() {
        cluster.put("j", "\"schedule\": \"*/20 * * * * *\"");
        cluster.round();
        long freeze = cluster.freeze("\"all\": true, \"for\": \"90s\"");
        work(Duration.ofSeconds(25));
        cluster.crash("a");
        cluster.join("b");
        work(Duration.ofSeconds(50));
        assertThat(started()).isZero();

        work(Duration.ofSeconds(60));

        assertThat(cluster.rows.count(
                        "task_history where outcome = 'SUCCEEDED' and fire_time <= '2026-03-02 10:01:31'"))
                .isEqualTo(1);
        assertThat(cluster.rows.count(
                        "task_history where outcome = 'SKIPPED' and reason like '%freeze " + freeze + "%'"))
                .isPositive();
        assertThat(cluster.rows.count("task_history where outcome = 'MISSED'")).isZero();
    }

    @Test
    void a_node_that_knows_nothing_of_it_cannot_start_what_it_prepared_before() {
        cluster.put("j", "\"schedule\": \"*/20 * * * * *\"");
        cluster.round();
        HandDrivenNode a = cluster.node("a");
        cluster.freeze("\"jobs\": [\"default/j\"], \"for\": \"1h\"");
        assertThat(a.context().freezes().current().areNone()).isTrue();

        cluster.beat(a, Duration.ofSeconds(20));
        a.schedule();

        assertThat(a.processes.started).isEmpty();
        assertThat(a.context().freezes().current().areNone()).isFalse();
        assertThat(cluster.rows.count("task where hold = 'FREEZE' and state = 'IDLE'"))
                .isEqualTo(1);
    }

    @Test
    void jobs_that_are_made_or_labelled_meanwhile_are_covered_as_they_are_now() {
        cluster.freeze("\"labels\": {\"team\": \"ops\"}, \"for\": \"1h\"");
        cluster.put("made", MINUTELY + ", \"labels\": {\"team\": \"ops\"}");
        cluster.put("labelled", MINUTELY);
        cluster.put("other", MINUTELY + ", \"labels\": {\"team\": \"web\"}");
        work(Duration.ofSeconds(90));
        assertThat(succeeded()).containsExactly("labelled", "other");

        cluster.put("labelled", MINUTELY + ", \"labels\": {\"team\": \"ops\"}");
        cluster.put("made", MINUTELY);
        work(Duration.ofSeconds(60));

        assertThat(cluster.rows.count("task_history where job = 'labelled' and outcome = 'SUCCEEDED'"))
                .isEqualTo(1);
        assertThat(cluster.rows.count("task_history where job = 'made' and outcome = 'SUCCEEDED'"))
                .isEqualTo(2); // what it held, and the next
    }

    @Test
    void an_edit_and_a_pause_meanwhile_fire_nothing_of_the_past() {
        cluster.put("edited", MINUTELY);
        cluster.put("paused", MINUTELY);
        cluster.put("gone", MINUTELY);
        long freeze = cluster.freeze("\"all\": true, \"for\": \"1h\"");
        work(Duration.ofSeconds(150));

        cluster.put("edited", "\"schedule\": \"30 * * * * *\"");
        cluster.pause("paused");
        cluster.delete("gone");
        work(Duration.ofSeconds(60));
        cluster.resume("paused");
        cluster.endFreeze(freeze);
        work(Duration.ofSeconds(70));

        assertThat(cluster.rows.count("task_history where outcome = 'SUCCEEDED' and fire_time < '2026-03-02 10:02:31'"))
                .isZero();
        assertThat(cluster.rows.one(
                        "select min(reason) from task_history where job = 'paused' and outcome = 'SKIPPED'"))
                .isEqualTo("the job was paused");
        assertThat(cluster.rows.count("task_history where job = 'gone' and outcome <> 'CANCELLED'"))
                .isZero();
    }

    @Test
    void start_deadline_counts_on_and_its_reason_names_the_freeze() {
        cluster.put("j", "\"schedule\": \"0 * * * *\", \"startDeadline\": \"5m\"");
        cluster.work(Duration.ofMinutes(59), Duration.ofMinutes(1));
        long freeze = cluster.freeze("\"all\": true, \"for\": \"3h\"");
        work(Duration.ofSeconds(65));
        assertThat(cluster.rows.count("live_task where hold = 'FREEZE'")).isEqualTo(1);
        cluster.work(Duration.ofMinutes(6), Duration.ofSeconds(20));

        assertThat(cluster.rows.one("select reason from task_history where outcome = 'MISSED'"))
                .startsWith("its startDeadline of 5m was over: freeze " + freeze + " by Rowlock until ");
        assertThat(started()).isZero();
    }

    @Test
    void a_job_that_queues_keeps_as_many_as_may_wait_and_runs_them_in_order() {
        cluster.put("j", MINUTELY + ", \"overlap\": \"QUEUE\", \"overlapLimit\": 3");
        cluster.freeze("\"all\": true, \"for\": \"5m\"");
        work(Duration.ofSeconds(290));
        assertThat(cluster.rows.count("task where hold = 'FREEZE'")).isEqualTo(3);
        assertThat(ended()).containsExactly("SKIPPED 10:04 1 10:04");

        work(Duration.ofSeconds(20));

        assertThat(cluster.rows.one("select group_concat(minute(fire_time) order by started_at, id) from task_history"
                        + " where outcome = 'SUCCEEDED'"))
                .startsWith("1,2,3");
    }

    @Test
    void a_job_that_may_overlap_keeps_as_many_as_its_limit() {
        cluster.put("j", MINUTELY + ", \"overlap\": \"ALLOW\", \"overlapLimit\": 2");
        cluster.freeze("\"all\": true, \"for\": \"5m\"");
        work(Duration.ofMinutes(4));
        assertThat(cluster.rows.count("task where hold = 'FREEZE'")).isEqualTo(2);

        work(Duration.ofSeconds(70));

        assertThat(cluster.rows.count("task_history where outcome = 'SUCCEEDED' and fire_time < '2026-03-02 10:02:30'"))
                .isEqualTo(2);
    }

    @Test
    void a_retry_waits_under_both_kinds() {
        for (String then : List.of("HOLD", "SKIP")) {
            cluster.put(
                    then.toLowerCase(java.util.Locale.ROOT),
                    "\"schedule\": \"1 10 2 3 *\", \"retry\": {\"max\": 1, \"backoff\": \"10s\"}");
        }
        HandDrivenNode a = cluster.node("a");
        cluster.beat(a, Duration.ofSeconds(60));
        a.schedule();
        assertThat(a.processes.started).hasSize(2);
        cluster.freeze("\"jobs\": [\"default/hold\"], \"for\": \"10m\"");
        cluster.freeze("\"jobs\": [\"default/skip\"], \"for\": \"10m\", \"then\": \"SKIP\"");
        a.processes.end(1);
        a.recorder.runOnce();
        work(Duration.ofMinutes(1));
        assertThat(cluster.rows.count("task where cause = 'RETRY' and hold = 'FREEZE'"))
                .isEqualTo(2);

        work(Duration.ofMinutes(10));

        assertThat(cluster.rows.count("task_history where cause = 'RETRY' and outcome = 'SUCCEEDED'"))
                .isEqualTo(2);
    }

    @Test
    void what_executes_goes_on_and_a_manual_run_runs_and_says_that_there_is_a_freeze() {
        cluster.put("j", MINUTELY);
        HandDrivenNode a = cluster.node("a");
        cluster.beat(a, Duration.ofSeconds(60));
        a.schedule();
        long freeze = cluster.freeze("\"all\": true, \"for\": \"1h\"");
        work(Duration.ofSeconds(70));
        assertThat(ended()).containsExactly("SUCCEEDED 10:01 1 10:01");

        cluster.time.hold();
        Run run = cluster.jobs.run(new JobKey("default", "j"), Overrides.NONE, null);
        work(Duration.ofSeconds(3));

        assertThat(run.warnings())
                .singleElement()
                .asString()
                .startsWith("this run starts although the job is frozen: freeze " + freeze + " by Rowlock");
        assertThat(cluster.rows.one("select outcome from task_history where id = " + run.task()))
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void a_manual_run_of_a_job_that_queues_does_not_wait_behind_what_is_frozen() {
        cluster.put("j", MINUTELY + ", \"overlap\": \"QUEUE\"");
        cluster.freeze("\"all\": true, \"for\": \"1h\"");
        work(Duration.ofSeconds(150));
        cluster.time.hold();
        Run run = cluster.jobs.run(new JobKey("default", "j"), Overrides.NONE, null);
        work(Duration.ofSeconds(3));

        assertThat(cluster.rows.one("select outcome from task_history where id = " + run.task()))
                .isEqualTo("SUCCEEDED");
        assertThat(cluster.rows.count("task where hold = 'FREEZE'")).isEqualTo(2);
    }

    @Test
    void a_broadcast_is_held_as_a_whole_and_expands_on_the_nodes_that_are_alive_at_its_end() {
        cluster.put("j", MINUTELY + ", \"broadcast\": true");
        cluster.freeze("\"all\": true, \"for\": \"3m\"");
        work(Duration.ofSeconds(100));
        cluster.join("b");
        work(Duration.ofSeconds(90));

        assertThat(cluster.rows.count("task_history where outcome = 'SUCCEEDED' and fire_time = '2026-03-02 10:03:00'"))
                .isEqualTo(2);
        assertThat(cluster.rows.one("select occurrences from task_history where outcome = 'SKIPPED'"))
                .isEqualTo("2");
    }

    @Test
    void what_waits_for_its_group_is_held_by_a_freeze_too_and_starts_after_both() {
        cluster.rows.run("insert into job_group (name, slots, created_at, updated_at) values ('g', 0, now(), now())");
        cluster.put("j", MINUTELY + ", \"group\": \"g\"");
        work(Duration.ofSeconds(62));
        assertThat(cluster.rows.count("task where hold = 'GROUP'")).isEqualTo(1);
        long freeze = cluster.freeze("\"all\": true, \"for\": \"1h\"");
        cluster.rows.run("update job_group set slots = 1");
        work(Duration.ofSeconds(10));
        assertThat(cluster.rows.one("select hold from task")).isEqualTo("FREEZE");

        cluster.endFreeze(freeze);
        work(Duration.ofSeconds(4));

        assertThat(ended()).containsExactly("SUCCEEDED 10:01 1 10:01");
    }

    @Test
    void what_nobody_was_there_to_hold_is_held_when_a_node_comes_and_no_misfire() {
        cluster.put("j", MINUTELY);
        cluster.freeze("\"all\": true, \"for\": \"30m\"");
        cluster.crash("a");
        cluster.sleep(Duration.ofMinutes(10));
        cluster.join("b");
        work(Duration.ofSeconds(10));
        assertThat(cluster.rows.count("task_history")).isZero();
        assertThat(cluster.rows.one("select hold from live_task")).isEqualTo("FREEZE");
    }

    @Test
    void nothing_is_held_of_jobs_that_it_does_not_cover() {
        cluster.put("j", MINUTELY);
        cluster.freeze("\"namespaces\": [\"elsewhere\"], \"for\": \"1h\"");
        cluster.freeze("\"jobs\": [\"default/k\"], \"for\": \"1h\"");
        cluster.freeze("\"namespaces\": [\"default\"], \"labels\": {\"a\": \"b\"}, \"for\": \"1h\"");
        work(Duration.ofSeconds(62));
        assertThat(ended()).containsExactly("SUCCEEDED 10:01 1 10:01");
    }

    @Test
    void what_is_not_covered_costs_no_statement_more() {
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\"");
        work(Duration.ofSeconds(30));
        long before = statements(() -> work(Duration.ofSeconds(60)));
        cluster.freeze("\"namespaces\": [\"elsewhere\"], \"for\": \"1h\"");

        long once = statements(() -> work(Duration.ofSeconds(60)));
        long then = statements(() -> work(Duration.ofSeconds(60)));

        // some of what a node does goes by its own clock, but a statement at each start or look would be far more
        assertThat(once).isLessThan(before + 5);
        assertThat(then).isLessThan(before + 5);
    }

    private long statements(Runnable work) {
        long before = sent();
        work.run();
        return sent() - before;
    }

    private long sent() {
        return cluster.nodes().get(0).databases.stream()
                .mapToLong(database -> database.autoCommit(
                        "counting statements",
                        handle -> handle.createQuery("show session status like 'Questions'")
                                .map((row, context) -> row.getLong(2))
                                .one()))
                .sum();
    }

    private long started() {
        return cluster.rows.count("task_history where started_at is not null")
                + cluster.rows.count("task where state = 'EXECUTING'");
    }

    private List<String> succeeded() {
        return texts("select distinct job as text from task_history where outcome = 'SUCCEEDED' order by job");
    }
}
