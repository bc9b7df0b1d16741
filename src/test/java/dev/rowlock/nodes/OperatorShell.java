package dev.rowlock.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A shell in which what the docs say is typed as it stands there, with the programs that it names. */
final class OperatorShell {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(?:sh|sql)\n(.*?)^ *```$");

    private final Path home;
    private final Path programs;
    private final Map<String, String> environment = new TreeMap<>();

    /** What a line wrote to both outputs, and its exit code. */
    record Said(int exitCode, String text) {}

    OperatorShell(Path home) throws IOException {
        this.home = home;
        this.programs = Files.createDirectories(home.resolve("programs"));
        environment.put("PATH", programs + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
        environment.put("HOME", System.getProperty("user.home"));
        program(
                "rowlock",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dlogback.configurationFile="
                        + Path.of("config", "logback.xml").toAbsolutePath(),
                "-DROWLOCK_LOG_LEVEL=WARN",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.rowlock.Main");
    }

    /** The blocks of commands and statements below a heading, up to the next one of any level. */
    static List<String> blocks(String page, String heading) throws IOException {
        String text = Files.readString(Path.of("docs", page));
        int from = text.indexOf("\n" + heading + "\n");
        assertThat(from).as(heading).isNotNegative();
        int to = text.indexOf("\n#", from + heading.length());
        return BLOCK.matcher(text.substring(from, to < 0 ? text.length() : to + 1))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    /** Those lines of a block that begin so, without the remarks at their ends. */
    static String lines(String block, String... beginnings) {
        String lines = block.lines()
                .map(String::strip)
                .filter(line -> Arrays.stream(beginnings).anyMatch(line::startsWith))
                .map(line -> line.replaceFirst(" +# .*", ""))
                .collect(Collectors.joining("\n"));
        assertThat(lines.lines()).as(block).hasSizeGreaterThanOrEqualTo(beginnings.length);
        return lines;
    }

    /** Installs a program that is called by this name, and begins with these words. */
    void program(String name, String... words) throws IOException {
        String line = Arrays.stream(words).map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Path file = Files.writeString(programs.resolve(name), "#!/bin/bash\nexec " + line + " \"$@\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    void variable(String name, String value) {
        environment.put(name, value);
    }

    /** Runs lines that have to succeed, and returns what they wrote. */
    String run(String lines) throws Exception {
        Said said = tried(lines);
        assertThat(said.exitCode()).as("%s:\n%s", lines, said.text()).isZero();
        return said.text();
    }

    /** Runs lines until one of them fails. */
    Said tried(String lines) throws Exception {
        Path text = Files.createTempFile(home, "said", "");
        ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", lines)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(text.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(lines).isTrue();
        String said = Files.readString(text, StandardCharsets.UTF_8);
        Files.delete(text);
        return new Said(process.exitValue(), said);
    }
}
