package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TimeZoneOption;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Moments;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import dev.rowlock.schedule.Durations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock freeze …}: stretches of time in which jobs start nothing by themselves. */
final class FreezeCommands {

    private static final View FREEZES = View.named(
            "id",
            Column.number("ID", "id"),
            Column.text("STATE", "state"),
            Column.time("FROM", "from"),
            Column.time("UNTIL", "until"),
            Column.text("THEN", "then"),
            Column.text("ALL", "all"),
            Column.text("NAMESPACES", "namespaces"),
            Column.text("LABELS", "labels"),
            Column.text("JOBS", "jobs"),
            Column.text("BY", "by"),
            Column.text("REASON", "reason"));

    private FreezeCommands() {}

    private static String said(JsonNode freeze, Moments moments) {
        return "freeze " + freeze.path("id").asText()
                + (freeze.path("then").asText().equals("SKIP") ? " skips" : " holds") + " what comes due until "
                + moments.absolute(Instant.parse(freeze.path("until").asText()));
    }

    /** {@code rowlock freeze}. */
    @Command(
            description = "Holds what comes due, or skips it, until a time. Runs that somebody asks for still run.",
            footer = "rowlock freeze --all --for 2h --reason 'the database moves'")
    @Routes({"POST /api/v1/freezes", "GET /api/v1/jobs/{ns}/{name}"})
    static final class AddFreeze extends Change {

        @Option(names = "--all", arity = "0", description = "All jobs.")
        private boolean all;

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Jobs of this namespace; may be repeated.")
        private final List<String> namespaces = new ArrayList<>();

        @Option(
                names = {"-l", "--label"},
                paramLabel = "NAME=VALUE",
                description = "Jobs with this label; may be repeated, for jobs with any of them.")
        private final List<String> labels = new ArrayList<>();

        @Option(names = "--job", paramLabel = "[NAMESPACE/]JOB", description = "This job; may be repeated.")
        private final List<JobKey> jobs = new ArrayList<>();

        @Option(names = "--for", paramLabel = "DURATION", description = "How long it lasts, such as 2h.")
        private @Nullable String lasts;

        @Option(names = "--from", paramLabel = "WHEN", description = "When it begins; default: now.")
        private @Nullable When from;

        @Option(
                names = "--until",
                paramLabel = "WHEN",
                description = "When it ends: 14:00, 'tomorrow 06:00' or '2026-12-01 06:00'.")
        private @Nullable When until;

        @Mixin
        private final TimeZoneOption zone = new TimeZoneOption();

        @Option(names = "--skip", arity = "0", description = "Skip what comes due, instead of holding it.")
        private boolean skip;

        @Option(names = "--reason", paramLabel = "TEXT", description = "A note for people.")
        private @Nullable String reason;

        @Override
        protected int run() {
            ObjectNode body = Trees.object();
            Bodies.put(body, "from", from == null ? null : Times.text(zone.future(this, from, null)));
            Bodies.put(body, "until", until == null ? null : Times.text(zone.future(this, until, null)));
            Bodies.put(body, "for", lasts);
            list(body, "namespaces", namespaces);
            Bodies.labels(body, labels);
            list(body, "jobs", jobs.stream().map(JobKey::toString).toList());
            if (all) {
                body.put("all", true);
            }
            Bodies.put(body, "then", skip ? "SKIP" : null);
            Bodies.put(body, "reason", reason);
            return change(
                    Ask.of("POST", "/freezes").body(body),
                    freeze -> done(said(freeze, printer().moments()), freeze, FREEZES));
        }

        private static void list(ObjectNode body, String name, List<String> values) {
            if (!values.isEmpty()) {
                ArrayNode list = body.putArray(name);
                values.forEach(list::add);
            }
        }
    }

    /** {@code rowlock freeze list}. */
    @Command(description = "Lists freezes, also those that are over.", footer = "rowlock freeze list")
    @Routes("GET /api/v1/freezes")
    static final class ListFreezes extends Remote {

        @Override
        protected int run() {
            return listAll("/freezes", FREEZES);
        }
    }

    /** {@code rowlock freeze get}. */
    @Command(description = "Shows a freeze.", footer = "rowlock freeze get 3")
    @Routes("GET /api/v1/freezes/{freeze}")
    static final class GetFreeze extends Remote {

        @Parameters(paramLabel = "ID", description = "Its id.")
        private long id;

        @Override
        protected int run() {
            return show(ask(Ask.get("/freezes/{}", Long.toString(id))), FREEZES);
        }
    }

    /** {@code rowlock freeze extend}. */
    @Command(
            description = {
                "Gives a freeze a later end, or another reason.",
                "An end that is earlier than it has needs --shorten; rowlock freeze end ends it now."
            },
            footer = "rowlock freeze extend 3 --until 08:00")
    @Routes({"GET /api/v1/freezes/{freeze}", "PATCH /api/v1/freezes/{freeze}", "GET /api/v1/jobs/{ns}/{name}"})
    static final class ExtendFreeze extends Change {

        @Parameters(paramLabel = "ID", description = "Its id.")
        private long id;

        @Option(names = "--for", paramLabel = "DURATION", description = "How long it lasts from now on, such as 1h.")
        private @Nullable String lasts;

        @Option(names = "--until", paramLabel = "WHEN", description = "When it ends.")
        private @Nullable When until;

        @Option(names = "--shorten", arity = "0", description = "Also if that is earlier than it ends as it is.")
        private boolean shorten;

        @Mixin
        private final TimeZoneOption zone = new TimeZoneOption();

        @Option(names = "--reason", paramLabel = "TEXT", description = "A note for people.")
        private @Nullable String reason;

        @Override
        protected int run() {
            Instant end = until == null ? fromNow() : zone.future(this, until, null);
            if (end != null && !shorten) {
                requireLater(end);
            }
            ObjectNode body = Trees.object();
            Bodies.put(body, "until", until == null ? null : Times.orNull(end));
            Bodies.put(body, "for", lasts);
            Bodies.put(body, "reason", reason);
            return change(
                    Ask.of("PATCH", "/freezes/{}", Long.toString(id)).body(body),
                    freeze -> done(said(freeze, printer().moments()), freeze, FREEZES));
        }

        /** Returns when it would end by what was said; null: nothing, or nothing that a node accepts. */
        private @Nullable Instant fromNow() {
            return Optional.ofNullable(lasts)
                    .flatMap(Durations::parse)
                    .map(around().clock().instant()::plus)
                    .orElse(null);
        }

        /** Refuses to end early by mistake: a duration counts from now, and not from the present end. */
        private void requireLater(Instant end) {
            JsonNode freeze = ask(Ask.get("/freezes/{}", Long.toString(id)));
            Instant present = Instant.parse(freeze.path("until").asText());
            if (end.isBefore(present) && !freeze.path("state").asText().equals("ENDED")) {
                Moments moments = printer().moments();
                throw new CommandFailed(
                        ExitCode.FAILED,
                        "freeze " + id + " lasts until " + moments.absolute(present) + " and would end earlier, at "
                                + moments.absolute(end) + "; add --shorten if you mean it");
            }
        }
    }

    /** {@code rowlock freeze end}. */
    @Command(description = "Ends a freeze now: what it held starts.", footer = "rowlock freeze end 3")
    @Routes("DELETE /api/v1/freezes/{freeze}")
    static final class EndFreeze extends Change {

        @Parameters(paramLabel = "ID", description = "Its id.")
        private long id;

        @Override
        protected int run() {
            return change(Ask.of("DELETE", "/freezes/{}", Long.toString(id)), "freeze " + id + " is over", FREEZES);
        }
    }
}
