package dev.rowlock.db;

import java.sql.Connection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.config.JdbiConfig;

/**
 * Ids for new tasks, taken as a transaction needs them. They come from {@link IdBlocks}, so that a row can be written
 * with its id, and nothing is read back from the server. Ids of an undone transaction are never used again.
 */
public final class TaskIds implements JdbiConfig<TaskIds> {

    private Source source = (over, count) -> {
        throw new IllegalStateException("this connection gives no ids");
    };

    /** Source of ids. */
    interface Source {
        /** Takes so many ids, for a transaction that writes them over this connection. */
        List<Long> take(Connection over, int count);
    }

    void from(Source blocks) {
        source = blocks;
    }

    /** Returns an id that no task has had. */
    public static long next(Handle handle) {
        return next(handle, 1).get(0);
    }

    /** Returns as many ids as there are to be new tasks, in rising order. */
    public static List<Long> next(Handle handle, int count) {
        return count == 0 ? List.of() : handle.getConfig(TaskIds.class).source.take(handle.getConnection(), count);
    }

    @Override
    public TaskIds createCopy() {
        TaskIds copy = new TaskIds();
        copy.source = source;
        return copy;
    }
}
