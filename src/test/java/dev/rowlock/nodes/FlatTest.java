package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a node holds of its host does not grow with what it has run. */
@Tag("database")
@Tag("slow")
class FlatTest {

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void file_descriptors_threads_and_output_files_are_as_many_after_many_runs_as_after_few() throws Exception {
        Rows rows = new Rows(database);
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess a = cluster.start("a").awaitReady(SOON);
            for (int i = 0; i < 20; i++) {
                cluster.job("flat", "j" + i, "* * * * * *", "echo something");
            }
            cluster.awaitRuns("flat", 100);
            long descriptorsBefore = descriptors(a);
            long threadsBefore = threads(a);

            Until.holds(
                    Duration.ofMinutes(3),
                    "six hundred runs",
                    () -> rows.count("task_history where outcome = 'SUCCEEDED'") >= 600);

            long descriptors = descriptors(a);
            long threads = threads(a);
            Cluster.report("after 100 and 600 runs: descriptors " + descriptorsBefore + " and " + descriptors
                    + ", threads " + threadsBefore + " and " + threads);
            assertThat(descriptors).isLessThan(descriptorsBefore + 40);
            assertThat(threads).isLessThan(threadsBefore + 40);
            for (int i = 0; i < 20; i++) {
                a.send("POST", "/api/v1/jobs/flat/j" + i + "/pause", "");
            }
            Until.holds(SOON, "the end of all output files", () -> outputs(dir.resolve("a/data/nodes/a/output")) == 0);
        }
    }

    private static long descriptors(NodeProcess node) throws IOException {
        return entries(Path.of("/proc", Long.toString(node.pid()), "fd"));
    }

    private static long threads(NodeProcess node) throws IOException {
        return entries(Path.of("/proc", Long.toString(node.pid()), "task"));
    }

    private static long outputs(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".out")).count();
        }
    }

    private static long entries(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }
}
