package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.output.CommandNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Remedies of nodes, which name calls, as people who type commands read them. */
class CommandNamesTest {

    private static final Pattern COMMAND = Pattern.compile("rowlock ([a-z-]+) ([a-z-]+)");
    private static final Pattern CALL = Pattern.compile("\\b(?:PUT|POST|PATCH|DELETE) /api/v1/[a-z/-]*");
    /** Signing in is for browsers. */
    private static final Set<String> FOR_BROWSERS = Set.of("POST /api/v1/session");
    /** Ends of calls whose first part stands in the code. */
    private static final List<String> ENDS = List.of("", "a", "a/b", "a/kill", "a/undrain", "a/b/release");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            create it with PUT /api/v1/groups/g-1 and a limit | create it with rowlock group set g-1 and a limit
            create it with PUT /api/v1/secrets/ops/db         | create it with rowlock secret set ops/db
            store it (PUT /api/v1/secrets/ops/NAME)           | store it (rowlock secret set ops/NAME)
            PUT /api/v1/alerts/channels/a.b, or another       | rowlock channel put a.b, or another
            make it with PUT /api/v1/alerts/channels          | make it with rowlock channel put
            that GET /api/v1/jobs/ops/a/versions/3 shows      | that rowlock job versions ops/a 3 shows
            or a silence (POST /api/v1/silences)              | or a silence (rowlock silence add)
            or by POST /api/v1/jobs/ops/a/release             | or by rowlock job release ops/a
            POST /api/v1/tasks/17/kill ends it                | rowlock task kill 17 ends it
            POST /api/v1/cluster/nodes/n1/undrain lets it     | rowlock node undrain n1 lets it
            or POST /api/v1/cluster/clock/accept says         | or rowlock clock accept says
            until POST /api/v1/cluster/retention/accept makes | until rowlock retention accept makes
            POST /api/v1/tasks/17/killed, PUT /api/v1/other   | POST /api/v1/tasks/17/killed, PUT /api/v1/other
            or delete it with force=true, and their           | or delete it with --force, and their
            the token is not valid; expected is Authorization: Bearer TOKEN | the token is not valid
            """)
    void calls_become_commands(String said, String read) {
        assertThat(CommandNames.in(said)).isEqualTo(read);

        for (MatchResult named : COMMAND.matcher(read).results().toList()) {
            CommandLine line = CliNode.commands(Map.of()).commandLine(List.of(named.group(1), named.group(2)));
            assertThat(line.getSubcommands()).containsKey(named.group(1));
            assertThat(line.getSubcommands().get(named.group(1)).getSubcommands())
                    .containsKey(named.group(2));
        }
    }

    @Test
    void no_sentence_of_a_node_names_a_call_without_a_command() throws IOException {
        Set<String> calls = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java/dev/rowlock"))) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("/cli/"))
                    .flatMap(file -> CALL.matcher(text(file)).results())
                    .forEach(call -> calls.add(call.group()));
        }
        calls.removeAll(FOR_BROWSERS);

        assertThat(calls)
                .hasSizeGreaterThan(5)
                .allSatisfy(call -> assertThat(ENDS)
                        .as("%s, as commands name it", call)
                        .anyMatch(end -> CommandNames.in(call + end).startsWith("rowlock ")));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
