package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the same script twice is the same, and adds up. */
@Tag("database")
@Tag("slow")
class ScriptedLifeTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    /** {@code rowlock.test.jobs}: more of them than the 60 that are played by default. */
    private static final int JOBS = Integer.getInteger("rowlock.test.jobs", 60);

    private static final int MINUTES = Integer.getInteger("rowlock.test.minutes", 12);

    @Test
    void what_is_recorded_depends_on_the_script_alone() throws IOException {
        List<String> first = life("first");
        List<String> second = life("second");
        assertThat(first).anyMatch(line -> line.startsWith("verify ")).noneMatch(line -> line.contains("Discrepancy"));
        assertThat(second).isEqualTo(first);
    }

    /** What was recorded is left in {@code target}, to be compared with what another build leaves there. */
    private List<String> life(String name) throws IOException {
        Path own = Files.createDirectory(dir.resolve(name));
        try (ScriptedLife life = new ScriptedLife(SERVER, own, JOBS, 7)) {
            life.play(Duration.ofMinutes(MINUTES));
            List<String> recorded = life.record();
            Files.write(Path.of("target", "scripted-life-" + name + ".txt"), recorded);
            return recorded;
        }
    }
}
