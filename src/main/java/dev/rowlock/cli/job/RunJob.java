package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobOptions;
import dev.rowlock.cli.call.KnownValues;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Trees;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rowlock job run}. */
@Command(
        description = {
            "Runs a job now, paused or not.",
            "With --follow, shows what it writes until its last attempt has ended; of a broadcast, with the node in"
                    + " front of each line. It ends with the exit code of that attempt: 128 and the signal if it was"
                    + " killed, 1 if it was not run; of several parts the first that is not 0, by the names of their"
                    + " nodes."
        },
        exitCodeList = {
            ExitCode.DONE + ":it is going to run",
            ExitCode.FAILED + ":it is not",
            ExitCode.USAGE + ":not understood",
            ExitCode.NOT_ALLOWED + ":the token does not allow it",
            "n:with --follow, that of the job's command"
        },
        footer = "rowlock job run ops/backup --env DRY_RUN=1 --follow")
@Routes({
    "POST /api/v1/jobs/{ns}/{name}/run",
    "GET /api/v1/tasks",
    "GET /api/v1/tasks/{id}",
    "GET /api/v1/tasks/{id}/output"
})
public final class RunJob extends Change {

    @Mixin
    private final JobOptions.JobArgument named = new JobOptions.JobArgument();

    @Option(names = "--command", paramLabel = "COMMAND", description = "Execute this instead, this once.")
    private @Nullable String command;

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "One more variable; may be given several times.")
    private Map<String, String> env = Map.of();

    @Option(names = "--node", paramLabel = "NODE", description = "There.")
    private @Nullable String node;

    @Option(
            names = "--overlap",
            paramLabel = "POLICY",
            completionCandidates = KnownValues.Overlaps.class,
            description = "If the job executes: ${COMPLETION-CANDIDATES}; default: that of the job.")
    private @Nullable String overlap;

    @Option(
            names = {"-f", "--follow"},
            arity = "0",
            description = "Show what it writes, and end as it does.")
    private boolean follow;

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            description = "The same key makes, and answers, the same run.")
    private @Nullable String key;

    @Override
    protected int run() {
        if (follow && !isForPeople()) {
            throw misunderstood("--follow shows what the command writes; without it, -o shows the task");
        }
        ObjectNode body = Bodies.put(Trees.object(), "command", command);
        Bodies.put(body, "env", env);
        Bodies.put(body, "node", node);
        Bodies.put(body, "overlap", KnownValues.capitals(overlap));
        Ask ask = named.ask("POST", "/run");
        if (!body.isEmpty()) {
            ask.body(body);
        }
        return change(ask.header("Idempotency-Key", key == null ? TaskCommands.newKey() : key), this::runs);
    }

    private int runs(JsonNode task) {
        if (!follow) {
            return done(TaskViews.title(task) + " is going to run", task, TaskViews.TASKS);
        }
        say(TaskViews.title(task) + " is going to run");
        warn(task);
        return new RunFollow(this).follow(task.path("id").asLong());
    }
}
