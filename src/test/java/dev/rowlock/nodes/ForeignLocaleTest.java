package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes on hosts with digits, letters and character sets of their own. */
@Tag("database")
@Tag("slow")
class ForeignLocaleTest {

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"fa IR", "tr TR"})
    void a_node_runs_counts_and_answers_as_anywhere(String locale) throws Exception {
        String[] language = locale.split(" ", -1);
        Map<String, String> foreign = Map.of(
                "LC_ALL",
                "C",
                "JAVA_TOOL_OPTIONS",
                "-Duser.language=" + language[0] + " -Duser.country=" + language[1]);
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess node = cluster.start("a", foreign).awaitReady(SOON);
            cluster.job("ops", "i", "* * * * * *", "echo Größe", "workdir", dir.toString());
            cluster.job("ops", "later", "0 3 * * *", "true");
            Until.holds(SOON, "runs", () -> rows.count("task_history where outcome = 'SUCCEEDED'") > 1);
            Until.holds(SOON, "what ended to be counted", () -> rows.count("job_day where succeeded > 1") == 1);

            long task = Long.parseLong(String.valueOf(rows.one("select min(id) from task_history")));
            for (String path : new String[] {
                "/jobs?limit=1",
                "/jobs?sort=last&q=I",
                "/jobs/ops/i",
                "/jobs/ops/i/next",
                "/jobs/ops/i/stats",
                "/jobs/ops/i/explain?at=2026-01-01T00:00:00Z",
                "/tasks?state=ENDED&limit=1",
                "/tasks/" + task,
                "/tasks/" + task + "/explain",
                "/tasks/" + task + "/output",
                "/overview",
                "/forecast",
                "/cluster",
                "/audit",
                "/alerts"
            }) {
                assertThat(node.status("/api/v1" + path)).as(path).isEqualTo(200);
            }
            assertThat(node.get("/api/v1/tasks/" + task + "/output").body()).isEqualTo("Größe\n");
            assertThat(node.send("POST", "/api/v1/tasks/rerun", "{\"since\": \"2026-01-01T00:00:00Z\"}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(node.log()).doesNotContain(" ERROR ");
        }
    }
}
