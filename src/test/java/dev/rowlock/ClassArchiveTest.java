package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/class-archive}, and what {@code scripts/rowlock} makes of its archive; Java is mostly pretended. */
@Timeout(60)
class ClassArchiveTest {

    /** A node that finds no database, and writes the archive that it is asked for when it is stopped. */
    private static final String NODE = """
            case "$*" in *" version") %s ;; esac
            for word; do case $word in -XX:ArchiveClassesAtExit=*) archive=${word#*=} ;; esac; done
            trap 'printf archive >"$archive"; exit 0' TERM
            echo "The database is not available"
            while true; do sleep 0.05; done
            """;

    @TempDir
    Path home;

    private Path archive = Path.of("");
    private Path java = Path.of("");

    @BeforeEach
    void install() throws IOException {
        Path scripts = Files.createDirectories(home.resolve("scripts"));
        for (String script : List.of("rowlock", "class-archive")) {
            Files.copy(Path.of("scripts", script), scripts.resolve(script));
        }
        script(scripts.resolve("java-options"), "echo -XX:+UseSerialGC");
        Path target = Files.createDirectories(home.resolve("target"));
        new JarOutputStream(Files.newOutputStream(target.resolve("rowlock.jar")), new Manifest()).close();
        archive = target.resolve("rowlock.jsa");
        java = Files.createDirectories(home.resolve("programs")).resolve("java");
    }

    @Test
    void the_archive_is_what_a_stopped_node_has_left_and_is_used_from_then_on() throws Exception {
        script(java, NODE.formatted("[[ $* = *-Xshare:on* ]]; exit"));

        Said made = run("class-archive", Map.of());

        assertThat(made).isEqualTo(new Said(0, ""));
        assertThat(archive).hasContent("archive");
        script(java, "echo $*");
        assertThat(run("rowlock", Map.of()).text()).contains("-XX:SharedArchiveFile=" + archive + " ");
    }

    @Test
    void a_node_that_cannot_start_leaves_none_and_its_words_are_shown() throws Exception {
        Files.writeString(archive, "of the jar before");
        script(java, "echo no memory; exit 1");

        Said made = run("class-archive", Map.of());

        assertThat(made.exitCode()).isEqualTo(1);
        assertThat(made.text()).contains("no memory").contains("nodes start without it");
        assertThat(archive).doesNotExist();
    }

    @Test
    void one_that_java_cannot_use_is_thrown_away() throws Exception {
        script(java, NODE.formatted("echo unable to use it; exit 1"));

        Said made = run("class-archive", Map.of());

        assertThat(made.exitCode()).isEqualTo(1);
        assertThat(made.text()).contains("unable to use it");
        assertThat(archive.getParent()).isDirectoryContaining("glob:**/rowlock.jar");
        assertThat(archive.getParent()).isDirectoryNotContaining("glob:**/rowlock.jsa*");
    }

    @Test
    void if_needed_means_once_for_a_jar_even_if_it_could_not_be_made() throws Exception {
        script(java, "echo no memory; exit 1");
        Said failed = run("class-archive", Map.of(), "--if-needed");
        script(java, NODE.formatted("exit 0"));

        Said again = run("class-archive", Map.of(), "--if-needed");

        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(again).isEqualTo(new Said(0, ""));
        assertThat(archive).isEmptyFile();

        Files.setLastModifiedTime(
                archive.resolveSibling("rowlock.jar"),
                FileTime.from(Instant.now().plusSeconds(1)));
        run("class-archive", Map.of(), "--if-needed");

        assertThat(archive).hasContent("archive");
    }

    @Test
    void a_signal_ends_it_and_its_node_at_once_and_nothing_is_left() throws Exception {
        Path pipe = home.resolve("pid");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        script(java, "echo $$ >'" + pipe + "'; exec sleep 60");
        Process making = start("class-archive", Map.of());
        long node = Long.parseLong(Files.readString(pipe).strip());

        making.destroy();

        assertThat(making.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(making.exitValue()).isEqualTo(128 + 15);
        assertThat(ProcessHandle.of(node)).isEmpty();
        assertThat(archive.getParent()).isDirectoryNotContaining("glob:**/*.jsa*");
    }

    @Test
    void without_an_archive_or_with_an_empty_one_java_is_not_told_of_it() throws Exception {
        script(java, "echo $*");

        String missing = run("rowlock", Map.of()).text();
        Files.createFile(archive);
        String empty = run("rowlock", Map.of()).text();

        assertThat(missing).contains("-jar").doesNotContain("Archive");
        assertThat(empty).isEqualTo(missing);
    }

    @Test
    void java_says_nothing_of_an_archive_that_it_cannot_use() throws Exception {
        script(java, "exec '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' \"$@\"");
        String without = run("rowlock", Map.of("ROWLOCK_JAVA_OPTS", "-version")).text();

        Files.writeString(archive, "of another Java".repeat(1000));
        Said with = run("rowlock", Map.of("ROWLOCK_JAVA_OPTS", "-version"));

        assertThat(with.exitCode()).isZero();
        assertThat(with.text()).isEqualTo(without.replace(", sharing", "")).contains("version");
    }

    private record Said(int exitCode, String text) {}

    private Said run(String script, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Process process = start(script, environment, arguments);
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), text);
    }

    private Process start(String script, Map<String, String> environment, String... arguments) throws IOException {
        List<String> line =
                new ArrayList<>(List.of(home.resolve("scripts").resolve(script).toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOCK_") || name.equals("JAVA_HOME"));
        builder.environment().put("PATH", java.getParent() + ":/usr/bin:/bin");
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true).start();
    }

    private static void script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
