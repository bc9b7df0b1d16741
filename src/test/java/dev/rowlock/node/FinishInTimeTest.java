package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.report.OverviewQueries;
import dev.rowlock.report.count.FinishPlans;
import dev.rowlock.report.count.FinishPlans.DueFinish;
import dev.rowlock.report.explain.Explanation.FinishFacts;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.task.backfill.BackfillRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Occurrences that are to have succeeded by a time; the clock begins at 20:00:30 UTC. */
class FinishInTimeTest extends AlertsByHand {

    private static final String RULE = "\"when\": [\"NOT_FINISHED_BY\"]";

    @Test
    void one_that_has_not_succeeded_by_then_is_told_once() {
        alerts.rule("r", RULE);
        cluster.put("j", "\"schedule\": \"1 20 * * *\", \"finishBy\": \"2m\"");
        alerts.run(MINUTE, 1);
        alerts.pass(MINUTE);
        alerts.detect();
        assertThat(cluster.rows.count("alert")).isZero();

        alerts.pass(MINUTE);
        alerts.detect();
        alerts.detect();
        assertThat(told()).isEqualTo("NOT_FINISHED_BY 2026-10-24T20:01:00.000Z 2026-10-24T20:03:00.000Z");
    }

    @Test
    void one_that_succeeded_or_declined_in_time_is_not_told() {
        alerts.rule("r", RULE);
        cluster.put("good", "\"schedule\": \"1 20 * * *\", \"finishBy\": \"20:02\"");
        alerts.run(MINUTE, 0);
        cluster.put("declines", "\"schedule\": \"2 20 * * *\", \"finishBy\": \"2m\", \"skipExitCodes\": [75]");
        alerts.run(MINUTE, 75);
        alerts.pass(Duration.ofMinutes(3));
        alerts.detect();
        assertThat(cluster.rows.count("alert")).isZero();
    }

    @Test
    void one_that_executes_beyond_it_and_one_that_succeeded_after_it_are_late() {
        alerts.rule("r", RULE);
        cluster.put("j", "\"schedule\": \"1 20 * * *\", \"finishBy\": \"20:01:30\"");
        cluster.time.advance(MINUTE);
        cluster.node("a").keeper.runOnce();
        cluster.time.hold();
        cluster.node("a").schedule();
        alerts.pass(MINUTE);
        alerts.detect();
        assertThat(cluster.rows.count("alert where kind = 'NOT_FINISHED_BY'")).isEqualTo(1);
    }

    @Test
    void one_that_never_started_is_told_too_and_one_that_somebody_cancelled_is_not() {
        alerts.rule("r", RULE);
        cluster.put("paused", "\"schedule\": \"1 20 * * *\", \"finishBy\": \"1m\"");
        cluster.pause("paused");
        cluster.put("gone", "\"schedule\": \"1 20 * * *\", \"finishBy\": \"1m\"");
        cluster.delete("gone");
        alerts.pass(Duration.ofMinutes(3));
        alerts.detect();
        assertThat(cluster.rows.one("select group_concat(job) from alert")).isEqualTo("paused");
    }

    @Test
    void fire_times_from_before_the_job_and_manual_runs_and_backfills_are_not_asked() {
        alerts.rule("r", RULE);
        cluster.put("j", "\"schedule\": \"0 20 * * *\", \"finishBy\": \"1m\"");
        alerts.pass(Duration.ofMinutes(2));
        alerts.detect();
        assertThat(cluster.rows.count("alert")).as("20:00 was before the job").isZero();

        cluster.time.hold();
        cluster.backfills.request(
                new JobKey("default", "j"),
                BackfillRequest.parse(PlayedCluster.json("{\"from\": \"2026-10-24T20:00:00Z\"}")),
                null);
        cluster.takeTurns();
        alerts.run(MINUTE, 1);
        cluster.time.hold();
        cluster.jobs.run(new JobKey("default", "j"), null);
        alerts.run(MINUTE, 1);
        alerts.pass(Duration.ofMinutes(2));
        alerts.detect();
        assertThat(cluster.rows.count("alert")).isZero();
    }

    @Test
    void one_that_is_likely_to_be_late_is_at_risk_from_twenty_runs_on() {
        alerts.rule("r", "\"when\": [\"AT_RISK\"]");
        cluster.put("j", "\"schedule\": \"5 20 * * *\", \"finishBy\": \"20:08\"");
        cluster.rows.run("insert into job_stats (job_id, samples, p95_ms, streak) select id, 19, 240000, 0 from job");
        alerts.pass(Duration.ofMinutes(5));
        alerts.detect();
        assertThat(cluster.rows.count("alert")).as("nineteen are known").isZero();

        cluster.rows.run("update job_stats set samples = 20, p95_ms = 100000");
        alerts.detect();
        assertThat(cluster.rows.count("alert")).as("it would end at 20:07:10").isZero();

        cluster.rows.run("update job_stats set p95_ms = 240000");
        alerts.detect();
        alerts.detect();
        assertThat(told()).isEqualTo("AT_RISK 2026-10-24T20:05:00.000Z 2026-10-24T20:08:00.000Z");
    }

    @Test
    void of_many_fire_times_within_the_deadline_those_whose_time_is_over_are_told() {
        alerts.rule("r", RULE);
        cluster.put("j", "\"schedule\": \"* * * * * *\", \"finishBy\": \"50m\", \"nodes\": \"nobody=has\"");
        alerts.pass(Duration.ofMinutes(50));
        alerts.detect();
        cluster.time.advance(Duration.ofSeconds(30));
        alerts.detect();
        assertThat(cluster.rows.count("alert where kind = 'NOT_FINISHED_BY'")).isPositive();
    }

    private String told() {
        return cluster.rows.one(
                "select group_concat(concat_ws(' ', kind, json_unquote(json_extract(detail, '$.fireTime')),"
                        + " json_unquote(json_extract(detail, '$.finishBy')))) from alert");
    }

    @Test
    void all_that_one_row_says_a_freeze_skipped_is_excused() {
        alerts.rule("r", RULE);
        cluster.put("j", "\"schedule\": \"* * * * *\", \"finishBy\": \"30s\"");
        cluster.freeze("\"all\": true, \"for\": \"1h\", \"then\": \"SKIP\"");
        cluster.sleep(Duration.ofMinutes(5));
        alerts.run(Duration.ofSeconds(1), 0);
        assertThat(cluster.rows.one("select group_concat(distinct outcome) from task_history"))
                .isEqualTo("SKIPPED");
        assertThat(cluster.rows.count("task_history where occurrences > 2")).isEqualTo(1);

        alerts.detect();

        assertThat(cluster.rows.count("alert")).isZero();
    }

    @Test
    void all_that_one_row_says_was_missed_is_late_for_its_reason() {
        cluster.put("j", "\"schedule\": \"* * * * *\", \"finishBy\": \"30s\", \"misfire\": \"SKIP\"");
        cluster.sleep(Duration.ofMinutes(5));
        alerts.run(Duration.ofSeconds(1), 0);
        cluster.time.hold();
        Instant now = cluster.time.now();

        List<DueFinish> late = alerts.database.autoCommit(
                "looking", handle -> new FinishPlans().due(handle, now.minus(MINUTE.multipliedBy(10)), now, null));

        assertThat(cluster.rows.one("select max(occurrences) from task_history"))
                .isEqualTo("5");
        assertThat(late)
                .hasSize(5)
                .allSatisfy(one -> assertThat(one.end().reason()).contains("misfire SKIP"));
    }

    @Test
    void what_is_far_from_its_deadline_is_not_looked_at_for_a_risk() {
        cluster.put("j", "\"schedule\": \"* * * * * *\", \"finishBy\": \"30m\", \"nodes\": \"nobody=has\"");
        cluster.rows.run("insert into job_stats (job_id, samples, p95_ms, streak) select id, 20, 10000, 0 from job");
        alerts.pass(Duration.ofMinutes(25));
        cluster.time.hold();
        FinishPlans plans = new FinishPlans();
        Instant now = cluster.time.now();

        assertThat(looks(plans, now))
                .as("none ends before five minutes from now")
                .isZero();

        cluster.rows.run("update job_stats set p95_ms = 310000");
        assertThat(looks(plans, now)).isBetween(1, 40);
    }

    private int looks(FinishPlans plans, Instant now) {
        return alerts.database.autoCommit(
                "looking",
                handle -> plans.due(handle, now.minusSeconds(5), now, 20).size());
    }

    @Test
    void the_overview_has_the_margin_of_what_has_not_finished() {
        cluster.put("done", "\"schedule\": \"1 20 * * *\", \"finishBy\": \"20:30\"");
        alerts.run(MINUTE, 0);
        cluster.put("late", "\"schedule\": \"2 20 * * *\", \"finishBy\": \"1m\"");
        cluster.put("soon", "\"schedule\": \"3 20 * * *\", \"finishBy\": \"20:10\"");
        alerts.run(MINUTE, 1);
        alerts.run(MINUTE, 1);
        cluster.rows.run("insert into job_stats (job_id, samples, p95_ms, streak)"
                + " select id, 20, 600000, 0 from job where name = 'soon'");
        alerts.pass(Duration.ofSeconds(30));
        cluster.time.hold();

        List<DueFinish> found = new OverviewQueries(alerts.database).read().unfinished();

        assertThat(found.stream().map(due -> due.key().name() + " " + due.finishBy()))
                .containsExactly("late 2026-10-24T20:03:00Z", "soon 2026-10-24T20:10:00Z");
        assertThat(found.get(0).end().reason()).isEqualTo("exit code 1");
        assertThat(found.get(1).expected(cluster.time.now()))
                .isEqualTo(cluster.time.now().plusSeconds(600));
    }

    @Test
    void explain_has_the_margin_of_each_fire_time_and_none_of_what_a_freeze_skipped() {
        cluster.put("missed", "\"schedule\": \"* * * * *\", \"finishBy\": \"30s\", \"misfire\": \"SKIP\"");
        cluster.put("skipped", "\"schedule\": \"* * * * *\", \"finishBy\": \"30s\"");
        cluster.freeze("\"jobs\": [\"default/skipped\"], \"for\": \"1h\", \"then\": \"SKIP\"");
        cluster.sleep(Duration.ofMinutes(5));
        alerts.run(Duration.ofSeconds(1), 0);
        cluster.time.hold();
        Instant third = Instant.parse("2026-10-24T20:03:00Z");

        assertThat(finish("missed", third))
                .isNotNull()
                .satisfies(finish -> assertThat(finish.by()).isEqualTo(third.plusSeconds(30)));
        assertThat(finish("skipped", third)).isNull();
    }

    private @Nullable FinishFacts finish(String job, Instant at) {
        return ExplainedHistory.explain(alerts.database)
                .at(new JobKey("default", job), at)
                .orElseThrow()
                .finish();
    }
}
