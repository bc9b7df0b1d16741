package dev.rowlock.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.KnownValues;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.call.TimeZoneOption;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Moments;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.field.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rowlock audit}, {@code forecast} and {@code overview}: what is told of all of it. */
public final class ReportCommands {

    private static final View AUDIT = View.named(
            "id",
            Column.time("AT", "at"),
            Column.text("WHO", "who"),
            Column.text("ACTION", "action"),
            Column.text("KIND", "kind"),
            Column.of("NAME", ReportCommands::changed),
            Column.of("BEFORE", row -> text(row.path("before"))).whenWide(),
            Column.of("AFTER", row -> text(row.path("after"))),
            Column.text("ROLE", "role").whenWide(),
            Column.text("ADDRESS", "address").whenWide(),
            Column.text("REQUEST", "requestId").whenWide());

    private static final View BUCKETS = View.named(
            "at",
            Column.time("FROM", "at"),
            Column.number("STARTS", "starts"),
            Column.number("SKIPPED", "skipped"),
            Column.number("RUNNING P50", "running.p50"),
            Column.number("P95", "running.p95"));

    static final View FAILING = new View(
            TaskViews::jobName,
            Column.of("JOB", TaskViews::job),
            Column.outcome("RESULT", "lastOutcome"),
            Column.number("STREAK", "streak"),
            Column.distance("SINCE", "since"),
            Column.number("TASK", "lastTask"),
            Column.text("REASON", "lastReason"));

    private ReportCommands() {}

    private static Cell changed(JsonNode row) {
        String namespace = row.path("namespace").asText("");
        return Cell.of(
                row.path("namespace").isTextual()
                        ? namespace + "/" + row.path("name").asText()
                        : row.path("name").asText());
    }

    private static Cell text(JsonNode value) {
        return value.isNull() ? Cell.NONE : Cell.of(Trees.text(value));
    }

    /** {@code rowlock audit}. */
    @Command(
            description = "Lists who changed what, the newest first.",
            footer = "rowlock audit --who deploy --since 7d -o wide")
    @Routes("GET /api/v1/audit")
    public static final class AuditCommand extends Remote {

        @Option(names = "--who", paramLabel = "TOKEN", description = "Changes by this token or person.")
        private @Nullable String who;

        @Option(
                names = "--action",
                paramLabel = "ACTION",
                completionCandidates = KnownValues.Actions.class,
                description = "${COMPLETION-CANDIDATES}.")
        private @Nullable String action;

        @Option(
                names = "--kind",
                paramLabel = "KIND",
                completionCandidates = KnownValues.Kinds.class,
                description = "Of what: ${COMPLETION-CANDIDATES}.")
        private @Nullable String kind;

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Of what belongs to it.")
        private @Nullable String namespace;

        @Option(names = "--name", paramLabel = "NAME", description = "Of what is called so.")
        private @Nullable String name;

        @Option(
                names = "--since",
                paramLabel = "WHEN",
                description = "From then on: 03:00, yesterday, '2026-12-01 03:00', or how long ago, such as 2h.")
        private @Nullable When since;

        @Option(names = "--until", paramLabel = "WHEN", description = "Before then.")
        private @Nullable When until;

        @Mixin
        private final TimeZoneOption zone = new TimeZoneOption();

        private @Nullable Instant from;
        private @Nullable Instant to;

        @Option(names = "--limit", paramLabel = "N", description = "At most so many; default: 100.")
        private int limit = 100;

        @Override
        protected int run() {
            from = since == null ? null : zone.past(this, since, null);
            to = until == null ? null : zone.past(this, until, null);
            return list(this::asked, limit, AUDIT);
        }

        private Ask asked() {
            return Ask.get("/audit")
                    .with("who", who)
                    .with("action", KnownValues.small(action))
                    .with("kind", KnownValues.small(kind))
                    .with("namespace", namespace)
                    .with("name", name)
                    .with("since", Times.orNull(from))
                    .with("until", Times.orNull(to));
        }
    }

    /** {@code rowlock forecast}. */
    @Command(
            description = "Foretells the load, if every job goes on as it has.",
            footer = "rowlock forecast --hours 6 --by minute")
    @Routes("GET /api/v1/forecast")
    public static final class ForecastCommand extends Remote {

        @Option(names = "--hours", paramLabel = "N", description = "How far ahead; default: 24.")
        private @Nullable Integer hours;

        @Option(
                names = "--by",
                paramLabel = "WIDTH",
                completionCandidates = KnownValues.Widths.class,
                description = "hour (default) or minute.")
        private @Nullable String by;

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Of its jobs alone.")
        private @Nullable String namespace;

        @Option(names = "--node", paramLabel = "NODE", description = "What this node may run.")
        private @Nullable String node;

        @Override
        protected int run() {
            JsonNode forecast = ask(Ask.get("/forecast")
                    .with("hours", hours)
                    .with("by", KnownValues.small(by))
                    .with("namespace", namespace)
                    .with("node", node));
            if (!isForPeople()) {
                return show(forecast, View.named("from"));
            }
            for (JsonNode hot : forecast.path("hotMinutes")) {
                say("much at once: " + hot.path("starts").asText() + " starts of "
                        + hot.path("jobs").asText() + " jobs at "
                        + hot.path("at").asText());
            }
            JsonNode frozen = forecast.path("frozen");
            if (frozen.path("held").asLong() + frozen.path("skipped").asLong() > 0) {
                say("freezes hold " + frozen.path("held").asText() + " occurrences, and skip "
                        + frozen.path("skipped").asText());
            }
            return showAll(forecast.path("buckets"), BUCKETS);
        }
    }

    /** {@code rowlock overview}. */
    @Command(
            description = "Says whether all is well: the database, nodes, jobs that fail, tasks that are late or long.",
            footer = "rowlock overview")
    @Routes("GET /api/v1/overview")
    public static final class OverviewCommand extends Remote {

        @Override
        protected int run() {
            JsonNode overview = ask(Ask.get("/overview"));
            if (!isForPeople()) {
                return show(overview, View.named("at"));
            }
            overviewLines(overview).forEach(printer()::line);
            if (overview.path("failing").path("count").asInt() > 0) {
                printer().line("");
                showAll(overview.path("failing").path("items"), FAILING);
            }
            return ExitCode.DONE;
        }
    }

    /** Returns what matters most, a line each. */
    public static List<String> overviewLines(JsonNode overview) {
        List<String> lines = new ArrayList<>();
        JsonNode database = overview.path("database");
        lines.add("database  " + database.path("state").asText()
                + (database.path("problem").isTextual()
                        ? ": " + database.path("problem").asText()
                        : ""));
        StringBuilder nodes = new StringBuilder("nodes    ");
        for (JsonNode node : overview.path("nodes")) {
            nodes.append(nodes.charAt(nodes.length() - 1) == ' ' ? " " : ", ")
                    .append(node.path("node").asText())
                    .append(' ')
                    .append(node.path("state").asText());
            if (node.has("executing")) {
                nodes.append(" (").append(node.path("executing").asText()).append(" of ");
                nodes.append(node.path("capacity").asText()).append(')');
            }
        }
        lines.add(nodes.toString());
        if (overview.path("failing").isMissingNode()) {
            lines.add("          it has not said more yet");
            return lines;
        }
        addWork(lines, overview);
        JsonNode verified = overview.path("lastVerification");
        lines.add("verified  "
                + (verified.isObject()
                        ? verified.path("at").asText() + ", "
                                + verified.path("wrongJobs").asText() + " jobs wrong"
                        : "never; rowlock verify proves that nothing was lost"));
        return lines;
    }

    /** Adds what goes on with jobs and their tasks. */
    private static void addWork(List<String> lines, JsonNode overview) {
        lines.add("failing   " + counted(overview.path("failing"), "count", "job"));
        lines.add("stuck     " + counted(overview.path("stuck"), "count", "job"));
        lines.add("late      " + counted(overview.path("late"), "count", "task"));
        overview.path("waiting")
                .properties()
                .forEach(hold -> lines.add("waiting   "
                        + counted(hold.getValue(), "tasks", "task") + " for " + hold.getKey() + ", such as: "
                        + hold.getValue().path("example").asText()));
        for (JsonNode longer : overview.path("runningLong").path("items")) {
            lines.add("long      task " + longer.path("id").asText() + " of " + TaskViews.jobName(longer) + " runs for "
                    + Moments.length(Duration.ofMillis(longer.path("runningMs").asLong())));
        }
        for (JsonNode due : overview.path("unfinished")) {
            long margin = due.path("marginMs").asLong();
            lines.add("finish    " + TaskViews.jobName(due) + " "
                    + Moments.length(Duration.ofMillis(Math.abs(margin)))
                    + (margin < 0 ? " after its deadline, " : " left until ")
                    + due.path("finishBy").asText());
        }
        overview.path("calendarsEnding")
                .forEach(calendar ->
                        lines.add("calendar  " + calendar.path("name").asText() + " has no dates beyond "
                                + calendar.path("knownUntil").asText()));
    }

    private static String counted(JsonNode counted, String field, String one) {
        boolean more = counted.path("more").asBoolean();
        return counted.path(field).asText()
                + (more ? " or more " : " ")
                + one
                + (counted.path(field).asLong() == 1 && !more ? "" : "s");
    }
}
