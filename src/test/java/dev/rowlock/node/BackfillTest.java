package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.definition.JobFilter;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.job.backfill.Backfills.BackfillResult;
import dev.rowlock.job.backfill.Backfills.BackfillView;
import dev.rowlock.job.backfill.Backfills.LeftOutCounts;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.Cause;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskFilter.TaskPosition;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.backfill.BackfillRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Past fire times run on request, one after the other: asked for, counted, cancelled, and through deaths and edits. */
class BackfillTest extends BackfillsByHand {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    BackfillTest() {
        super(SERVER);
    }

    @ParameterizedTest
    @CsvSource({
        "OLDEST_FIRST, '08:00 08:15 08:30 08:45'",
        "NEWEST_FIRST, '08:45 08:30 08:15 08:00'",
    })
    void each_fire_time_runs_once_in_order_with_its_nominal_fire_time(String order, String fireTimes) {
        put(QUIET);
        BackfillResult made = ask(HOUR + ", 'order': '" + order + "'");
        assertThat(made.toRun()).isEqualTo(4);

        for (int run = 1; run <= 4; run++) {
            look();
            assertThat(started()).as("one at a time").hasSize(run);
            look();
            assertThat(started()).as("the next waits").hasSize(run);
            end(0);
        }
        look();

        assertThat(started().stream().map(BackfillTest::fireTime)).containsExactly(fireTimes.split(" "));
        assertThat(cluster.rows.one("select group_concat(distinct concat_ws(' ', cause, outcome, origin, attempt,"
                        + " lateness_ms < 60000)) from task_history where cause <> 'SCHEDULE'"))
                .as("late since its turn came")
                .isEqualTo("BACKFILL SUCCEEDED backfill:" + made.id() + " 1 1");
        BackfillView view = view(made);
        assertThat(view.progress().outcomes()).isEqualTo(Map.of("SUCCEEDED", 4));
        assertThat(view.progress().waiting()).isZero();
        assertThat(view.backfill().endedAt()).isNotNull();
    }

    @Test
    void at_most_so_many_execute_at_once_retries_included() {
        put(QUIET + ", 'retry': {'max': 1, 'backoff': '1s'}");
        ask(HOUR + ", 'parallel': 2");

        look();
        assertThat(started()).hasSize(2);
        end(1); // both: each is tried again
        look();
        pass(Duration.ofSeconds(2));

        assertThat(started()).as("two more, and the retries wait for them").hasSize(4);
        end(0);
        pass(Duration.ofSeconds(6));
        assertThat(started()).hasSize(6);
        end(0);
        assertThat(cluster.rows.one("select group_concat(concat(cause, ' ', outcome) order by fire_time, attempt)"
                        + " from task_history where origin like 'backfill:%'"))
                .isEqualTo("BACKFILL FAILED,RETRY SUCCEEDED,BACKFILL FAILED,RETRY SUCCEEDED,"
                        + "BACKFILL SUCCEEDED,BACKFILL SUCCEEDED");
    }

    @Test
    void one_that_failed_does_not_stop_the_rest() {
        put(QUIET);
        BackfillResult made = ask(HOUR);
        for (int code : List.of(1, 0, 1, 0)) {
            look();
            end(code);
        }
        assertThat(view(made).progress().outcomes()).isEqualTo(Map.of("SUCCEEDED", 2, "FAILED", 2));
    }

    @Test
    void what_succeeded_declined_or_is_live_is_left_out_unless_all_are_asked_for() {
        put("'schedule': '* * * * *', 'skipExitCodes': [75]");
        String period = "'from': '2026-03-02T10:01:00Z', 'until': '2026-03-02T10:04:30Z'";
        for (int code : List.of(0, 75, 1)) {
            pass(MINUTE);
            end(code);
        }
        pass(MINUTE.plusSeconds(30)); // the fourth executes

        BackfillResult some = ask(period + ", 'dryRun': true");
        BackfillResult all = ask(period + ", 'dryRun': true, 'only': 'ALL'");

        assertThat(some).isEqualTo(new BackfillResult(null, true, 4, 1, new LeftOutCounts(1, 1, 1)));
        assertThat(all).isEqualTo(new BackfillResult(null, true, 4, 4, new LeftOutCounts(0, 0, 0)));
        assertThat(cluster.rows.count("backfill")).isZero();
        BackfillResult made = ask(period);
        assertThat(cluster.rows.one(
                        "select group_concat(fire_time) from backfill_time where backfill_id = " + made.id()))
                .startsWith("2026-03-02 10:03:00");
        assertThat(ask(period).leftOut())
                .as("what waits in another backfill is live, too")
                .isEqualTo(new LeftOutCounts(2, 1, 1));
        end(0);
        cancel(made);
    }

    @Test
    void what_waits_is_listed_with_what_had_its_turn_and_cannot_be_stopped_alone() {
        put(QUIET + ", 'labels': {'team': 'ops'}");
        BackfillResult made = ask(HOUR);
        look();
        assertThat(started()).hasSize(1);

        List<TaskView> all = listed(null, "ops", null);

        assertThat(all.stream().map(task -> task.fireTime().toString().substring(11, 16) + " " + task.state()))
                .containsExactly("08:45 IDLE", "08:30 IDLE", "08:15 IDLE", "08:00 EXECUTING");
        assertThat(all.get(0).holdReason()).isEqualTo("its turn in backfill " + made.id() + " has not come");
        assertThat(all.get(0).cause()).isEqualTo("BACKFILL");
        assertThat(listed(null, "ops", all.get(1).position())).isEqualTo(all.subList(2, 4));
        assertThat(listed("EXECUTING", "ops", null)).isEqualTo(all.subList(3, 4));
        assertThat(listed("IDLE", "web", null)).isEmpty();
        long last = all.get(0).id();
        assertThat(cluster.tasks.get(last)).isEqualTo(all.get(0));
        assertThatThrownBy(() -> cluster.tasks.kill(last))
                .hasMessage("task " + last + " cannot be stopped alone: its turn in backfill " + made.id()
                        + " has not come; DELETE /backfills/" + made.id() + " cancels all that waits there");
        assertThat(cluster.explain().task(last).orElseThrow().summary())
                .contains("is waiting (OVERLAP): its turn in backfill " + made.id() + " has not come.");

        cancel(made);
        assertThat(cluster.tasks.get(last).outcome()).isEqualTo("CANCELLED");
        assertThat(listed("IDLE", "ops", null)).isEmpty();
        end(0);
    }

    private List<TaskView> listed(@Nullable String state, String team, @Nullable TaskPosition after) {
        cluster.time.hold();
        return cluster.tasks
                .list(new TaskFilter(
                        null,
                        null,
                        state,
                        null,
                        null,
                        null,
                        null,
                        after,
                        10,
                        false,
                        false,
                        Cause.BACKFILL,
                        null,
                        List.of(new JobFilter.Label("team", team))))
                .tasks();
    }

    @Test
    void a_cancelled_one_ends_what_waits_and_lets_go_on_what_executes() {
        put(QUIET);
        BackfillResult made = ask(HOUR);
        look();

        BackfillView cancelled = cancel(made);

        assertThat(cancelled.progress().outcomes()).isEqualTo(Map.of("CANCELLED", 3));
        assertThat(cancelled.progress().executing()).isEqualTo(1);
        end(0);
        look();
        assertThat(started()).hasSize(1);
        assertThat(view(made).progress().outcomes()).isEqualTo(Map.of("CANCELLED", 3, "SUCCEEDED", 1));
        assertThat(cluster.rows.one("select distinct reason from task_history where outcome = 'CANCELLED'"))
                .isEqualTo("backfill " + made.id() + " was cancelled");
        assertThat(cancel(made).progress().outcomes()).as("again").isEqualTo(Map.of("CANCELLED", 3, "SUCCEEDED", 1));
    }

    @Test
    void one_that_is_cancelled_before_its_task_has_started_starts_none() {
        put(QUIET);
        BackfillResult made = ask(HOUR);
        cluster.takeTurns();
        cancel(made);
        schedule();
        assertThat(started()).isEmpty();
        assertThat(view(made).progress().outcomes()).isEqualTo(Map.of("CANCELLED", 4));
        assertThat(cluster.rows.count("task where cause = 'BACKFILL'")).isZero();
    }

    @Test
    void one_all_of_whose_fire_times_are_made_can_be_cancelled_too() {
        put(QUIET + ", 'retry': {'max': 3, 'backoff': '1h'}");
        BackfillResult made = ask(HOUR + ", 'parallel': 9");
        look();
        end(1);
        assertThat(view(made).backfill().endedAt()).isNotNull();

        BackfillView cancelled = cancel(made);

        assertThat(cancelled.backfill().cancelledAt()).isNotNull();
        assertThat(cancelled.progress().live()).isZero();
        assertThat(cancelled.progress().outcomes()).isEqualTo(Map.of("CANCELLED", 4));
    }

    @Test
    void an_edit_in_the_middle_counts_for_what_starts_after_it() {
        put(QUIET);
        ask(HOUR);
        look();
        end(0);
        cluster.takeTurns();
        cluster.command("j", "echo edited");
        look();
        assertThat(started().get(1).command().toString()).contains("edited");
        end(0);
        look();
        end(0);
        assertThat(cluster.rows.one("select group_concat(job_version order by fire_time) from task_history"
                        + " where cause = 'BACKFILL'"))
                .isEqualTo("1,2,2");
    }

    @Test
    void a_node_that_dies_in_the_middle_leaves_the_rest_to_another() {
        put(QUIET);
        BackfillResult made = ask(HOUR);
        look();
        cluster.join("b");
        String dead = cluster.node("a").session();
        cluster.crash("a");
        cluster.time.hold();
        long beat = Long.parseLong(cluster.rows.one("select beat from session where id = '" + dead + "'"));
        HandDrivenNode b = cluster.node("b");
        assertThat(b.sessions.expire(b.session(), dead, beat, "gone")).isTrue();
        for (int second = 0; second < 60; second++) {
            cluster.work(Duration.ofSeconds(1), Duration.ofSeconds(1));
            cluster.takeTurns();
        }
        assertThat(view(made).progress().outcomes()).isEqualTo(Map.of("SUCCEEDED", 4));
        assertThat(cluster.rows.count("task_history where origin like 'backfill:%' and outcome = 'LOST'"))
                .isEqualTo(1);
    }

    @Test
    void a_deleted_job_ends_what_waits_as_rows_of_history() {
        put(QUIET);
        BackfillResult made = ask(HOUR);
        cluster.delete("j");
        cluster.takeTurns();
        assertThat(cluster.rows.one("select group_concat(distinct concat(outcome, ': ', reason)) from task_history"
                        + " where cause = 'BACKFILL'"))
                .isEqualTo("CANCELLED: the job was deleted");
        assertThat(view(made).backfill().endedAt()).isNotNull();
    }

    @Test
    void the_same_key_makes_one_backfill() {
        put(QUIET);
        BackfillRequest asked = request(HOUR);
        cluster.time.hold();
        BackfillResult first = cluster.backfills.request(JOB, asked, "k");
        BackfillResult again = cluster.backfills.request(JOB, asked, "k");
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.toRun()).isEqualTo(first.toRun()).isEqualTo(4);
        assertThat(cluster.rows.count("backfill")).isEqualTo(1);
        assertThatThrownBy(() -> cluster.backfills.request(JOB, request(HOUR + ", 'parallel': 2"), "k"))
                .isInstanceOf(InvalidDefinition.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            * * * * * *  | 'from': '2026-03-01T00:00:00Z', 'until': '2026-03-02T00:00:00Z' | 86400 fire times
            */15 * * * * | 'from': '2026-03-01T00:00:00Z', 'until': '2026-03-02T11:00:00Z' | not lie after now
            */15 * * * * | 'from': '2026-03-01T00:00:00Z', 'until': '2026-03-01T00:00:00Z' | must lie after from
            */15 * * * * | 'until': '2026-03-01T00:00:00Z'                                 | from
            */15 * * * * | 'from': '2026-03-02T11:00:00Z'                                  | from
            @manual      | 'from': '2026-03-01T00:00:00Z', 'until': '2026-03-02T00:00:00Z' | @manual
            """)
    void what_makes_no_sense_is_refused(String schedule, String asked, String reason) {
        put("'schedule': '" + schedule + "'");
        assertThatThrownBy(() -> ask(asked)).hasMessageContaining(reason);
        assertThat(cluster.rows.count("backfill")).isZero();
        cluster.delete("j");
    }
}
