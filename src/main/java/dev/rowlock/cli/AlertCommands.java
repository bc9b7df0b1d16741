package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.KnownValues;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.View;
import dev.rowlock.definition.JobKey;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock alert …}, {@code channel …} and {@code rule …}: who is told of what. */
final class AlertCommands {

    private static final View ALERTS = View.named(
            "id",
            Column.number("ID", "id"),
            Column.text("CONDITION", "condition"),
            Column.text("NAMESPACE", "namespace"),
            Column.text("JOB", "job"),
            Column.text("NODE", "node").whenWide(),
            Column.distance("RAISED", "raisedAt"),
            Column.text("STATE", "state"),
            Column.text("MESSAGES", "sending"),
            Column.text("RULE", "rule"));

    private static final View CHANNELS = View.named(
            "name",
            Column.text("CHANNEL", "name"),
            Column.text("TYPE", "type"),
            Column.text("DESTINATION", "destination"),
            Column.text("SIGNED", "signed").whenWide(),
            Column.text("DESCRIPTION", "description"));

    private static final View RULES = View.named(
            "name",
            Column.text("RULE", "name"),
            Column.text("WHEN", "when"),
            Column.text("NAMESPACE", "namespace"),
            Column.text("JOB", "job"),
            Column.text("CHANNELS", "channels"));

    private AlertCommands() {}

    /** {@code rowlock alert list}. */
    @Command(description = "Lists what was raised, the newest first.", footer = "rowlock alert list --state OPEN")
    @Routes("GET /api/v1/alerts")
    static final class ListAlerts extends Remote {

        @Option(
                names = "--state",
                paramLabel = "STATE",
                completionCandidates = KnownValues.AlertStates.class,
                description = "OPEN, CLOSED, or what became of the messages: WAITING, SENT, SILENCED, GIVEN_UP.")
        private @Nullable String state;

        @Option(names = "--rule", paramLabel = "RULE", description = "What this rule raised.")
        private @Nullable String rule;

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Of jobs of this namespace.")
        private @Nullable String namespace;

        @Option(names = "--job", paramLabel = "[NAMESPACE/]JOB", description = "Of this job.")
        private @Nullable JobKey job;

        @Option(names = "--limit", paramLabel = "N", description = "So many at most; default: ${DEFAULT-VALUE}.")
        private int limit = 100;

        @Override
        protected int run() {
            return list(
                    () -> Ask.get("/alerts")
                            .with("state", KnownValues.capitals(state))
                            .with("rule", rule)
                            .with("namespace", job == null ? namespace : job.namespace())
                            .with("job", job == null ? null : job.name()),
                    limit,
                    ALERTS);
        }
    }

    /** {@code rowlock channel list}. */
    @Command(description = "Lists where messages go.", footer = "rowlock channel list")
    @Routes("GET /api/v1/alerts/channels")
    static final class ListChannels extends Remote {

        @Override
        protected int run() {
            return listAll("/alerts/channels", CHANNELS);
        }
    }

    /** {@code rowlock channel get}. */
    @Command(description = "Shows a channel, without what is secret of it.", footer = "rowlock channel get ops")
    @Routes("GET /api/v1/alerts/channels/{channel}")
    static final class GetChannel extends Remote {

        @Parameters(paramLabel = "CHANNEL", description = "The name of the channel.")
        private String name = "";

        @Override
        protected int run() {
            return show(ask(Ask.get("/alerts/channels/{}", name)), CHANNELS);
        }
    }

    /** {@code rowlock channel put}. */
    @Command(
            description = {
                "Makes or replaces a channel. Its fields are read from a file of YAML or JSON, or from standard input:",
                "its URL may be a secret, which others of this host could read on the command line."
            },
            footer = "rowlock channel put ops -f channel.yaml")
    @Routes("PUT /api/v1/alerts/channels/{channel}")
    static final class PutChannel extends FromFile {

        @Parameters(paramLabel = "CHANNEL", description = "The name of the channel.")
        private String name = "";

        @Override
        protected int run() {
            Ask ask = Ask.of("PUT", "/alerts/channels/{}", name);
            if (!isDryRun()) {
                ask.body(fields()); // with what is secret, which is not shown
            }
            return change(ask, "channel " + name + " is stored; try it: rowlock channel test " + name, CHANNELS);
        }
    }

    /** {@code rowlock channel delete}. */
    @Command(description = "Deletes a channel that no rule uses.", footer = "rowlock channel delete ops --yes")
    @Routes("DELETE /api/v1/alerts/channels/{channel}")
    static final class DeleteChannel extends Change.Dangerous {

        @Parameters(paramLabel = "CHANNEL", description = "The name of the channel.")
        private String name = "";

        @Override
        protected int run() {
            return delete("channel " + name, Ask.of("DELETE", "/alerts/channels/{}", name), CHANNELS);
        }
    }

    /** {@code rowlock channel test}. */
    @Command(
            description = "Sends a test message now. Exit code 1: it was not taken.",
            footer = "rowlock channel test ops")
    @Routes("POST /api/v1/alerts/channels/{channel}/test")
    static final class TestChannel extends Change {

        @Parameters(paramLabel = "CHANNEL", description = "The name of the channel.")
        private String name = "";

        @Override
        protected int run() {
            return change(Ask.of("POST", "/alerts/channels/{}/test", name), this::told);
        }

        private int told(JsonNode answer) {
            if (answer.path("sent").asBoolean()) {
                return done("the message was taken", answer, CHANNELS);
            }
            throw new CommandFailed(
                    ExitCode.FAILED,
                    "the message was not taken: " + answer.path("problem").asText());
        }
    }

    /** {@code rowlock rule list}. */
    @Command(description = "Lists what is told, of which jobs, and where.", footer = "rowlock rule list")
    @Routes("GET /api/v1/alerts/rules")
    static final class ListRules extends Remote {

        @Override
        protected int run() {
            return listAll("/alerts/rules", RULES);
        }
    }

    /** {@code rowlock rule get}. */
    @Command(description = "Shows a rule; -o yaml: all of it.", footer = "rowlock rule get backup -o yaml")
    @Routes("GET /api/v1/alerts/rules/{rule}")
    static final class GetRule extends Remote {

        @Parameters(paramLabel = "RULE", description = "The name of the rule.")
        private String name = "";

        @Override
        protected int run() {
            return show(ask(Ask.get("/alerts/rules/{}", name)), RULES);
        }
    }

    /** {@code rowlock rule put}. */
    @Command(
            description = "Makes or replaces a rule. Its fields are read from a file of YAML or JSON, or from standard"
                    + " input.",
            footer = "rowlock rule put backup -f rule.yaml")
    @Routes("PUT /api/v1/alerts/rules/{rule}")
    static final class PutRule extends FromFile {

        @Parameters(paramLabel = "RULE", description = "The name of the rule.")
        private String name = "";

        @Override
        protected int run() {
            Ask ask = Ask.of("PUT", "/alerts/rules/{}", name).body(fields());
            return change(ask, "rule " + name + " is stored", RULES);
        }
    }

    /** {@code rowlock rule delete}. */
    @Command(description = "Deletes a rule; what it told of is over.", footer = "rowlock rule delete backup --yes")
    @Routes("DELETE /api/v1/alerts/rules/{rule}")
    static final class DeleteRule extends Change.Dangerous {

        @Parameters(paramLabel = "RULE", description = "The name of the rule.")
        private String name = "";

        @Override
        protected int run() {
            return delete("rule " + name, Ask.of("DELETE", "/alerts/rules/{}", name), RULES);
        }
    }

    /** Command for something whose fields are in a file. */
    abstract static class FromFile extends Change {

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "The fields are in this file; default: standard input.")
        private Path file = Path.of("-");

        final ObjectNode fields() {
            return Bodies.file(file, around().in());
        }
    }
}
