package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.job.Times;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock task …} and {@code rowlock history}. */
final class TaskCommands {

    private static final View RERUNS = View.named(
            "id",
            Column.number("TASK", "id"),
            Column.of("JOB", TaskViews::job),
            Column.time("FIRE TIME", "fireTime"),
            Column.number("AGAIN", "original"),
            Column.outcome("WAS", "outcome"),
            Column.number("FIRE TIMES", "occurrences").whenWide());

    private TaskCommands() {}

    /** {@code rowlock task list}. */
    @Command(
            description = "Lists tasks, live ones and those that have ended, the latest fire time first.",
            footer = "rowlock task list --state EXECUTING")
    @Routes("GET /api/v1/tasks")
    static final class ListAll extends Remote {

        @Mixin
        private final Filters filters = new Filters();

        @Option(names = "--state", paramLabel = "STATE", description = "IDLE, PREPARED, EXECUTING or ENDED.")
        private @Nullable String state;

        @Override
        int run() {
            return list(
                    (most, cursor) ->
                            filters.page(upper(state), around().clock().instant(), most, cursor),
                    filters.limit(),
                    TaskViews.TASKS);
        }
    }

    private static @Nullable String upper(@Nullable String word) {
        return word == null ? null : word.toUpperCase(Locale.ROOT);
    }

    /** {@code rowlock history}. */
    @Command(
            description = "Lists what has ended, the latest fire time first.",
            footer = "rowlock history ops/backup --outcome FAILED --since 7d")
    @Routes("GET /api/v1/tasks")
    static final class History extends Remote {

        @Mixin
        private final Filters filters = new Filters();

        @Override
        int run() {
            return list(
                    (most, cursor) -> filters.page("ENDED", around().clock().instant(), most, cursor),
                    filters.limit(),
                    TaskViews.TASKS);
        }
    }

    /** A command about one task. */
    static final class Named {

        @Parameters(index = "0", paramLabel = "TASK", description = "The id of the task.")
        private long id;

        long id() {
            return id;
        }

        Ask ask(String method, String below) {
            return Ask.of(method, "/tasks/{}" + below, id);
        }
    }

    /** {@code rowlock task show}. */
    @Command(description = "Shows a task.", footer = "rowlock task show 4711")
    @Routes("GET /api/v1/tasks/{id}")
    static final class Show extends Remote {

        @Mixin
        private final Named task = new Named();

        @Override
        int run() {
            return show(ask(task.ask("GET", "")), TaskViews.TASKS);
        }
    }

    /** {@code rowlock task why}. */
    @Command(
            description = "Says why a task is as it is: in a sentence, then step by step.",
            footer = "rowlock task why 4711")
    @Routes("GET /api/v1/tasks/{id}/explain")
    static final class Why extends Remote {

        @Mixin
        private final Named task = new Named();

        @Override
        int run() {
            return JobReports.explain(this, task.ask("GET", "/explain"));
        }
    }

    /** {@code rowlock task logs}. */
    @Command(
            description = {
                "Shows what a task has written, as it was written.",
                "With -f, also what it writes from now on until it has ended: from any node, and through restarts of"
                        + " the one that is asked."
            },
            footer = "rowlock task logs -f 4711")
    @Routes({"GET /api/v1/tasks/{id}", "GET /api/v1/tasks/{id}/output"})
    static final class Logs extends Remote {

        @Mixin
        private final Named task = new Named();

        @Option(
                names = {"-f", "--follow"},
                arity = "0",
                description = "Go on until it has ended.")
        private boolean follow;

        @Override
        int run() {
            new OutputOf(this, task.id()).copy(follow);
            return ExitCode.DONE;
        }
    }

    /** {@code rowlock task kill}. */
    @Command(description = "Stops a task.", footer = "rowlock task kill 4711 --yes")
    @Routes("POST /api/v1/tasks/{id}/kill")
    static final class Kill extends Change.Dangerous {

        @Mixin
        private final Named task = new Named();

        @Override
        int run() {
            require("task " + task.id() + " is going to be killed");
            return change(task.ask("POST", "/kill"), "task " + task.id() + " is asked to end", TaskViews.TASKS);
        }
    }

    /** {@code rowlock task rerun}. */
    @Command(
            description = {
                "Runs again what was lost, missed or failed in a stretch of time.",
                "With --dry-run, the node says what would run."
            },
            footer = "rowlock task rerun --since 2h --namespace ops --outcome LOST --dry-run")
    @Routes("POST /api/v1/tasks/rerun")
    static final class Rerun extends Change {

        @Option(
                names = "--since",
                required = true,
                paramLabel = "WHEN",
                description = "Fire times from then on: 2026-12-01T03:00:00Z, or how long ago, such as 2h.")
        private @Nullable When since;

        @Option(names = "--until", paramLabel = "WHEN", description = "Fire times before it; default: now.")
        private @Nullable When until;

        @Option(names = "--job", paramLabel = "NAMESPACE/NAME", description = "Of this job.")
        private @Nullable String job;

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Of this namespace.")
        private @Nullable String namespace;

        @Option(
                names = "--outcome",
                paramLabel = "OUTCOME",
                split = ",",
                description = "FAILED, LOST, MISSED; default: all three.")
        private List<String> outcomes = List.of();

        @Option(names = "--limit", paramLabel = "N", description = "At most so many; default: 100.")
        private @Nullable Integer limit;

        @Option(
                names = "--idempotency-key",
                paramLabel = "KEY",
                description = "The same key makes, and answers, the same runs.")
        private @Nullable String key;

        @Override
        int run() {
            JsonNode answer = ask(Ask.of("POST", "/tasks/rerun")
                    .header("Idempotency-Key", isDryRun() ? null : key == null ? newKey() : key)
                    .body(body()));
            warn(answer);
            if (!isForPeople()) {
                printer().tree(answer);
                return ExitCode.DONE;
            }
            answer.path("leftOut")
                    .forEach(left -> say("task " + left.path("task").asText() + " is left out: "
                            + left.path("reason").asText()));
            showAll(answer.path("created"), RERUNS);
            say(answer.path("created").size() + (isDryRun() ? " would run again" : " run again"));
            if (answer.path("nextSince").isTextual()) {
                say("there are more, from " + answer.path("nextSince").asText() + " on");
            }
            return ExitCode.DONE;
        }

        private ObjectNode body() {
            ObjectNode body = Trees.object();
            if (since != null) {
                body.put("since", Times.text(since.at(around().clock().instant())));
            }
            if (until != null) {
                body.put("until", Times.text(until.at(around().clock().instant())));
            }
            Bodies.put(Bodies.put(body, "job", job), "namespace", namespace);
            if (!outcomes.isEmpty()) {
                ArrayNode list = body.putArray("outcome");
                outcomes.forEach(outcome -> list.add(upper(outcome)));
            }
            Bodies.put(body, "limit", limit);
            return isDryRun() ? body.put("dryRun", true) : body;
        }
    }

    /** Nobody else has it. */
    static String newKey() {
        return UUID.randomUUID().toString();
    }
}
