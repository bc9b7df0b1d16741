package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.job.backfill.Backfills.BackfillResult;
import dev.rowlock.job.backfill.Backfills.LeftOutCounts;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.backfill.BackfillRequest;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What waits of a backfill stands behind all else that its job does, and behind pauses and groups. */
class BackfillBesideTest extends BackfillsByHand {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    BackfillBesideTest() {
        super(SERVER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SKIP", "QUEUE", "REPLACE"})
    void an_occurrence_that_comes_due_waits_for_the_end_and_goes_before_the_next(String overlap) {
        put("'schedule': '1 10 * * *', 'overlap': '" + overlap + "'");
        BackfillResult made = ask("'from': '2026-02-20T00:00:00Z', 'until': '2026-02-23T00:00:00Z'");
        assertThat(made.toRun()).isEqualTo(3);
        look();
        assertThat(started()).hasSize(1);

        pass(MINUTE);
        assertThat(cluster.rows.one("select concat_ws(' ', state, hold) from task where cause = 'SCHEDULE'"))
                .isEqualTo("IDLE OVERLAP");
        assertThat(started()).as("neither skips nor kills the other").hasSize(1);
        assertThat(cluster.rows.count("task_request")).isZero();

        end(0);
        schedule();
        assertThat(started()).hasSize(2);
        assertThat(fireTime(started().get(1))).isEqualTo("10:01");
        look();
        assertThat(started()).as("the rest of the backfill waits for it").hasSize(2);
        end(0);
        look();
        assertThat(started()).hasSize(3);
        end(0);
        assertThat(cluster.rows.one("select group_concat(distinct outcome) from task_history"))
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void both_run_beside_each_other_where_the_job_allows_overlap() {
        put("'schedule': '1 10 * * *', 'overlap': 'ALLOW', 'overlapLimit': 1");
        ask("'from': '2026-02-20T00:00:00Z', 'until': '2026-02-23T00:00:00Z'");
        look();
        pass(MINUTE);
        assertThat(started()).hasSize(2);
        end(0);
        look();
        assertThat(started()).hasSize(3);
        end(0);
    }

    @Test
    void it_stands_behind_what_executes_or_waits_to() {
        put("'schedule': '1 10 * * *'");
        pass(MINUTE);
        assertThat(started()).hasSize(1);
        ask("'from': '2026-02-20T00:00:00Z', 'until': '2026-02-23T00:00:00Z'");

        look();
        assertThat(started()).hasSize(1);
        assertThat(cluster.rows.count("task where cause = 'BACKFILL'"))
                .as("what waits is no task yet")
                .isZero();
        end(0);
        look();
        assertThat(started()).hasSize(2);
        end(0);
    }

    @Test
    void those_that_are_stuck_do_not_hide_the_others() {
        cluster.put("stuck", "\"schedule\": \"5 0 10 * * *\"");
        pass(Duration.ofSeconds(5));
        assertThat(started()).hasSize(1);
        BackfillRequest yesterday = request("'from': '2026-03-01T00:00:00Z', 'only': 'ALL'");
        for (int i = 0; i < 120; i++) {
            cluster.time.hold();
            assertThat(cluster.backfills
                            .request(new JobKey("default", "stuck"), yesterday, null)
                            .id())
                    .isNotNull();
        }
        put(QUIET);
        ask(HOUR);

        for (int i = 0; i < 3; i++) {
            look();
        }

        assertThat(started()).hasSize(2);
        cluster.delete("stuck");
        while (cluster.rows.count("backfill where ended_at is null") > 0) {
            end(0);
            look();
        }
        end(0);
    }

    @Test
    void its_own_ends_are_told_and_for_those_of_others_a_node_looks_every_two_seconds() {
        put(QUIET);
        cluster.put("other", "\"schedule\": \"5 0 10 * * *\"");
        ask(HOUR);
        HandDrivenNode a = cluster.node("a");
        int[] told = new int[1];
        a.context().signals().listen(Signal.TURN_ENDED, () -> told[0]++);
        pass(Duration.ofSeconds(5));
        assertThat(started()).hasSize(2);
        assertThat(a.waits.runOnce().rest()).isEqualTo(Duration.ofSeconds(2));

        a.processes.of("default/other").forEach(launch -> a.processes.end(launch, 0));
        a.recorder.runOnce();
        assertThat(told[0]).isZero();
        end(0);
        assertThat(told[0]).isEqualTo(1);
        a.waits.runOnce();
        schedule();
        assertThat(started()).as("the next").hasSize(3);
        end(0);
    }

    @Test
    void misfires_and_the_start_deadline_do_not_apply() {
        put(QUIET + ", 'startDeadline': '1m', 'misfire': 'SKIP'");
        ask(HOUR);
        look();
        assertThat(started()).hasSize(1);
        end(0);
    }

    @Test
    void a_pause_holds_it_and_a_resume_lets_it_go_on() {
        put(QUIET);
        BackfillResult made = ask(HOUR);
        cluster.pause("j");
        look();
        assertThat(started()).isEmpty();
        assertThat(view(made).progress().paused()).isTrue();

        cluster.resume("j");
        look();
        assertThat(started()).hasSize(1);
        end(0);
    }

    @Test
    void a_task_that_was_made_before_the_pause_does_not_start() {
        put(QUIET);
        ask(HOUR);
        cluster.takeTurns();
        cluster.pause("j");
        schedule();
        assertThat(started()).isEmpty();
        assertThat(cluster.rows.one("select hold from task where cause = 'BACKFILL'"))
                .isEqualTo("PAUSE");
        cluster.resume("j");
        schedule();
        assertThat(started()).hasSize(1);
        end(0);
    }

    @Test
    void it_moves_neither_streak_nor_last_task_nor_lateness_nor_max_runs() throws IOException {
        put("'schedule': '*/15 10-11 * * *', 'maxRuns': 5");
        pass(Duration.ofMinutes(15), Duration.ofSeconds(5));
        end(0);
        count();
        String before = stats();
        Object last = cluster.job("j").facts().lastTask();

        ask("'from': '2026-03-01T10:00:00Z', 'until': '2026-03-01T11:00:00Z'");
        for (int run = 0; run < 4; run++) {
            look();
            end(1);
        }
        count();

        assertThat(cluster.rows.count("task_history where cause = 'BACKFILL'")).isEqualTo(4);
        assertThat(stats()).isEqualTo(before);
        assertThat(cluster.job("j").facts().lastTask()).isEqualTo(last);
        assertThat(cluster.rows.one("select runs from job_run")).isEqualTo("1");
        assertThat(cluster.rows.one("select concat_ws(' ', runs, streak) from v_job_health"))
                .isEqualTo("1 1");
    }

    @Test
    void what_the_schedule_still_owes_is_left_to_it() {
        put("'schedule': '1 10 * * *'");
        cluster.pause("j");
        pass(MINUTE.multipliedBy(2));
        BackfillResult asked = ask("'from': '2026-03-02T10:00:30Z', 'until': '2026-03-02T10:01:30Z'");
        assertThat(asked.id()).isNull();
        assertThat(asked.leftOut()).isEqualTo(new LeftOutCounts(1, 0, 0));
    }

    @Test
    void a_broadcast_expands_on_the_nodes_that_are_alive_then() {
        cluster.join("b");
        put(QUIET + ", 'broadcast': true");
        BackfillResult made = ask("'from': '2026-03-02T08:00:00Z', 'until': '2026-03-02T08:30:00Z'");
        for (int step = 0; step < 8; step++) {
            cluster.takeTurns();
            cluster.work(Duration.ofSeconds(10), Duration.ofSeconds(5));
        }
        assertThat(cluster.rows.one("select group_concat(concat(origin, ' ', outcome) order by fire_time, origin)"
                        + " from task_history where cause = 'BACKFILL'"))
                .isEqualTo(("backfill:# EXPANDED,node:a#+# SUCCEEDED,node:b#+# SUCCEEDED,"
                                + "backfill:# EXPANDED,node:a#+# SUCCEEDED,node:b#+# SUCCEEDED")
                        .replace("+#", "+" + made.id())
                        .replace(":#", ":" + made.id()));
    }

    @Test
    void a_full_group_and_a_job_in_it_count_for_a_backfill_too() {
        cluster.rows.run("insert into job_group (name, slots, created_at, updated_at)"
                + " values ('g', 0, utc_timestamp(3), utc_timestamp(3))");
        put(QUIET + ", 'group': 'g'");
        ask(HOUR + ", 'parallel': 2");
        look();
        assertThat(started()).isEmpty();
        assertThat(cluster.rows.one("select group_concat(distinct concat_ws(' ', hold, priority)) from task"
                        + " where cause = 'BACKFILL'"))
                .isEqualTo("GROUP -50");
        pass(Duration.ofSeconds(5));
        assertThat(cluster.rows.count("task where cause = 'BACKFILL'"))
                .as("what is held is under way")
                .isEqualTo(2);
        cluster.rows.run("delete from job_group");
    }
}
