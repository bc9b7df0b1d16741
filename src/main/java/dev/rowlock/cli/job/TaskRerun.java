package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.KnownValues;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.call.TimeZoneOption;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock task rerun}. */
@Command(
        description = {
            "Runs again what was lost, missed, failed or timed out in a stretch of time, or one task.",
            "Of a stretch of time, it says how many are going to run and asks. With --dry-run, the node says what would"
                    + " run."
        },
        footer = "rowlock task rerun --since 2h --namespace ops --outcome LOST --dry-run")
@Routes({"POST /api/v1/tasks/rerun", "GET /api/v1/jobs/{ns}/{name}"})
public final class TaskRerun extends Change.Dangerous {

    private static final View RERUNS = View.named(
            "id",
            Column.number("TASK", "id"),
            Column.of("JOB", TaskViews::job),
            Column.time("FIRE TIME", "fireTime"),
            Column.number("AGAIN", "original"),
            Column.outcome("WAS", "outcome"),
            Column.number("FIRE TIMES", "occurrences").whenWide());

    @Parameters(arity = "0..1", paramLabel = "[TASK]", description = "The id of the one that is to run again.")
    private @Nullable Long task;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "Fire times from then on: 03:00, yesterday, '2026-12-01 03:00', or how long ago, such as 2h.")
    private @Nullable When since;

    @Option(names = "--until", paramLabel = "WHEN", description = "Fire times before it; default: now.")
    private @Nullable When until;

    @Mixin
    private final TimeZoneOption zone = new TimeZoneOption();

    @Option(names = "--job", paramLabel = "[NAMESPACE/]JOB", description = "Of this job.")
    private @Nullable JobKey job;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Of this namespace.")
    private @Nullable String namespace;

    @Option(
            names = "--outcome",
            paramLabel = "OUTCOME",
            split = ",",
            completionCandidates = KnownValues.Repeatable.class,
            description = "FAILED, LOST, MISSED, TIMED_OUT; default: all four. When named, KILLED, SKIPPED, CANCELLED,"
                    + " too.")
    private List<String> outcomes = List.of();

    @Option(names = "--limit", paramLabel = "N", description = "At most so many; default: 100.")
    private @Nullable Integer limit;

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            description = "The same key makes, and answers, the same runs.")
    private @Nullable String key;

    @Override
    protected int run() {
        boolean isWindow = since != null || until != null || job != null || namespace != null || !outcomes.isEmpty();
        if ((task == null) != (since != null) || (task != null && isWindow)) {
            throw misunderstood("name one task, or --since WHEN with what else it is about");
        }
        ObjectNode body = body();
        if (task == null && !isDryRun()) {
            JsonNode would =
                    ask(Ask.of("POST", "/tasks/rerun").body(body.deepCopy().put("dryRun", true)));
            int many = would.path("created").size();
            if (many > 0) {
                require(many + (many == 1 ? " task is" : " tasks are") + " going to run again"
                        + (would.path("nextSince").isTextual() ? ", of more" : ""));
            }
        }
        JsonNode answer = ask(Ask.of("POST", "/tasks/rerun")
                .header("Idempotency-Key", isDryRun() ? null : key == null ? TaskCommands.newKey() : key)
                .body(isDryRun() ? body.put("dryRun", true) : body));
        warn(answer);
        if (!isForPeople()) {
            printer().tree(answer);
            return code(answer);
        }
        answer.path("leftOut")
                .forEach(left -> say("task " + left.path("task").asText() + " is left out: "
                        + left.path("reason").asText()));
        showAll(answer.path("created"), RERUNS);
        say(answer.path("created").size() + (isDryRun() ? " would run again" : " run again"));
        if (answer.path("nextSince").isTextual()) {
            say("there are more, from " + answer.path("nextSince").asText() + " on");
        }
        return code(answer);
    }

    /** Returns the exit code: a single named task that does not run is a failure. */
    private int code(JsonNode answer) {
        return task != null && answer.path("created").isEmpty() ? ExitCode.FAILED : ExitCode.DONE;
    }

    private ObjectNode body() {
        ObjectNode body = Trees.object();
        if (task != null) {
            return body.put("task", task);
        }
        if (since != null) {
            body.put("since", Times.text(zone.past(this, since, job)));
        }
        if (until != null) {
            body.put("until", Times.text(zone.past(this, until, job)));
        }
        Bodies.put(Bodies.put(body, "job", job), "namespace", namespace);
        if (!outcomes.isEmpty()) {
            ArrayNode list = body.putArray("outcome");
            outcomes.forEach(outcome -> list.add(outcome.toUpperCase(Locale.ROOT)));
        }
        return Bodies.put(body, "limit", limit);
    }
}
