package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.store.Evaluation;
import dev.rowlock.alert.store.RuleStore;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobKey;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.support.Numbers;
import dev.rowlock.task.JobFacts;
import dev.rowlock.task.TaskView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run whose exit code says that it declined. */
class DeclinedTest extends AlertsByHand {

    private static final int DECLINED = 75;
    private static final String DECLINES = ", \"skipExitCodes\": [75]";

    @Test
    void it_is_skipped_and_its_row_keeps_node_times_exit_code_and_reason() {
        job("j", DECLINES);

        alerts.run(MINUTE, DECLINED);

        assertThat(cluster.rows.one("select concat_ws(' ', outcome, node, exit_code, duration_ms is not null,"
                        + " started_at is not null, reason) from task_history"))
                .isEqualTo("SKIPPED a 75 1 1 the command declined (exit code 75)");
        assertThat(cluster.rows.count("v_missed")).isZero();
        assertThat(cluster.rows.count("v_job_health")).isZero();
    }

    @Test
    void another_exit_code_is_a_failure() {
        job("j", DECLINES);

        alerts.run(MINUTE, 74);

        assertThat(cluster.rows.one("select outcome from task_history")).isEqualTo("FAILED");
    }

    @Test
    void it_is_not_tried_again() {
        job("j", DECLINES + ", \"retry\": {\"max\": 3}");

        alerts.run(MINUTE, DECLINED);

        assertThat(cluster.rows.count("live_task where cause = 'RETRY'")).isZero();
    }

    @Test
    void streak_and_last_task_are_as_before() {
        job("j", DECLINES);
        alerts.run(MINUTE, 1);
        alerts.count();
        String before = lastTask();
        Long failed = shown().lastTask().map(TaskView::id).orElseThrow();

        alerts.run(MINUTE, DECLINED);
        alerts.run(MINUTE, DECLINED);
        alerts.count();

        assertThat(before).startsWith("FAILED 1 ");
        assertThat(lastTask()).isEqualTo(before);
        assertThat(shown().lastTask().map(TaskView::id)).contains(failed);
        assertThat(shown().skippedSince()).isEmpty();
        assertThat(cluster.rows.count("v_missed")).isZero();
    }

    @Test
    void a_job_that_has_only_declined_has_run() {
        job("j", DECLINES);
        job("other");
        cluster.pause("other");
        alerts.run(MINUTE, DECLINED);
        alerts.count();

        JobFilter neverRan = new JobFilter(null, null, "NEVER_RAN", List.of(), null, 10);
        assertThat(new JobQueries(alerts.database)
                        .page(neverRan).jobs().keySet().stream()
                                .map(found -> found.key().name()))
                .containsExactly("other");
        assertThat(shown().lastTask()).isEmpty();
    }

    /** What is read back of history is bounded; what was counted is not. */
    @Test
    void the_last_task_is_found_behind_ten_thousand_runs_that_declined() {
        job("j", DECLINES);
        alerts.run(MINUTE, 1);
        alerts.count();
        decline(10_001);

        assertThat(shown().lastTask().map(TaskView::outcome)).contains("FAILED");
    }

    @Test
    void failures_in_a_row_are_looked_for_in_so_many_rows_of_history_however_often_it_declined_between() {
        job("j", DECLINES);
        alerts.rule("r", "\"when\": [\"FAILED_IN_A_ROW\"], \"times\": 2");
        alerts.run(MINUTE, 1);
        cluster.rows.run("update task_history set fire_time = fire_time - interval 1 day");
        decline(15_000);
        alerts.detect();

        alerts.run(MINUTE, 1);
        alerts.count();
        RuleBook book = new RuleStore(alerts.database).book(RuleBook.NONE);
        cluster.time.hold();
        long read =
                ReadCounter.rowsReadOnceBy(alerts.database, () -> new Evaluation(alerts.database).history(book, 100));

        assertThat(read).isBetween(10_000L, 13_000L);
        assertThat(openAlerts()).as("the failure before is too far away").isNull();
        alerts.run(MINUTE, 1);
        alerts.detect();
        assertThat(openAlerts()).isEqualTo("FAILED_IN_A_ROW");
    }

    @Test
    void no_alert_is_raised_and_one_that_is_open_stays_until_a_run_succeeds() {
        job("j", DECLINES);
        alerts.rule("r", "\"when\": [\"FAILED\", \"FAILED_IN_A_ROW\", \"TOO_LONG\"], \"times\": 2, \"p95Factor\": 2");
        alerts.run(MINUTE, DECLINED);
        alerts.detect();
        assertThat(cluster.rows.count("alert")).isZero();

        alerts.rule("r", "\"when\": [\"FAILED\", \"FAILED_IN_A_ROW\"], \"times\": 2");
        alerts.run(MINUTE, 1);
        alerts.run(MINUTE, DECLINED);
        alerts.detect();
        assertThat(openAlerts()).isEqualTo("FAILED");

        alerts.run(MINUTE, 1);
        alerts.detect();
        assertThat(openAlerts()).isEqualTo("FAILED,FAILED_IN_A_ROW");

        alerts.run(MINUTE, 0);
        alerts.detect();
        assertThat(openAlerts()).isNull();
    }

    @Test
    void a_retry_that_declines_ends_its_occurrence_and_raises_nothing() {
        cluster.put("j", "\"schedule\": \"1 20 * * *\", \"retry\": {\"max\": 3, \"backoff\": \"1s\"}" + DECLINES);
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 1);
        alerts.run(Duration.ofSeconds(10), DECLINED);
        alerts.detect();

        assertThat(cluster.rows.one("select group_concat(concat(cause, ' ', outcome) order by id) from task_history"))
                .isEqualTo("SCHEDULE FAILED,RETRY SKIPPED");
        assertThat(cluster.rows.count("live_task where cause = 'RETRY'")).isZero();
        assertThat(cluster.rows.count("alert")).isZero();
    }

    @Test
    void it_counts_for_max_runs() {
        job("j", DECLINES + ", \"maxRuns\": 1");

        alerts.run(MINUTE, DECLINED);
        alerts.run(MINUTE, 0);

        assertThat(cluster.rows.count("task_history")).isEqualTo(1);
    }

    private void decline(int times) {
        cluster.rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt,"
                        + " cause, outcome, started_at, ended_at, last_fire_time)"
                        + " select 1000000 + n, j.id, j.namespace, j.name, 1, at, '', 1,"
                        + " 'SCHEDULE', 'SKIPPED', at, at, at"
                        + " from job j join (select n, timestamp '2026-10-24 10:10:00' + interval n second as at from "
                        + Numbers.upTo(times) + ") declined");
    }

    private JobFacts shown() {
        return cluster.jobs.get(new JobKey("default", "j")).facts();
    }

    private String lastTask() {
        return cluster.rows.one("select concat_ws(' ', last_outcome, streak, last_task) from job_stats");
    }

    private String openAlerts() {
        return cluster.rows.one("select group_concat(kind order by kind) from alert where closed_at is null");
    }
}
