package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.support.OpenApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Whatever the API can do, a command can; and every command has its row in the documentation. */
class EveryRouteTest {

    /** Why no command asks for them. */
    private static final Map<String, String> WITHOUT = Map.of(
            "POST /api/v1/schedules/preview", "rowlock schedule says the same without a node",
            "POST /api/v1/session", "for pages: a command sends its token with each request",
            "DELETE /api/v1/session", "the same",
            "GET /signin", "the same",
            "GET /signin/oidc", "the same",
            "GET /signin/callback", "the same",
            "GET /metrics", "for Prometheus",
            "GET /", "for people with a browser",
            "GET /ui/{tree}/{room}/{file}", "the same",
            "GET /openapi.yaml", "for programs that are made from it");

    /** A command with the words that lead to it. */
    private record Named(String words, Object command) {}

    private static List<Named> commands() {
        List<Named> found = new ArrayList<>();
        collect(List.of(), found);
        return found;
    }

    private static void collect(List<String> words, List<Named> found) {
        CommandLine line = CliNode.commands(Map.of()).commandLine(words);
        for (String word : words) {
            line = line.getSubcommands().get(word);
        }
        if (line.getSubcommands().isEmpty() || line.getCommand() instanceof Remote) {
            found.add(new Named(String.join(" ", words), line.getCommand()));
        }
        for (String word : line.getSubcommands().keySet()) {
            List<String> longer = new ArrayList<>(words);
            longer.add(word);
            collect(longer, found);
        }
    }

    @Test
    void there_is_a_command_for_each_route_or_a_reason() {
        List<String> routes =
                OpenApi.ofFile().calls().stream().map(OpenApi.Call::name).toList();
        TreeSet<String> asked = new TreeSet<>();
        for (Named named : commands()) {
            if (named.command() instanceof Remote remote) {
                Routes declared = remote.getClass().getAnnotation(Routes.class);
                assertThat(declared).as(named.words()).isNotNull();
                asked.addAll(List.of(declared.value()));
            }
        }

        assertThat(routes).hasSizeGreaterThan(60).containsAll(asked).containsAll(WITHOUT.keySet());
        assertThat(Stream.concat(asked.stream(), WITHOUT.keySet().stream()))
                .as("a command asks for it, or there is a reason")
                .containsExactlyInAnyOrderElementsOf(routes);
    }

    @Test
    void every_command_has_help_with_an_example_and_a_row_in_the_documentation() throws IOException {
        String page = Files.readString(Path.of("docs/cli.md"));
        for (Named named : commands()) {
            CommandLine line = new CommandLine(named.command());
            String example =
                    String.join(" ", line.getCommandSpec().usageMessage().footer());
            assertThat(example).as(named.words()).contains("rowlock " + named.words());
            assertThat(line.getCommandSpec().usageMessage().description())
                    .as(named.words())
                    .isNotEmpty();
            if (!line.getCommandSpec().usageMessage().hidden()) {
                assertThat(page).as("docs/cli.md").contains("`" + named.words());
            }
        }
    }
}
