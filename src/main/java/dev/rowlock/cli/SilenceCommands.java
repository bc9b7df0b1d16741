package dev.rowlock.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TimeZoneOption;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock silence …}: what is told to nobody until a time. */
final class SilenceCommands {

    private static final View SILENCES = View.named(
            "id",
            Column.number("ID", "id"),
            Column.text("ACTIVE", "active"),
            Column.time("UNTIL", "until"),
            Column.text("NAMESPACE", "namespace"),
            Column.text("JOB", "job"),
            Column.text("LABELS", "labels"),
            Column.text("RULE", "rule"),
            Column.text("REASON", "reason"));

    private SilenceCommands() {}

    /** {@code rowlock silence list}. */
    @Command(description = "Lists silences.", footer = "rowlock silence list")
    @Routes("GET /api/v1/silences")
    static final class ListSilences extends Remote {

        @Override
        protected int run() {
            return listAll("/silences", SILENCES);
        }
    }

    /** {@code rowlock silence get}. */
    @Command(description = "Shows a silence.", footer = "rowlock silence get 3")
    @Routes("GET /api/v1/silences/{silence}")
    static final class GetSilence extends Remote {

        @Parameters(paramLabel = "ID", description = "Its id.")
        private long id;

        @Override
        protected int run() {
            return show(ask(Ask.get("/silences/{}", Long.toString(id))), SILENCES);
        }
    }

    /** {@code rowlock silence add}. */
    @Command(
            description = "Silences alerts until a time. What is still open then is told then.",
            footer = "rowlock silence add --namespace db --until 2h --reason 'the database moves'")
    @Routes({"POST /api/v1/silences", "GET /api/v1/jobs/{ns}/{name}"})
    static final class AddSilence extends Change {

        @Option(
                names = "--until",
                paramLabel = "WHEN",
                required = true,
                description = "When it ends: 14:00, 'tomorrow 06:00', '2026-12-01 06:00', or how long from now on, such"
                        + " as 2h.")
        @SuppressWarnings("NullAway.Init") // picocli sets what is required
        private When until;

        @Mixin
        private final TimeZoneOption zone = new TimeZoneOption();

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Alerts of jobs of this namespace.")
        private @Nullable String namespace;

        @Option(names = "--job", paramLabel = "[NAMESPACE/]JOB", description = "Alerts of this job.")
        private @Nullable JobKey job;

        @Option(
                names = {"-l", "--label"},
                paramLabel = "NAME=VALUE",
                description = "Alerts of jobs with this label.")
        private final List<String> labels = new ArrayList<>();

        @Option(names = "--rule", paramLabel = "RULE", description = "What this rule raises.")
        private @Nullable String rule;

        @Option(names = "--reason", paramLabel = "TEXT", description = "A note for people.")
        private @Nullable String reason;

        @Override
        protected int run() {
            ObjectNode body = Trees.object().put("until", Times.text(zone.future(this, until, job)));
            Bodies.put(body, "namespace", job == null ? namespace : job.namespace());
            Bodies.put(body, "job", job == null ? null : job.name());
            Bodies.put(body, "rule", rule);
            Bodies.put(body, "reason", reason);
            Bodies.labels(body, labels);
            return change(Ask.of("POST", "/silences").body(body), "silenced", SILENCES);
        }
    }

    /** {@code rowlock silence delete}. */
    @Command(description = "Ends a silence now.", footer = "rowlock silence delete 3")
    @Routes("DELETE /api/v1/silences/{silence}")
    static final class DeleteSilence extends Change {

        @Parameters(paramLabel = "ID", description = "Its id.")
        private long id;

        @Override
        protected int run() {
            return change(Ask.of("DELETE", "/silences/{}", Long.toString(id)), "silence " + id + " is over", SILENCES);
        }
    }
}
