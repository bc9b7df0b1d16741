package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobOptions;
import dev.rowlock.cli.call.OutputOf;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.call.TimeZoneOption;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock backfill …}: past fire times that run now. */
public final class BackfillCommands {

    private static final View BACKFILLS = View.named(
            "id",
            Column.number("BACKFILL", "id"),
            Column.of("JOB", TaskViews::job),
            Column.text("STATE", "state"),
            Column.time("FROM", "from"),
            Column.time("UNTIL", "until"),
            Column.number("FIRE TIMES", "fireTimes"),
            Column.number("WAITING", "waiting"),
            Column.number("EXECUTING", "executing"),
            Column.of("OUTCOMES", backfill -> Cell.of(outcomes(backfill))),
            Column.time("NEXT", "nextFireTime").whenWide(),
            Column.text("BY", "createdBy").whenWide());

    private static final Set<String> GOOD = Set.of("SUCCEEDED", "SKIPPED", "EXPANDED");

    private BackfillCommands() {}

    private static String outcomes(JsonNode backfill) {
        return backfill.path("outcomes").properties().stream()
                .map(outcome ->
                        outcome.getValue().asText() + " " + outcome.getKey().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }

    /** {@code rowlock backfill}. */
    @Command(
            description = {
                "Runs the fire times that the schedule of a job has in a period that has passed, one after the other.",
                "It leaves out what succeeded, declined, waits or executes, unless --all is given; says how many are"
                        + " going to run, and asks. They stand behind all else that the job does. With --follow, it"
                        + " waits for the end, with exit code 1 if one did not succeed."
            },
            footer = "rowlock backfill ops/report --from 2026-03-01 --until 2026-04-01 --dry-run")
    @Routes({"POST /api/v1/jobs/{ns}/{name}/backfill", "GET /api/v1/backfills/{id}", "GET /api/v1/jobs/{ns}/{name}"})
    public static final class MakeBackfill extends Change.Dangerous {

        @Parameters(
                arity = "0..1",
                paramLabel = "JOB",
                description = "The job, NAMESPACE/NAME; a name alone: of default.")
        private @Nullable JobKey job;

        @Option(names = "--from", paramLabel = "WHEN", description = "Fire times from then on, such as 2026-03-01.")
        private @Nullable When from;

        @Option(names = "--until", paramLabel = "WHEN", description = "Fire times before it; default: now.")
        private @Nullable When until;

        @Mixin
        private final TimeZoneOption zone = new TimeZoneOption();

        @Option(names = "--all", arity = "0", description = "Those, too, that succeeded, declined, wait or execute.")
        private boolean all;

        @Option(names = "--newest-first", arity = "0", description = "Begin with the latest; default: the earliest.")
        private boolean newestFirst;

        @Option(names = "--parallel", paramLabel = "N", description = "How many execute at once; default: 1.")
        private @Nullable Integer parallel;

        @Option(names = "--priority", paramLabel = "N", description = "Of its tasks, -100 to 100; default: -50.")
        private @Nullable Integer priority;

        @Option(
                names = {"-f", "--follow"},
                arity = "0",
                description = "Wait for the end of it.")
        private boolean follow;

        @Option(
                names = "--idempotency-key",
                paramLabel = "KEY",
                description = "The same key makes, and answers, the same backfill.")
        private @Nullable String key;

        @Override
        protected int run() {
            if (job == null || from == null) {
                throw misunderstood("name a job, and --from WHEN; or one of list, show, cancel");
            }
            ObjectNode body = body(job, from);
            JsonNode would = ask(request(job).body(body.deepCopy().put("dryRun", true)));
            warn(would);
            if (isDryRun()) {
                return dryRun(would);
            }
            int many = would.path("toRun").asInt();
            if (many == 0) {
                say("nothing of it is left to run" + leftOut(would));
                return ExitCode.DONE;
            }
            require(many + (many == 1 ? " fire time of " : " fire times of ") + job + (many == 1 ? " is" : " are")
                    + " going to run" + leftOut(would));
            JsonNode made = ask(request(job)
                    .header("Idempotency-Key", key == null ? TaskCommands.newKey() : key)
                    .body(body));
            long id = made.path("id").asLong();
            if (!follow || id == 0) {
                return done("backfill " + id + " runs " + made.path("toRun").asText() + " fire times", made, BACKFILLS);
            }
            return follow(id);
        }

        private static Ask request(JobKey job) {
            return JobOptions.ask("POST", job, "/backfill");
        }

        private int dryRun(JsonNode would) {
            if (!isForPeople()) {
                printer().tree(would);
                return ExitCode.DONE;
            }
            say(would.path("toRun").asText() + " of " + would.path("fireTimes").asText() + " fire times would run"
                    + leftOut(would));
            return ExitCode.DONE;
        }

        private static String leftOut(JsonNode result) {
            Map<String, String> words =
                    Map.of("live", "wait or execute", "succeeded", "succeeded", "declined", "declined");
            String text = result.path("leftOut").properties().stream()
                    .filter(count -> count.getValue().asInt() > 0)
                    .map(count -> count.getValue().asText() + " " + words.get(count.getKey()))
                    .collect(Collectors.joining(", "));
            return text.isEmpty() ? "" : "; left out are those that need none: " + text;
        }

        private ObjectNode body(JobKey of, When since) {
            ObjectNode body = Trees.object().put("from", Times.text(zone.past(this, since, of)));
            if (until != null) {
                body.put("until", Times.text(zone.past(this, until, of)));
            }
            body.put("only", all ? "ALL" : "NOT_SUCCEEDED").put("order", newestFirst ? "NEWEST_FIRST" : "OLDEST_FIRST");
            return Bodies.put(Bodies.put(body, "parallel", parallel), "priority", priority);
        }

        private int follow(long id) {
            String said = "";
            JsonNode backfill;
            while (true) {
                backfill = ask(Ask.get("/backfills/{}", id));
                String now = backfill.path("waiting").asText() + " waiting, "
                        + backfill.path("executing").asText() + " executing"
                        + (outcomes(backfill).isEmpty() ? "" : ", " + outcomes(backfill));
                if (!now.equals(said)) {
                    say("backfill " + id + ": " + now);
                    said = now;
                }
                if (backfill.path("waiting").asInt()
                                + backfill.path("executing").asInt()
                        == 0) {
                    break;
                }
                OutputOf.rest();
            }
            boolean good = backfill.path("outcomes").properties().stream()
                    .allMatch(outcome -> GOOD.contains(outcome.getKey()));
            return good ? ExitCode.DONE : ExitCode.FAILED;
        }
    }

    /** {@code rowlock backfill list}. */
    @Command(description = "Lists backfills, the newest first.", footer = "rowlock backfill list --job ops/report")
    @Routes("GET /api/v1/backfills")
    public static final class ListBackfills extends Remote {

        @Option(names = "--job", paramLabel = "NAMESPACE/NAME", description = "Of this job.")
        private @Nullable String job;

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Of this namespace.")
        private @Nullable String namespace;

        @Override
        protected int run() {
            return list(() -> Ask.get("/backfills").with("job", job).with("namespace", namespace), null, BACKFILLS);
        }
    }

    /** {@code rowlock backfill show}. */
    @Command(description = "Shows a backfill.", footer = "rowlock backfill show 7")
    @Routes("GET /api/v1/backfills/{id}")
    public static final class ShowBackfill extends Remote {

        @Parameters(paramLabel = "ID", description = "The id of the backfill.")
        private long id;

        @Override
        protected int run() {
            return show(ask(Ask.get("/backfills/{}", id)), BACKFILLS);
        }
    }

    /** {@code rowlock backfill cancel}. */
    @Command(
            description = "Cancels what waits of a backfill; what executes goes on.",
            footer = "rowlock backfill cancel 7 --yes")
    @Routes("DELETE /api/v1/backfills/{id}")
    public static final class CancelBackfill extends Change.Dangerous {

        @Parameters(paramLabel = "ID", description = "The id of the backfill.")
        private long id;

        @Override
        protected int run() {
            require("what waits of backfill " + id + " is going to be cancelled");
            return change(Ask.of("DELETE", "/backfills/{}", id), "backfill " + id + " is cancelled", BACKFILLS);
        }
    }
}
