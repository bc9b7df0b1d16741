package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rowlock.support.NodeProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An installation that is not whole. */
class InstallationTest {

    @TempDir
    Path dir;

    @Test
    void a_library_that_is_missing_is_named_with_the_remedy() throws Exception {
        Optional<Path> jar = NodeProcess.jar();
        assumeThat(jar).as("a jar of what is tested").isPresent();
        Files.createDirectories(dir.resolve("lib"));
        Files.copy(jar.orElseThrow(), dir.resolve("rowlock.jar"));
        try (Stream<Path> libraries = Files.list(jar.orElseThrow().resolveSibling("lib"))) {
            for (Path library : libraries.filter(InstallationTest::isLeft).toList()) {
                Files.createSymbolicLink(dir.resolve("lib").resolve(library.getFileName()), library.toAbsolutePath());
            }
        }

        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        dir.resolve("rowlock.jar").toString(),
                        "--help"))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isEqualTo(1);
        assertThat(said)
                .contains("NoClassDefFoundError: picocli/", "is missing", "scripts/build")
                .doesNotContain("\tat ");
    }

    private static boolean isLeft(Path library) {
        return !library.getFileName().toString().startsWith("picocli");
    }
}
