package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Overrides;
import dev.rowlock.task.rule.Jitter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tasks with policies and tasks without share transactions, and each keeps to what is its own. */
class MixedBatchTest extends NodeByHand {

    private static final String YEARLY = "0 0 1 1 *";

    @Test
    void the_rows_that_are_made_have_the_terms_of_their_own_jobs() {
        String secondly = "* * * * * *";
        create("plain", secondly, "");
        create("placed", secondly, ", \"nodes\": \"!spot\"");
        create("urgent", secondly, ", \"priority\": 5");
        create("late", secondly, ", \"jitter\": \"10s\"");

        a.schedule();

        long jitter = Jitter.offset(new JobKey("default", "late"), Duration.ofSeconds(10))
                .toMillis();
        assertThat(rows.count("live_task where state = 'PREPARED'")).isGreaterThan(40);
        assertThat(rows.all("select distinct concat_ws(' ', j.name, t.priority, t.selector > 0, t.jitter_ms,"
                        + " timestampdiff(microsecond, t.fire_time, t.due_at) div 1000) as terms"
                        + " from live_task t join job j on j.id = t.job_id"))
                .extracting(row -> row.get("terms"))
                .containsExactlyInAnyOrder(
                        "plain 0 0 0 0", "placed 0 1 0 0", "urgent 5 0 0 0", "late 0 0 %1$d %1$d".formatted(jitter));
    }

    @Test
    void each_starts_or_ends_by_what_its_own_row_says() {
        create("busy", YEARLY, "");
        create("plain", YEARLY, "");
        create("late", YEARLY, ", \"startDeadline\": \"1m\"");
        long running = run("busy", "{}");
        a.schedule();
        long skipped = run("busy", "{}");
        long plain = run("plain", "{}");
        long other = run("plain", "{\"command\": \"other\", \"overlap\": \"ALLOW\"}");
        long missed = run("late", "{}");
        rows.run("update live_task set fire_time = fire_time - interval 1 hour where id = " + missed);

        a.schedule();

        assertThat(a.processes.started)
                .extracting(spec -> spec.command().toString())
                .containsExactlyInAnyOrder("true", "true", "other");
        assertThat(rows.all("select concat_ws(' ', id, outcome, superseded_by) as ended from task_history order by id"))
                .extracting(row -> row.get("ended"))
                .containsExactly(skipped + " SKIPPED " + running, missed + " MISSED");

        a.processes.end(0);
        a.recorder.runOnce();
        assertThat(rows.all("select concat_ws(' ', id, overrides is not null) as ended from task_history"
                        + " where outcome = 'SUCCEEDED' order by id"))
                .extracting(row -> row.get("ended"))
                .containsExactly(running + " 0", plain + " 0", other + " 1");
    }

    private void create(String name, String schedule, String fields) {
        jobs.create(PlayedCluster.json(
                "{\"name\": \"%s\", \"schedule\": \"%s\", \"command\": \"true\"%s}".formatted(name, schedule, fields)));
    }

    private long run(String name, String what) {
        return jobs.run(new JobKey("default", name), Overrides.parse(PlayedCluster.json(what)), null)
                .task();
    }
}
