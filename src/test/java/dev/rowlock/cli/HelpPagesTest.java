package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import dev.rowlock.cli.call.Surroundings;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the help of every command has, whatever it says. */
class HelpPagesTest {

    private static final int WIDTH = 120;
    /** Commands that people need not know. */
    private static final Set<String> FOR_PROGRAMS = Set.of("sql-options", "local-settings", "complete", "classes");

    /**
     * @param name {@code rowlock}, and the words that mean the command
     * @param text what it says when asked for help
     */
    record Page(String name, CommandSpec spec, int exitCode, String text) {

        @Override
        public String toString() {
            return name;
        }

        /** As text that is not broken into lines. */
        String flowing() {
            return text.replaceAll("\\s+", " ");
        }

        List<String> rowsOf(String heading) {
            int begin = text.indexOf("\n" + heading + ":\n");
            assertThat(begin).as("%s has the heading %s", name, heading).isNotNegative();
            return text.substring(begin + heading.length() + 3)
                    .lines()
                    .takeWhile(line -> !line.isEmpty())
                    .toList();
        }
    }

    private static final List<Page> PAGES = new ArrayList<>();

    @BeforeAll
    static void each_is_asked_for_help() {
        PAGES.clear();
        collect(List.of(), PAGES);
    }

    private static void ofEveryPage(Consumer<Page> holds) {
        assertAll(PAGES.stream().map(page -> () -> assertThat(page).satisfies(holds)));
    }

    private static void collect(List<String> words, List<Page> found) {
        CommandLine line = CliNode.commands(Map.of()).commandLine(words);
        for (String word : words) {
            line = line.getSubcommands().get(word);
        }
        found.add(asked(words, line.getCommandSpec()));
        for (String word : line.getSubcommands().keySet()) {
            List<String> longer = new ArrayList<>(words);
            longer.add(word);
            collect(longer, found);
        }
    }

    private static Page asked(List<String> words, CommandSpec spec) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
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
        Commands commands = new Commands(
                () -> {
                    throw new AssertionError("help needs nothing");
                },
                "1.2.3",
                around);
        List<String> line = new ArrayList<>(words);
        line.add("--help");
        int exitCode = commands.run(line);
        String name = String.join(
                " ", Stream.concat(Stream.of("rowlock"), words.stream()).toList());
        return new Page(name, spec, exitCode, out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void it_shows_the_usage_what_the_command_does_and_an_example_of_it() {
        CommandSpec root = PAGES.get(0).spec;
        ofEveryPage(page -> {
            String description = String.join(" ", page.spec.usageMessage().description());
            String example = String.join("\n", page.spec.usageMessage().footer());

            assertThat(page.exitCode).isZero();
            assertThat(page.flowing()).startsWith("usage: " + page.name + " [-").contains(description);
            assertThat(description).isNotBlank();
            assertThat(example).contains(page.name.equals("rowlock") ? "rowlock help" : page.name);
            assertThat(page.text).contains("\n\nexample: " + example);
            if (page.spec.parent() != null) {
                // Each inherits them from the root unless it has its own.
                assertThat(description)
                        .isNotEqualTo(String.join(" ", root.usageMessage().description()));
                assertThat(example)
                        .isNotEqualTo(String.join("\n", root.usageMessage().footer()));
            }
        });
    }

    @Test
    void each_option_and_argument_is_in_the_usage_and_described() {
        ofEveryPage(page -> {
            String usage = page.text.substring(0, page.text.indexOf("\n\n")).replaceAll("\\s+", " ");
            page.spec.options().stream().filter(option -> !option.hidden()).forEach(option -> {
                assertThat(option.description()).as(option.longestName()).isNotEmpty();
                assertThat(page.flowing())
                        .containsPattern(named(option) + "\\S* " + Pattern.quote(flowing(option.description())));
                assertThat(usage)
                        .containsPattern(named(option) + "\\b|\\[-\\w*"
                                + option.shortestName().substring(1));
            });
            page.spec.positionalParameters().stream()
                    .filter(one -> !one.hidden())
                    .forEach(one -> {
                        assertThat(one.description()).as(one.paramLabel()).isNotEmpty();
                        assertThat(page.flowing())
                                .containsPattern(Pattern.quote(one.paramLabel()) + "\\S* "
                                        + Pattern.quote(flowing(one.description())));
                        assertThat(usage).contains(one.paramLabel());
                    });
        });
    }

    private static String named(OptionSpec option) {
        return Pattern.quote(option.longestName());
    }

    private static String flowing(String... lines) {
        return String.format(String.join(" ", lines)).replaceAll("\\s+", " ").strip();
    }

    @Test
    void each_command_below_it_is_listed_and_described() {
        ofEveryPage(page -> {
            if (page.spec.subcommands().isEmpty()) {
                assertThat(page.text).doesNotContain("\ncommands:\n");
                return;
            }
            List<String> rows = page.rowsOf("commands");
            page.spec.subcommands().forEach((name, line) -> {
                if (line.getCommandSpec().usageMessage().hidden()) {
                    assertThat(FOR_PROGRAMS).contains(name);
                    assertThat(rows).noneMatch(row -> row.startsWith("  " + name + " "));
                } else {
                    assertThat(rows).anyMatch(row -> row.matches("  " + Pattern.quote(name) + " +\\S.*"));
                }
            });
        });
    }

    @Test
    void each_exit_code_is_named_once_and_described() {
        ofEveryPage(page -> {
            List<String> rows = page.rowsOf("exit code");

            assertThat(rows).allMatch(row -> row.matches("  +(\\d+|n) +\\S.*| {4,}\\S.*"));
            assertThat(rows.stream()
                            .filter(row -> row.matches(" +\\d+ .*"))
                            .map(row -> Integer.valueOf(row.strip().split(" ", -1)[0])))
                    .isSorted()
                    .doesNotHaveDuplicates();
        });
    }

    @Test
    void its_lines_fit_and_end_without_blanks() {
        ofEveryPage(page -> {
            // An example is to be copied, and so is not broken.
            assertThat(page.text.lines()).allMatch(line -> line.length() <= WIDTH || line.startsWith("example: "));
            assertThat(page.text.lines()).allMatch(line -> line.equals(line.stripTrailing()));
            assertThat(page.text).endsWith("\n").doesNotEndWith("\n\n").doesNotContain("\n\n\n");
        });
    }
}
