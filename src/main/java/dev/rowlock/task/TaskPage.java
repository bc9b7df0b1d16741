package dev.rowlock.task;

import dev.rowlock.task.TaskFilter.TaskPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that were found, newest first.
 *
 * @param reached position at which the search ended, as it had looked at enough: further matches may follow. Null: it
 *     has found as many as were requested, or all
 * @param total how many there are in all; null: that is not counted
 */
public record TaskPage(
        List<TaskView> tasks,
        @Nullable TaskPosition reached,
        @Nullable Total total) {}
