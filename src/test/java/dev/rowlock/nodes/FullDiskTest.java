package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.SmallDisk;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node whose data directory is on a disk that is full. */
@Tag("database")
@Tag("slow")
class FullDiskTest {

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void it_loses_output_says_so_and_goes_on_with_everything_else_even_when_it_starts() throws Exception {
        SmallDisk.onOne(disk -> {
            Map<String, String> onDisk =
                    Map.of("ROWLOCK_DATA_DIR", disk.directory().toString());
            try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
                NodeProcess a = cluster.start("a", onDisk).awaitReady(SOON);
                cluster.job("disk", "writes", "@manual", "echo hello 2>/dev/null; sleep 0.2");
                assertThat(ended(cluster)).isEqualTo("SUCCEEDED null hello");

                disk.fill();
                a.awaitHealth("the disk of data.dir is full", SOON);
                a.awaitReady(SOON);
                for (int i = 0; i < 3; i++) {
                    assertThat(ended(cluster)).isEqualTo("SUCCEEDED output may be missing: the disk was full null");
                }
                assertThat(a.log())
                        .containsOnlyOnce("is full: what commands write is lost")
                        .doesNotContain(" ERROR ");

                a.kill();
                NodeProcess again = cluster.start("a", onDisk).awaitReady(SOON);
                assertThat(ended(cluster)).startsWith("SUCCEEDED output may be missing");
                disk.free();
                again.awaitLog("There is room for output", SOON);
                assertThat(ended(cluster)).isEqualTo("SUCCEEDED null hello");
            }
        });
    }

    @Test
    void a_disk_without_room_for_one_file_more_is_told_of_once_and_in_the_health_of_the_node() throws Exception {
        try (SmallDisk disk = SmallDisk.forFiles(200);
                Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess a = cluster.start(
                            "a", Map.of("ROWLOCK_DATA_DIR", disk.directory().toString()))
                    .awaitReady(SOON);
            cluster.job("disk", "writes", "@manual", "echo hello 2>/dev/null");
            assertThat(ended(cluster)).isEqualTo("SUCCEEDED null hello");

            disk.fillWithFiles();
            for (int i = 0; i < 4; i++) {
                assertThat(ended(cluster)).startsWith("SUCCEEDED output may be missing");
            }
            a.awaitHealth("no file can be made below data.dir (No space left on device)", SOON);
            a.awaitReady(SOON);
            assertThat(a.log())
                    .containsOnlyOnce("no file can be made below data.dir")
                    .doesNotContain(" ERROR ");

            disk.freeFiles();
            a.awaitLog("There is room for output", SOON);
            a.awaitHealth("\"output\",\"ok\":true,\"message\":\"kept\"", SOON);
            assertThat(ended(cluster)).isEqualTo("SUCCEEDED null hello");
        }
    }

    /** Runs it once; outcome, reason and output. */
    private String ended(Cluster cluster) throws Exception {
        long task = cluster.run("disk", "writes");
        Until.holds(SOON, "its end", () -> rows.count("task_history where id = " + task) == 1);
        Map<String, @Nullable String> ended = rows.all("select outcome, reason from task_history where id = " + task)
                .get(0);
        if (ended.get("reason") == null) {
            Until.holds(SOON, "its output", () -> rows.count("task_output where task_id = " + task) == 1);
        }
        return ended.get("outcome") + " " + ended.get("reason") + " "
                + stripped(rows.one("select head from task_output where task_id = " + task));
    }

    private static String stripped(@Nullable String text) {
        return text == null ? "null" : text.strip();
    }
}
