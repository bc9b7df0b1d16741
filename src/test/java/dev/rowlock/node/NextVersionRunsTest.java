package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Overlap;
import dev.rowlock.report.OverviewQueries;
import dev.rowlock.report.count.StatsQueries;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.backfill.BackfillRequest;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.rerun.Requests;
import dev.rowlock.task.rerun.Requests.RequestKind;
import dev.rowlock.task.rerun.Requests.TaskRequest;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Runs that a node of the next version has recorded, or is to run, with causes and outcomes that this one has not. */
class NextVersionRunsTest extends AlertsByHand {

    private static final JobKey KEY = new JobKey("default", "j");

    @Test
    void are_shown_as_they_are_and_hold_up_nothing() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 3);
        NextVersionTest.alter(cluster.rows);
        long drowned = id("select max(id) from task_history");
        cluster.rows.run("update task_history set cause = 'RAIN', outcome = 'DROWNED' where id = " + drowned);
        cluster.rows.run(
                "insert into task (job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, state,"
                        + " needs) select job_id, job_version, stripe, fire_time, 'rain:1', 1, 'RAIN', due_at, 'IDLE', 99"
                        + " from live_task where cursor_of is not null");
        long raining = id("select id from live_task where cause = 'RAIN'");

        alerts.run(MINUTE, 3);
        alerts.tell();

        assertThat(alerts.receiver.subjects()).containsExactly("default/j failed with exit code 3");
        assertThat(cluster.rows.one("select state from live_task where id = " + raining))
                .isEqualTo("IDLE");
        Database database = cluster.nodes().get(0).databases.get(0);
        TaskQueries tasks = new TaskQueries(database);
        TaskView ended = tasks.find(drowned).orElseThrow();
        assertThat(ended.outcome()).isEqualTo("DROWNED");
        assertThat(ended.cause()).isEqualTo("RAIN");
        assertThat(tasks.find(raining).orElseThrow().cause()).isEqualTo("RAIN");
        assertThat(new StatsQueries(database)
                        .of(id("select id from job"), 1)
                        .now()
                        .orElseThrow()
                        .streak())
                .as("neither a success nor a failure")
                .isEqualTo(1);
        assertThat(new OverviewQueries(database).read()).isNotNull();
        assertThat(ExplainedHistory.explain(database)
                        .task(drowned)
                        .orElseThrow()
                        .summary())
                .contains("DROWNED");
        assertThat(ExplainedHistory.explain(database).at(KEY, null)).isPresent();
    }

    /** Another node knows what such an alert is about, and says it better. */
    @Test
    void a_message_with_alerts_of_another_condition_is_left_to_others_for_five_minutes() {
        job("j");
        job("k");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 3);
        alerts.detect();
        cluster.rows.run("update alert set kind = 'FLOODED' where job = 'k'");
        assertThat(cluster.rows.count("alert_part")).isEqualTo(2);

        alerts.tell();
        assertThat(alerts.receiver.subjects()).isEmpty();

        alerts.pass(MINUTE.multipliedBy(5));
        alerts.send();
        assertThat(alerts.receiver.subjects()).containsExactly("2 failed: default/j, …");
    }

    @Test
    void a_message_of_nothing_else_is_left_to_others_and_holds_up_none() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 3);
        alerts.detect();
        cluster.rows.run("update alert set kind = 'FLOODED'");
        alerts.pass(MINUTE.multipliedBy(6));
        alerts.send();
        assertThat(alerts.receiver.subjects()).isEmpty();

        alerts.run(MINUTE, 4);
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("default/j failed with exit code 4");
    }

    @Test
    void a_rerun_of_another_outcome_is_answered() {
        job("j");
        alerts.run(MINUTE, 3);
        NextVersionTest.alter(cluster.rows);
        long drowned = id("select max(id) from task_history");
        cluster.rows.run("update task_history set outcome = 'DROWNED' where id = " + drowned);
        cluster.time.hold();

        assertThat(cluster.reruns
                        .rerun(RerunRequest.parse(PlayedCluster.json("{\"task\": " + drowned + "}")), null)
                        .created())
                .hasSize(1);
    }

    @Test
    void another_request_to_a_node_hides_no_kill() {
        String session = cluster.node("a").session();
        for (String kind : List.of("DANCE", "KILL")) {
            cluster.rows.run("insert into task_request (session_id, launch_id, kind, requested_at) values ('" + session
                    + "', 's-1', '" + kind + "', utc_timestamp(3))");
        }
        assertThat(new Requests(alerts.database).of(session))
                .extracting(TaskRequest::kind)
                .containsExactly(RequestKind.KILL);
    }

    @Test
    void a_backfill_in_another_order_is_shown_and_goes_on() {
        job("j");
        cluster.time.hold();
        long id = Objects.requireNonNull(cluster.backfills
                .request(
                        KEY,
                        BackfillRequest.parse(PlayedCluster.json(
                                "{\"from\": \"2026-10-24T18:00:00Z\", \"until\": \"2026-10-24T18:03:00Z\"}")),
                        null)
                .id());
        cluster.rows.run("alter table backfill modify column run_order enum('OLDEST_FIRST', 'NEWEST_FIRST', 'SHUFFLED')"
                + " character set ascii collate ascii_bin not null");
        cluster.rows.run("update backfill set run_order = 'SHUFFLED'");

        assertThat(cluster.backfills.get(id).progress().waiting()).isEqualTo(3);
        assertThat(cluster.takeTurns()).isEqualTo(1);
    }

    @Test
    void a_freeze_of_another_effect_holds() {
        job("j");
        cluster.freeze("\"all\": true, \"for\": \"1h\"");
        cluster.rows.run("alter table freeze modify column effect enum('HOLD', 'SKIP', 'MELT') character set ascii"
                + " collate ascii_bin not null");
        cluster.rows.run("update freeze set effect = 'MELT'");

        cluster.work(MINUTE.multipliedBy(2), MINUTE.dividedBy(6));

        assertThat(cluster.rows.one("select hold from live_task")).isEqualTo("FREEZE");
        assertThat(cluster.rows.count("task_history where started_at is not null"))
                .isZero();
    }

    @Test
    void another_overlap_counts_as_the_default_where_a_task_waits_behind_a_retry() {
        assertThat(List.of("SIDEWAYS", "null", "QUEUE"))
                .extracting(Overlap::read)
                .containsExactly(Overlap.SKIP, Overlap.SKIP, Overlap.QUEUE);
    }

    private long id(String sql) {
        return Long.parseLong(String.valueOf(cluster.rows.one(sql)));
    }
}
