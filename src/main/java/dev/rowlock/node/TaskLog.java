package dev.rowlock.node;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/** Lines of the log about one task: with {@code log.format: json} it is named in fields of its own. */
public final class TaskLog {

    private TaskLog() {}

    /**
     * Returns a warning about a task.
     *
     * @param trace the id of the trace that it is part of; null: of none
     */
    public static LoggingEventBuilder warn(Logger log, Executing executing, @Nullable String trace) {
        LoggingEventBuilder line = log.atWarn()
                .addKeyValue("job", executing.definition().key().toString())
                .addKeyValue("task", executing.task().id())
                .addKeyValue("launch", executing.launch().text());
        return trace == null ? line : line.addKeyValue("trace", trace);
    }
}
