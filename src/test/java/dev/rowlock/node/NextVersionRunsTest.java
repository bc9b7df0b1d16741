package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.definition.JobKey;
import dev.rowlock.report.OverviewQueries;
import dev.rowlock.report.count.StatsQueries;
import dev.rowlock.support.ExplainedHistory;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.rerun.Requests;
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

    private long id(String sql) {
        return Long.parseLong(String.valueOf(cluster.rows.one(sql)));
    }
}
