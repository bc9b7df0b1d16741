package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code ROWLOCK_JAVA_OPTS} as {@code scripts/rowlock} hands it on to a Java that is only pretended. */
@Timeout(60)
class JavaOptionsScriptTest {

    @TempDir
    Path home;

    static Stream<Arguments> options() {
        return Stream.of(
                Arguments.of("", List.of()),
                Arguments.of("-Da=1  -Db=2 ", List.of("-Da=1", "-Db=2")),
                Arguments.of("-Da=1 -Db=2\n", List.of("-Da=1", "-Db=2")),
                Arguments.of("-Da=1\n", List.of("-Da=1")),
                Arguments.of("-Da=x y\n-Db=2", List.of("-Da=x y", "-Db=2")),
                Arguments.of("\n-Da=x y\n\n-Db=*\\n\n", List.of("-Da=x y", "-Db=*\\n")));
    }

    @ParameterizedTest
    @MethodSource("options")
    void options_have_blanks_between_them_or_lines_of_their_own(String variable, List<String> options)
            throws Exception {
        Path scripts = Files.createDirectories(home.resolve("scripts"));
        Files.copy(Path.of("scripts", "rowlock"), scripts.resolve("rowlock"));
        script(scripts.resolve("java-options"), "echo -Xint");
        script(Files.createDirectories(home.resolve("bin")).resolve("java"), "printf '%s\\n' \"$@\"");
        Files.createFile(Files.createDirectories(home.resolve("target")).resolve("rowlock.jar"));
        ProcessBuilder builder = new ProcessBuilder(scripts.resolve("rowlock").toString(), "version");
        builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOCK_"));
        builder.environment().put("JAVA_HOME", home.toString());
        builder.environment().put("ROWLOCK_JAVA_OPTS", variable);

        Process process = builder.redirectErrorStream(true).start();
        List<String> said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(said.subList(said.size() - 3, said.size()))
                .containsExactly(
                        "-jar", home.toRealPath().resolve("target/rowlock.jar").toString(), "version");
        int before = said.indexOf("-DROWLOCK_LOG_LEVEL=WARN");
        assertThat(said.subList(before + 1, said.size() - 3))
                .filteredOn(option -> !option.startsWith("-Drowlock."))
                .isEqualTo(options);
    }

    private static void script(Path file, String body) throws Exception {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
