package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Overrides;
import dev.rowlock.http.Refused;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.TaskView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** All that a job is executing is killed at once, wherever it runs. */
@Tag("database")
class KilledJobTest {

    private static final JobKey KEY = new JobKey("default", "j");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-03-20T10:00:00.500Z"), 1);
        cluster.join("a");
        cluster.join("b");
        cluster.put("j", "\"schedule\": \"@manual\", \"overlap\": \"ALLOW\"");
        cluster.put("other", "\"schedule\": \"@manual\"");
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void its_tasks_on_other_nodes_end_and_what_waits_and_other_jobs_go_on() {
        cluster.jobs.run(KEY, Overrides.NONE, null);
        cluster.jobs.run(KEY, Overrides.NONE, null);
        nodesSchedule();
        cluster.jobs.run(KEY, Overrides.NONE, null);
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(node.processes.running()).isEqualTo(1));

        List<TaskView> killed = cluster.tasks.killAll(KEY);
        List<TaskView> again = cluster.tasks.killAll(KEY);

        assertThat(killed).hasSize(2).extracting(TaskView::node).containsExactlyInAnyOrder("a", "b");
        assertThat(again)
                .extracting(TaskView::id)
                .containsExactlyElementsOf(killed.stream().map(TaskView::id).toList());
        for (HandDrivenNode node : cluster.nodes()) {
            node.keeper.runOnce();
            node.recorder.runOnce();
        }
        assertThat(cluster.rows.count("task_history where outcome = 'KILLED' and job = 'j'"))
                .isEqualTo(2);
        assertThat(cluster.rows.count("live_task")).isEqualTo(1);
        assertThat(cluster.tasks.killAll(KEY)).isEmpty();
    }

    @Test
    void what_a_deleted_job_is_still_executing_can_be_killed_and_of_nothing_nothing() {
        cluster.jobs.run(KEY, Overrides.NONE, null);
        nodesSchedule();
        cluster.delete("j");

        assertThat(cluster.tasks.killAll(KEY)).hasSize(1);
        assertThatThrownBy(() -> cluster.tasks.killAll(new JobKey("default", "nobody")))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("there is no job default/nobody");
    }

    private void nodesSchedule() {
        cluster.time.advance(Duration.ofSeconds(1));
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            node.keeper.runOnce();
            node.schedule();
        }
    }
}
