package dev.rowlock.db;

import java.util.List;
import java.util.function.IntFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.config.JdbiConfig;

/**
 * Ids for new tasks, as a transaction needs them. They come from {@link IdBlocks}, so that a row can be written with
 * its id, and nothing is read back from the server. What a transaction that is undone was given, nobody gets again.
 */
public final class TaskIds implements JdbiConfig<TaskIds> {

    private IntFunction<List<Long>> source = count -> {
        throw new IllegalStateException("this connection gives no ids");
    };

    void from(IntFunction<List<Long>> blocks) {
        source = blocks;
    }

    /** Returns an id that no task has had. */
    public static long next(Handle handle) {
        return next(handle, 1).get(0);
    }

    /** Returns as many as there are to be new tasks, in rising order. */
    public static List<Long> next(Handle handle, int count) {
        return count == 0 ? List.of() : handle.getConfig(TaskIds.class).source.apply(count);
    }

    @Override
    public TaskIds createCopy() {
        TaskIds copy = new TaskIds();
        copy.source = source;
        return copy;
    }
}
