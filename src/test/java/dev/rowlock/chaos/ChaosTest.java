package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A short run of everything that {@code scripts/chaos} does, on the database of the tests. Alone: its faults and bounds are for a machine
 * that has nothing else to do.
 */
@Isolated
@Tag("slow")
class ChaosTest {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void whatever_goes_wrong_nothing_is_lost_doubled_overlapped_or_left_behind() throws Exception {
        String url = System.getenv("ROWLOCK_TEST_DATABASE_URL");
        Options options = Options.parse(List.of(
                "--minutes", "0.75",
                "--jobs", "45",
                "--seed", "4",
                "--database", url == null || url.isBlank() ? "embedded" : url,
                "--dir", dir.resolve("run").toString()));
        try (ChaosDatabase database = ChaosDatabase.open(options.database(), options.dir());
                ChaosRun run = new ChaosRun(options, database)) {
            Report report = run.run();
            System.out.println(report.text());
            assertThat(report.isClean()).as(report.text()).isTrue();
        }
    }
}
