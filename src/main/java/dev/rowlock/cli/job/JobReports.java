package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobOptions;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TimeZoneOption;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.Printer;
import dev.rowlock.cli.output.Tone;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.field.Times;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock job …}: what is told of one. */
public final class JobReports {

    static final View FIRE_TIMES = View.named(
            "at",
            Column.text("LOCAL", "local"),
            Column.text("ZONE", "zone"),
            Column.time("HERE", "at"),
            Column.distance("LEFT", "at"));

    private static final View VERSIONS = View.named(
            "version",
            Column.number("VERSION", "version"),
            Column.time("FROM", "validFrom"),
            Column.time("UNTIL", "validUntil"),
            Column.text("BY", "changedBy"),
            Column.text("PAUSED", "paused"),
            Column.text("CHANGED", "fields"));

    private static final View DAYS = View.named(
            "day",
            Column.text("DAY", "day"),
            Column.number("RUNS", "runs"),
            Column.number("GOOD %", "successPercent"),
            Column.number("FAILED", "failed"),
            Column.number("LOST", "lost"),
            Column.number("SKIPPED", "skipped"),
            Column.number("MISSED", "missed"),
            Column.millis("P50", "durationMs.p50"),
            Column.millis("P95", "durationMs.p95"),
            Column.millis("LATE P95", "latenessMs.p95").whenWide());

    private JobReports() {}

    /** {@code rowlock job next}. */
    @Command(
            description = "Shows the next fire times of a job, where its schedule is meant and here.",
            footer = "rowlock job next ops/backup --count 3")
    @Routes({"GET /api/v1/jobs/{ns}/{name}", "GET /api/v1/jobs/{ns}/{name}/next"})
    public static final class ListFireTimes extends Remote {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Option(names = "--count", paramLabel = "N", description = "How many; default: 10.")
        private @Nullable Integer count;

        @Option(
                names = "--from",
                paramLabel = "WHEN",
                description =
                        "After this time instead of now: 14:00, '2026-12-01 06:00', one as a table prints it, or in"
                                + " how long, such as 2h.")
        private @Nullable When from;

        @Mixin
        private final TimeZoneOption zone = new TimeZoneOption();

        @Override
        protected int run() {
            Instant start = from == null ? null : zone.future(this, from, named.key());
            JsonNode preview =
                    ask(named.ask("GET", "/next").with("count", count).with("from", Times.orNull(start)));
            warn(preview);
            if (isTree()) {
                printer().tree(preview);
                return ExitCode.DONE;
            }
            if (isForPeople()) {
                say(preview.path("description").asText());
            }
            return showAll(preview.path("local"), FIRE_TIMES);
        }
    }

    /** Prints the sentence first, then the steps. */
    static int explain(Remote command, Ask ask) {
        JsonNode said = command.ask(ask);
        Printer printer = command.printer();
        if (!command.isForPeople()) {
            printer.tree(said);
            return ExitCode.DONE;
        }
        printer.line(Tone.STRONG.paint(CommandNames.in(said.path("summary").asText()), printer.colour()));
        printer.line("");
        for (JsonNode step : said.path("steps")) {
            String at = printer.moments().shown(step.path("at"));
            String what = String.format("%-11s", step.path("what").asText());
            printer.line(at + "  " + Tone.FAINT.paint(what, printer.colour()) + " "
                    + CommandNames.in(step.path("detail").asText()));
        }
        said.path("notKnown").forEach(unknown -> printer.line("not known: " + unknown.asText()));
        return ExitCode.DONE;
    }

    /** {@code rowlock job versions}. */
    @Command(
            description = "Lists the versions of a job, the newest first; or shows one, with its definition.",
            footer = "rowlock job versions ops/backup 3 -o yaml")
    @Routes({"GET /api/v1/jobs/{ns}/{name}/versions", "GET /api/v1/jobs/{ns}/{name}/versions/{version}"})
    public static final class ListVersions extends Remote {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Parameters(index = "1", arity = "0..1", paramLabel = "VERSION", description = "This one.")
        private @Nullable Integer version;

        @Option(names = "--limit", paramLabel = "N", description = "At most so many; default: 100.")
        private int limit = 100;

        @Override
        protected int run() {
            return version == null
                    ? list(() -> named.ask("GET", "/versions"), limit, VERSIONS)
                    : show(ask(named.ask("GET", "/versions/{}", version)), VERSIONS);
        }
    }

    /** {@code rowlock job diff}. */
    @Command(
            description = {
                "Compares two versions of a job: fields, and the fire times of seven days that appear and vanish.",
                "Ends with 0 if they say the same, 1 if not, and more than 1 if they could not be compared."
            },
            exitCodeList = {
                ExitCode.DONE + ":they say the same",
                ExitCode.DIFFERENT + ":they do not",
                ExitCode.USAGE + ":not understood",
                ExitCode.NOT_COMPARED + ":they could not be compared",
                ExitCode.NOT_ALLOWED + ":the token does not allow it"
            },
            footer = "rowlock job diff ops/backup 1 2")
    @Routes("GET /api/v1/jobs/{ns}/{name}/versions/{version}/diff")
    public static final class DiffJob extends Remote {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Parameters(index = "1", paramLabel = "VERSION", description = "The one before.")
        private int version;

        @Parameters(index = "2", arity = "0..1", paramLabel = "VERSION", description = "Default: the newest.")
        private @Nullable Integer to;

        @Override
        public int failure() {
            return ExitCode.NOT_COMPARED;
        }

        @Override
        protected int run() {
            JsonNode difference =
                    ask(named.ask("GET", "/versions/{}/diff", version).with("to", to));
            compare(this, difference, false);
            return difference.path("fields").isEmpty() ? ExitCode.DONE : ExitCode.DIFFERENT;
        }
    }

    /** @param back whether it is asked what happens when the later one is left for the earlier one */
    static void compare(Remote command, JsonNode difference, boolean back) {
        command.warn(difference);
        Printer printer = command.printer();
        if (!command.isForPeople()) {
            printer.tree(difference);
            return;
        }
        String before = back ? "after" : "before";
        String after = back ? "before" : "after";
        for (JsonNode field : difference.path("fields")) {
            line(printer, Tone.BAD, "- ", field, before);
            line(printer, Tone.GOOD, "+ ", field, after);
        }
        JsonNode times = difference.path("fireTimes");
        times(printer, Tone.BAD, "- fires at ", times, back ? "added" : "removed");
        times(printer, Tone.GOOD, "+ fires at ", times, back ? "removed" : "added");
    }

    private static void line(Printer printer, Tone tone, String sign, JsonNode field, String side) {
        if (!field.path(side).isNull()) {
            String text = sign + field.path("field").asText() + ": " + value(field.path(side));
            printer.line(tone.paint(text, printer.colour()));
        }
    }

    private static void times(Printer printer, Tone tone, String sign, JsonNode times, String which) {
        for (JsonNode time : times.path(which)) {
            printer.line(tone.paint(sign + printer.moments().shown(time), printer.colour()));
        }
        int more = times.path(which + "Count").asInt() - times.path(which).size();
        if (more > 0) {
            printer.line(tone.paint(sign + more + " more times", printer.colour()));
        }
    }

    private static String value(JsonNode value) {
        return value.isTextual() ? value.asText() : Trees.text(value);
    }

    /** Returns what changes in one field, on a line. */
    static String difference(JsonNode field) {
        return field.path("field").asText() + ": "
                + (field.path("before").isNull() ? "" : value(field.path("before")) + " → ")
                + value(field.path("after"));
    }

    /** {@code rowlock job stats}. */
    @Command(
            description = "Says how a job fares: now, in total, and by day (UTC).",
            footer = "rowlock job stats ops/backup --days 7")
    @Routes("GET /api/v1/jobs/{ns}/{name}/stats")
    public static final class GetStats extends Remote {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Option(names = "--days", paramLabel = "N", description = "How many days back; default: 30.")
        private @Nullable Integer days;

        @Override
        protected int run() {
            JsonNode stats = ask(named.ask("GET", "/stats").with("days", days));
            if (!isForPeople()) {
                return show(stats, new View(thing -> named.key().toString()));
            }
            JsonNode now = stats.path("now");
            say(now.isObject() ? streak(now) : "no run of it has succeeded or failed");
            ArrayNode rows = Trees.object().putArray("rows");
            stats.path("days").forEach(rows::add);
            ObjectNode total = rows.addObject().put("day", "total");
            stats.path("total").properties().forEach(field -> total.set(field.getKey(), field.getValue()));
            return showAll(rows, DAYS);
        }

        private static String streak(JsonNode now) {
            return now.path("streak").asText() + " in a row: "
                    + now.path("result").asText() + "; the last was task "
                    + now.path("lastTask").asText() + ", "
                    + now.path("lastOutcome").asText();
        }
    }
}
