package dev.rowlock.cli.job;

import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Filters;
import dev.rowlock.cli.call.KnownValues;
import dev.rowlock.cli.call.OutputOf;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.client.Ask;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock task …} and {@code rowlock history}. */
public final class TaskCommands {

    private TaskCommands() {}

    /** {@code rowlock task list}. */
    @Command(
            description = {
                "Lists tasks, live ones and those that have ended, the latest fire time first.",
                Filters.LEFT_OUT
            },
            footer = "rowlock task list --state EXECUTING")
    @Routes({"GET /api/v1/tasks", "GET /api/v1/jobs/{ns}/{name}"})
    public static final class ListTasks extends Remote {

        @Mixin
        private final Filters filters = new Filters();

        @Option(
                names = "--state",
                paramLabel = "STATE",
                completionCandidates = KnownValues.States.class,
                description = "${COMPLETION-CANDIDATES}.")
        private @Nullable String state;

        @Override
        protected int run() {
            filters.settle(this);
            return list(() -> filters.ask(state), filters.limit(), TaskViews.TASKS);
        }
    }

    /** {@code rowlock history}. */
    @Command(
            description = {"Lists what has ended, the latest fire time first.", Filters.LEFT_OUT},
            footer = "rowlock history ops/backup --outcome FAILED --since 7d")
    @Routes({"GET /api/v1/tasks", "GET /api/v1/jobs/{ns}/{name}"})
    public static final class ListHistory extends Remote {

        @Mixin
        private final Filters filters = new Filters();

        @Override
        protected int run() {
            filters.settle(this);
            return list(() -> filters.ask("ENDED"), filters.limit(), TaskViews.TASKS);
        }
    }

    /** Command about one task. */
    static final class TaskArgument {

        @Parameters(index = "0", paramLabel = "TASK", description = "The id of the task.")
        private long id;

        long id() {
            return id;
        }

        public Ask ask(String method, String below) {
            return Ask.of(method, "/tasks/{}" + below, id);
        }
    }

    /** {@code rowlock task show}. */
    @Command(description = "Shows a task.", footer = "rowlock task show 4711")
    @Routes("GET /api/v1/tasks/{id}")
    public static final class ShowTask extends Remote {

        @Mixin
        private final TaskArgument task = new TaskArgument();

        @Override
        protected int run() {
            return show(ask(task.ask("GET", "")), TaskViews.TASKS);
        }
    }

    /** {@code rowlock task why}. */
    @Command(
            description = "Says why a task is as it is: in a sentence, then step by step.",
            footer = "rowlock task why 4711")
    @Routes("GET /api/v1/tasks/{id}/explain")
    public static final class TaskWhy extends Remote {

        @Mixin
        private final TaskArgument task = new TaskArgument();

        @Override
        protected int run() {
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
    public static final class ShowLogs extends Remote {

        @Mixin
        private final TaskArgument task = new TaskArgument();

        @Option(
                names = {"-f", "--follow"},
                arity = "0",
                description = "Go on until it has ended.")
        private boolean follow;

        @Override
        protected int run() {
            new OutputOf(this, task.id()).copy(follow);
            return ExitCode.DONE;
        }
    }

    /** {@code rowlock task kill}. */
    @Command(description = "Stops a task.", footer = "rowlock task kill 4711 --yes")
    @Routes("POST /api/v1/tasks/{id}/kill")
    public static final class KillTask extends Change.Dangerous {

        @Mixin
        private final TaskArgument task = new TaskArgument();

        @Override
        protected int run() {
            require("task " + task.id() + " is going to be killed");
            return change(task.ask("POST", "/kill"), "task " + task.id() + " is asked to end", TaskViews.TASKS);
        }
    }

    /** Returns a unique key. */
    static String newKey() {
        return UUID.randomUUID().toString();
    }
}
