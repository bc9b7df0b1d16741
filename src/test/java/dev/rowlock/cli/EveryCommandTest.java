package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.nodes.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Every command against a real node: what people see, what programs get, and how it fails. {@code commands.txt} has a
 * line for each, in the order in which they are run: {@code command | what it says | a pointer into its JSON |
 * a command that fails | its exit code | what that says}. A minus: nothing of the kind.
 */
@Tag("database")
class EveryCommandTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    private static final Path TABLE = Path.of("src/test/resources/dev/rowlock/cli/commands.txt");

    /** They need no node, ask for a database of their own, or never end: other tests run them. */
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("server", "NodeProcess, and so every test of a node"),
            Map.entry("sql", "SqlScriptTest"),
            Map.entry("sql-options", "SqlScriptTest"),
            Map.entry("local-settings", "OddPlacesTest"),
            Map.entry("verify", "VerificationTest"),
            Map.entry("admin-token replace", "TokenReplacementTest"),
            Map.entry("database status", "EmbeddedCommandsTest"),
            Map.entry("database stop", "EmbeddedCommandsTest"),
            Map.entry("database dump", "EmbeddedCommandsTest"),
            Map.entry("database load", "EmbeddedCommandsTest"),
            Map.entry("top", "TopInTerminalTest"),
            Map.entry("classes", "ClassArchiveTest"),
            Map.entry("job edit", "FilesTest"));

    private static String task = "";

    /** A line of the table. */
    record Row(String command, String says, String pointer, String wrong, int exitCode, String why) {

        @Override
        public String toString() {
            return command;
        }
    }

    static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(TABLE)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                List<String> cells = List.of(line.split(" +\\| +", -1)).stream()
                        .map(String::strip)
                        .toList();
                assertThat(cells).as(line).hasSize(6);
                int code = cells.get(4).equals("-") ? 0 : Integer.parseInt(cells.get(4));
                rows.add(new Row(cells.get(0), cells.get(1), cells.get(2), cells.get(3), code, cells.get(5)));
            }
        }
        return rows;
    }

    @BeforeAll
    static void something_has_run() throws Exception {
        assertThat(cli.run("job", "add", "t/first", "--schedule", "@manual", "--command", "echo hello")
                        .exitCode())
                .isZero();
        task = cli.run("job", "run", "t/first", "-o", "name").out().strip();
        Until.holds(
                Duration.ofSeconds(60),
                "the end of " + task,
                () -> cli.json("task", "show", task).path("outcome").isTextual());
        Files.writeString(file("job.yaml"), "namespace: t\nname: filed\nschedule: '@manual'\ncommand: 'true'\n");
        Files.writeString(file("rule.yaml"), "when: [FAILED]\nnamespace: t\nchannels: [hook]\n");
        Files.writeString(file("channel.yaml"), "type: webhook\ndestination: https://example.com/\n");
        Files.writeString(file("x.timer"), "[Timer]\nOnCalendar=daily\nPersistent=yes\n");
        Files.writeString(file("x.service"), "[Service]\nExecStart=/bin/x\n");
        Files.writeString(
                file("cron.yaml"),
                "kind: CronJob\nmetadata: {name: c}\nspec: {schedule: '@daily', jobTemplate: {spec: {template: {spec:"
                        + " {containers: [{command: [x], image: i}]}}}}}\n");
        Files.writeString(file("quartz.csv"), "trigger_name,cron_expression\nt,0 0 3 * * ?\n");
        Files.writeString(file("xxl.csv"), "id,glue_type,schedule_type,glue_source\n1,GLUE_SHELL,NONE,true\n");
        Files.writeString(file("crontab"), "0 3 * * * /bin/x\n");
        Files.writeString(file("log"), "2026-01-01T00:00:00Z x\n");
    }

    private static Path file(String name) {
        return cli.home().resolve(name);
    }

    private static String[] words(String line) {
        String filled = line.replace("{task}", task).replace("{dir}", cli.home().toString());
        return Pattern.compile("'([^']*)'|(\\S+)")
                .matcher(filled)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void it_does_what_it_says(Row row) {
        if (!row.command().equals("-")) {
            Said said = cli.with().input("standard input").run(words(row.command()));
            assertThat(said.exitCode()).as(said.toString()).isLessThanOrEqualTo(1);
            assertThat(said.out() + said.err()).containsPattern(row.says());
            if (said.exitCode() == 1) {
                assertThat(row.command())
                        .as(said.toString())
                        .matches("(plan|diff|job diff|doctor|shadow report) .*|doctor");
            }
        }
        if (!row.wrong().equals("-")) {
            Said said = cli.with().input("standard input").run(words(row.wrong()));
            assertThat(said.exitCode()).as(said.toString()).isEqualTo(row.exitCode());
            assertThat(said.err()).contains(row.why()).startsWith("rowlock").doesNotContain("\tat ");
            assertThat(said.out()).isEmpty();
        }
        if (!row.pointer().equals("-")) {
            List<String> words = new ArrayList<>(List.of(words(row.command())));
            words.addAll(List.of("-o", "json"));
            Said said = cli.with().input("standard input").run(words.toArray(String[]::new));
            assertThat(said.exitCode()).as(said.toString()).isLessThanOrEqualTo(1);
            JsonNode at = said.json().at(row.pointer());
            assertThat(at.isMissingNode()).as(said.out()).isFalse();
        }
    }

    @Test
    void every_command_has_a_line() throws IOException {
        Set<String> named = new TreeSet<>(ELSEWHERE.keySet());
        TreeSet<String> all = new TreeSet<>();
        collect(List.of(), all);
        for (Row row : rows()) {
            for (String line : List.of(row.command(), row.wrong())) {
                all.stream()
                        .filter(command -> line.equals(command) || line.startsWith(command + " "))
                        .forEach(named::add);
            }
        }
        assertThat(named).isEqualTo(all);
    }

    private static void collect(List<String> words, Set<String> found) {
        CommandLine line = CliNode.commands(Map.of()).commandLine(words);
        for (String word : words) {
            line = line.getSubcommands().get(word);
        }
        if (line.getSubcommands().isEmpty() || line.getCommand() instanceof Remote) {
            found.add(String.join(" ", words));
        }
        for (String word : line.getSubcommands().keySet()) {
            List<String> longer = new ArrayList<>(words);
            longer.add(word);
            collect(longer, found);
        }
    }
}
