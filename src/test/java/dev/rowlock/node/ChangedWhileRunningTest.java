package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.transition.Release;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What follows a run goes by its job as it is by then. */
class ChangedWhileRunningTest extends NodeByHand {

    private static final String TERMS =
            "select concat(t.cause, ' ', coalesce(s.expression, 'anywhere'), ' ', t.priority,"
                    + " ' ', coalesce(t.group_name, 'alone')) from live_task t left join selector s on s.id = t.selector"
                    + " where t.cause in ('RETRY', 'RECOVERY')";

    @Test
    void a_retry_does_not_run_where_the_job_may_no_longer_run() {
        start("");

        jobs.patch(KEY, change("nodes", "disk=ssd"), ANY);
        fail();
        dueNow();

        assertThat(rows.one(TERMS)).isEqualTo("RETRY disk=ssd 0 alone");
        assertThat(a.processes.started).hasSize(1);
    }

    @Test
    void a_retry_has_the_priority_and_the_group_of_the_job_as_it_is_and_takes_a_slot_of_it() {
        new Groups(new GroupStore(database), new TaskQueries(database), () -> {}).put("g", new GroupDefinition(1, ""));
        start(", \"priority\": 3");

        jobs.patch(KEY, change("group", "g").put("priority", 7), ANY);
        fail();
        assertThat(rows.one(TERMS)).isEqualTo("RETRY anywhere 7 g");
        dueNow();

        assertThat(a.processes.started).hasSize(2);
        assertThat(rows.count("group_slot where group_name = 'g'")).isEqualTo(1);
        a.processes.end(0);
        a.recorder.runOnce();
        assertThat(rows.count("group_slot")).isZero();
    }

    @Test
    void what_is_lost_is_made_up_for_where_the_job_may_run_now() {
        HandDrivenNode b = playground.joined("b", playground.address());
        create("");
        jobs.run(KEY, null);
        b.schedule();
        jobs.patch(KEY, change("nodes", "disk=ssd"), ANY);

        long beat = Long.parseLong(
                Objects.requireNonNull(rows.one("select beat from session where id = '" + b.session() + "'")));
        assertThat(a.sessions.expire(a.session(), b.session(), beat, "gone")).isTrue();
        playground.nodes.remove(b);
        b.close();

        assertThat(rows.one(TERMS)).isEqualTo("RECOVERY disk=ssd 0 alone");
        a.schedule();
        assertThat(a.processes.started).isEmpty();
    }

    @Test
    void a_retry_that_the_job_may_run_anywhere_again_is_not_held_to_nodes_of_before() {
        a.keeper.runOnce();
        rows.run("update session set labels = '{\"disk\": \"ssd\"}'");
        a.keeper.runOnce();
        start(", \"nodes\": \"disk=ssd\"");

        jobs.patch(KEY, change("nodes", ""), ANY);
        fail();

        assertThat(rows.one(TERMS)).isEqualTo("RETRY anywhere 0 alone");
    }

    @Test
    void what_is_given_back_as_it_never_started_runs_where_the_job_may_run_now() {
        start("");
        jobs.patch(KEY, change("nodes", "disk=ssd"), ANY);

        Release release = new Release(database);
        release.giveBack(release.held(a.session()));

        assertThat(rows.one(
                        "select concat(t.state, ' ', s.expression) from live_task t join selector s on s.id = t.selector"
                                + " where t.cause = 'MANUAL'"))
                .isEqualTo("IDLE disk=ssd");
    }

    /** Most likely a newer version wrote it. */
    @Test
    void what_this_version_does_not_understand_of_the_change_changes_nothing() {
        start(", \"priority\": 3");
        rows.run("update job set version = version + 1,"
                + " definition = json_set(definition, '$.priority', 'highest', '$.nodes', 'disk=ssd')");

        fail();

        assertThat(rows.one(TERMS)).isEqualTo("RETRY disk=ssd 3 alone");
    }

    @Test
    void nothing_is_changed_for_a_job_that_is_as_it_was() {
        start(", \"priority\": 3");
        jobs.patch(KEY, change("description", "other").put("priority", 7), ANY);
        // As if it had started since.
        rows.run("update task t join job j on j.id = t.job_id set t.job_version = j.version");

        fail();

        assertThat(rows.one(TERMS)).isEqualTo("RETRY anywhere 3 alone");
    }

    private static ObjectNode change(String field, String value) {
        return JsonNodeFactory.instance.objectNode().put(field, value);
    }

    private void create(String more) {
        jobs.create(PlayedCluster.json("{\"name\": \"j\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\","
                + " \"retry\": {\"max\": 1}, \"onLost\": \"RERUN\"" + more + "}"));
    }

    private void start(String more) {
        create(more);
        jobs.run(KEY, null);
        a.schedule();
        assertThat(a.processes.started).hasSize(1);
    }

    private void fail() {
        a.processes.end(1);
        a.recorder.runOnce();
    }

    private void dueNow() {
        rows.run("update live_task set due_at = utc_timestamp(3) - interval 500000 microsecond where cause = 'RETRY'");
        a.schedule();
    }
}
