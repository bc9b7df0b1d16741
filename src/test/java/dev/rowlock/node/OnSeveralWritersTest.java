package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.audit.Audit;
import dev.rowlock.cluster.NodeSetting;
import dev.rowlock.cluster.store.NodeSettings;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.task.Task;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.transition.Release;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * What keeps promises where each node writes on a server of its own, as the members of a Galera cluster are. A lock holds on one of them
 * only, and the cluster compares what transactions have changed: what they only have locked is no conflict.
 */
class OnSeveralWritersTest extends NodeByHand {

    /** Read without a lock, as by whoever gives back what a node may run no more. */
    @Test
    void a_task_that_was_started_since_it_was_read_is_not_given_back() {
        rows.task(playground.job("j", "0 0 1 1 *"), 5_000, true);
        a.schedule();
        Release release = new Release(database);
        List<Task> read = release.held(session());
        assertThat(read).singleElement().matches(held -> !held.isExecuting());
        rows.run("update live_task set state = 'EXECUTING', started_at = utc_timestamp(3) where state = 'PREPARED'");

        release.giveBack(read);

        assertThat(rows.one("select state from live_task where launch_id is not null"))
                .isEqualTo("EXECUTING");
    }

    /** Whoever starts a task changes the row of its stripe; so whoever changes what may be started does, too. */
    @Test
    void a_change_of_a_node_changes_all_rows_that_starts_change() {
        rows.run("update cluster_lock set counter = 7");

        new NodeSettings(database).change("a", (UnaryOperator<NodeSetting>) s -> s.withDrained(true), Audit.NONE);

        assertThat(rows.one("select concat(count(*), ' ', min(counter), ' ', max(counter)) from cluster_lock"))
                .isEqualTo("65 8 8");
    }

    @Test
    void a_start_of_a_task_changes_the_row_of_its_group() {
        new Groups(new GroupStore(database), new TaskQueries(database), () -> {}).put("g", new GroupDefinition(2, ""));
        jobs.create(PlayedCluster.json(
                "{\"name\": \"j\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"group\": \"g\"}"));
        jobs.run(KEY, null);

        a.schedule();

        assertThat(rows.count("live_task where state = 'EXECUTING'")).isPositive();
        assertThat(rows.one("select looks > 0 from job_group")).isEqualTo("1");
    }

    private String session() {
        return rows.one("select id from session where node = 'a'");
    }
}
