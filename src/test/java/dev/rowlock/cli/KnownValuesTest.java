package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.access.Role;
import dev.rowlock.alert.AlertFilter.AlertState;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.Overlap;
import dev.rowlock.report.AuditTrail;
import dev.rowlock.task.Cause;
import dev.rowlock.task.RerunRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Words that options take, which nodes have in lists of their own. */
class KnownValuesTest {

    private static Iterable<String> offered(String command, String option) {
        List<String> words = List.of(command.split(" ", -1));
        CommandLine line = CliNode.commands(Map.of()).commandLine(words);
        for (String word : words) {
            line = line.getSubcommands().get(word);
        }
        return line.getCommandSpec().findOption(option).completionCandidates();
    }

    private static List<String> names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(Enum::name).toList();
    }

    @Test
    void are_those_that_nodes_know() {
        assertThat(offered("audit", "--action")).containsExactlyElementsOf(AuditTrail.ACTIONS);
        assertThat(offered("token add", "--role"))
                .containsExactlyElementsOf(
                        Stream.of(Role.values()).map(Role::word).toList());
        assertThat(offered("history", "--outcome")).containsExactlyElementsOf(names(Outcome.values()));
        assertThat(offered("task list", "--cause")).containsExactlyElementsOf(names(Cause.values()));
        assertThat(offered("task rerun", "--outcome"))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Outcome.values())
                        .filter(RerunRequest::canRunAgain)
                        .map(Enum::name)
                        .toList());
        assertThat(offered("alert list", "--state")).containsExactlyElementsOf(names(AlertState.values()));
        assertThat(offered("job run", "--overlap")).containsExactlyElementsOf(names(Overlap.values()));
    }

    @ParameterizedTest
    @CsvSource({
        "history, --outcome, FAILED",
        "task list, --state, ENDED",
        "audit, --kind, alert-channel",
        "audit, --action, sign_in_failed",
        "token add, --role, viewer"
    })
    void are_named_in_the_help(String command, String option, String value) {
        CommandLine line = CliNode.commands(Map.of()).commandLine(List.of(command.split(" ", -1)));
        for (String word : command.split(" ", -1)) {
            line = line.getSubcommands().get(word);
        }

        assertThat(line.getUsageMessage().replaceAll("\\s+", " "))
                .containsPattern(option + "=[A-Z]+ .{0,300}\\b" + value + "\\b");
    }
}
