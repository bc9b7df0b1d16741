package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts on hosts with an old Java, and in repositories of others; {@code quickstart} and what the settings say. */
@Timeout(60)
class QuickstartScriptTest {

    private static final String OLD = "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2";

    @TempDir
    Path dir;

    private Path home = Path.of("");
    private Path programs = Path.of("");

    @BeforeEach
    void install() throws IOException {
        home = Files.createDirectories(dir.resolve("a b"));
        programs = Files.createDirectories(dir.resolve("programs"));
        Path scripts = Files.createDirectories(home.resolve("scripts"));
        for (String script : List.of("rowlock", "java-options", "quickstart", "build", "class-archive")) {
            Files.copy(Path.of("scripts", script), scripts.resolve(script));
        }
    }

    @ParameterizedTest
    @CsvSource({"embedded, server --embedded", "own, server"})
    void the_database_is_brought_along_only_if_the_settings_name_none(String database, String line) throws Exception {
        script(home.resolve("scripts/build"), "true");
        script(home.resolve("scripts/rowlock"), """
                case $1 in
                  local-settings) printf '%%s\n' data=/d url=http://127.0.0.1:1 database=%s token=file ;;
                  *) echo "$ROWLOCK_DATA_DIR$ROWLOCK_HTTP_PORT run: $*" ;;
                esac""".formatted(database));

        assertThat(run("quickstart").text()).contains("starting a node in /d\n run: " + line + "\n");
    }

    @Test
    void settings_that_cannot_be_read_stop_quickstart_with_what_the_program_says() throws Exception {
        script(home.resolve("scripts/build"), "true");
        script(home.resolve("scripts/rowlock"), "echo 'rowlock: http.port: found x' >&2; exit 78");

        assertThat(run("quickstart")).isEqualTo(new Said(78, "rowlock: http.port: found x\n"));
    }

    @Test
    void an_old_java_is_named_with_what_to_do() throws Exception {
        Files.createFile(Files.createDirectories(home.resolve("target")).resolve("rowlock.jar"));
        script(programs.resolve("java"), OLD);

        assertThat(run("rowlock", "server"))
                .isEqualTo(new Said(
                        78,
                        "rowlock: " + programs
                                + "/java is version 11; Rowlock needs 17 or later. Install one, and put it"
                                + " first in PATH or set JAVA_HOME\n"));
    }

    @Test
    void what_was_installed_from_a_package_takes_a_newer_java_that_is_not_the_default() throws Exception {
        Files.createFile(home.resolve("rowlock.jar"));
        Path jvm = Files.createDirectories(dir.resolve("jvm/java-17/bin"));
        script(programs.resolve("java"), OLD);
        script(
                jvm.resolve("java"),
                "[ $1 != -version ] || echo 'openjdk version \"17.0.1\"' >&2; echo new: \"${@: -1}\"");
        Path script = home.resolve("scripts/rowlock");
        Files.writeString(
                script,
                Files.readString(script)
                        .replace("/usr/lib/jvm", dir.resolve("jvm").toString()));

        assertThat(run("rowlock", "version")).isEqualTo(new Said(0, "new: version\n"));

        Files.delete(jvm.resolve("java"));
        assertThat(run("rowlock", "version").exitCode()).isEqualTo(78);
    }

    @Test
    void a_build_in_a_repository_of_something_else_does_not_say_that_it_is_of_its_commit() throws Exception {
        script(programs.resolve("mvn"), "echo \"$@\"; exit 1");
        git(dir);
        assertThat(run("build").text()).contains("-Drevision=unknown ");

        git(home);
        assertThat(run("build").text()).containsPattern("-Drevision=[0-9a-f]{12}\\+? ");
    }

    private static void git(Path repository) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("bash", "-c", """
                        git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm x
                        """)
                .directory(repository.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(git.waitFor()).isZero();
    }

    private record Said(int exitCode, String text) {}

    private Said run(String script, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(home.resolve("scripts").resolve(script).toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOCK_") || name.equals("JAVA_HOME"));
        builder.environment().merge("PATH", programs.toString(), (path, first) -> first + ":" + path);
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), text);
    }

    private static void script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
