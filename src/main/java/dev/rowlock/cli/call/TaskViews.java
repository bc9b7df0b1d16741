package dev.rowlock.cli.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.View;

/** Views of tasks. */
public final class TaskViews {

    public static final View TASKS = View.named(
            "id",
            Column.number("TASK", "id"),
            Column.of("JOB", TaskViews::job),
            Column.time("FIRE TIME", "fireTime"),
            Column.of("STATE", TaskViews::state),
            Column.text("CAUSE", "cause"),
            Column.text("NODE", "node"),
            Column.distance("STARTED", "startedAt"),
            Column.millis("TOOK", "durationMs"),
            Column.millis("LATE", "latenessMs").whenWide(),
            Column.number("ATTEMPT", "attempt").whenWide(),
            Column.number("EXIT", "exitCode").whenWide(),
            Column.number("OUTPUT", "outputBytes").whenWide(),
            Column.of("REASON", TaskViews::reason));

    private TaskViews() {}

    public static Cell job(JsonNode task) {
        return Cell.of(jobName(task));
    }

    public static String jobName(JsonNode task) {
        return task.path("namespace").asText() + "/" + task.path("job").asText();
    }

    /** Returns the outcome if there is one, as it says more than the state. */
    static Cell state(JsonNode task) {
        return task.path("outcome").isTextual() ? Column.outcome(task.path("outcome")) : Cell.of(task.path("state"));
    }

    /** Returns the reason, with the number of fire times that the row stands for, unless it is one. */
    private static Cell reason(JsonNode task) {
        long occurrences = task.path("occurrences").asLong(1);
        String reason = CommandNames.in(task.path("reason").asText(""));
        return Cell.of(Cell.printable(occurrences == 1 ? reason : "(" + occurrences + " fire times) " + reason));
    }

    /** Returns the task in words for people: {@code task 17 of ops/backup}. */
    public static String title(JsonNode task) {
        return "task " + task.path("id").asText() + " of " + jobName(task);
    }
}
