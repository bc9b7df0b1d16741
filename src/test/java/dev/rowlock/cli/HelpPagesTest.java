package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Every page of help is as its file says, so that a change of it is seen by whoever reviews it. This rewrites the
 * files: {@code ROWLOCK_WRITE_HELP=1 mvn -q test -Dtest=HelpPagesTest}
 */
class HelpPagesTest {

    private static final Path FILES = Path.of("src/test/resources/dev/rowlock/cli/help");

    private static void collect(List<String> words, List<List<String>> found) {
        CommandLine line = CliNode.commands(Map.of()).commandLine(words);
        for (String word : words) {
            line = line.getSubcommands().get(word);
        }
        found.add(words);
        for (String word : line.getSubcommands().keySet()) {
            List<String> longer = new ArrayList<>(words);
            longer.add(word);
            collect(longer, found);
        }
    }

    private static Map<String, String> pages() {
        List<List<String>> commands = new ArrayList<>();
        collect(List.of(), commands);
        Map<String, String> pages = new TreeMap<>();
        for (List<String> words : commands) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            List<String> line = new ArrayList<>(words);
            line.add("--help");
            PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
            Surroundings around = new Surroundings(
                    Map.of(),
                    InputStream.nullInputStream(),
                    to,
                    to,
                    Clock.systemUTC(),
                    Set.of(),
                    (millis, what) -> () -> {},
                    program -> 1);
            int code = new Commands(
                            () -> {
                                throw new AssertionError("help needs nothing");
                            },
                            "1.2.3",
                            around)
                    .run(line);
            assertThat(code).as("%s", words).isZero();
            pages.put(
                    String.join("-", words.isEmpty() ? List.of("rowlock") : words) + ".txt",
                    out.toString(StandardCharsets.UTF_8));
        }
        return pages;
    }

    @Test
    void every_page_is_as_its_file_says() throws IOException {
        Map<String, String> pages = pages();
        if ("1".equals(System.getenv("ROWLOCK_WRITE_HELP"))) {
            write(pages);
        }
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(FILES)) {
            for (Path file : all.toList()) {
                files.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        assertThat(pages.keySet())
                .as("ROWLOCK_WRITE_HELP=1 mvn -q test -Dtest=HelpPagesTest writes what is missing")
                .isEqualTo(files.keySet());
        pages.forEach((name, page) -> assertThat(page)
                .as("%s; ROWLOCK_WRITE_HELP=1 mvn -q test -Dtest=HelpPagesTest rewrites it", name)
                .isEqualTo(files.get(name)));
    }

    private static void write(Map<String, String> pages) throws IOException {
        Files.createDirectories(FILES);
        try (Stream<Path> all = Files.list(FILES)) {
            for (Path file : all.toList()) {
                Files.delete(file);
            }
        }
        for (Map.Entry<String, String> page : pages.entrySet()) {
            Files.writeString(FILES.resolve(page.getKey()), page.getValue());
        }
    }

    @Test
    void every_page_fits_and_has_an_example() {
        pages().forEach((name, page) -> {
            String words = name.equals("rowlock.txt") ? "" : " " + CommandWords.of(name);
            assertThat(page)
                    .as(name)
                    .startsWith("usage: rowlock")
                    .contains("\nexample: ")
                    .contains("exit code:");
            assertThat(page.replaceAll("\\s+", " ")).as(name).contains("rowlock" + words);
            assertThat(page.lines()).as(name).allMatch(line -> line.length() <= 120 || line.startsWith("example: "));
        });
    }

    /** A name of a file has a hyphen for each blank, and commands may have hyphens. */
    private static final class CommandWords {

        private CommandWords() {}

        static String of(String file) {
            String name = file.replace(".txt", "");
            for (String whole : List.of("sql-options", "admin-token")) {
                if (name.startsWith(whole)) {
                    return whole + name.substring(whole.length()).replace('-', ' ');
                }
            }
            return name.replaceFirst("-", " ");
        }
    }
}
