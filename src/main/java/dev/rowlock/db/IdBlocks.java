package dev.rowlock.db;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of ids that this process has taken from row {@code task_ids}, each in a transaction of its own over a
 * connection of its own: whoever needs ids holds locks, and should hold this row for nobody. The rest of a block is
 * never used once the process ends, or a new connection asks for ids. Once ids have been requested, a further block is
 * taken before each transaction begins, not under its locks. Thread-safe.
 */
final class IdBlocks {

    private static final int BLOCK = 500;
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(5);
    /** Number of times that other nodes may be faster. */
    private static final int TRIES = 100;

    /**
     * Query of the first id beyond every known one: a server that was restored, or took over without the last
     * transactions, may know less of the row than of the tasks. Each part is a look at the end of an index.
     */
    private static final String SEEN = """
            select i.next_id as seen,
                   greatest(i.next_id,
                            coalesce((select max(id) from task), 0) + 1,
                            coalesce((select max(task_id) from job_next), 0) + 1,
                            coalesce((select max(id) from task_history), 0) + 1) as first
              from task_ids i where i.id = 1
            """;

    private static final String TAKE =
            "update task_ids set next_id = :end where id = 1 and next_id = :seen and next_id < :end";

    private final Servers servers;
    private @Nullable Database connection;
    /** Connections over which ids were requested before. */
    private final Set<Connection> known = Collections.newSetFromMap(new WeakHashMap<>());

    private long next;
    private long end;
    /** First id of the spare block; 0: there is none. */
    private long spare;

    private boolean closed;

    IdBlocks(Servers servers) {
        this.servers = servers;
    }

    /**
     * Returns so many ids, in rising order. Where another server takes over, or an older state is restored, the block
     * may be unknown to have been taken; but then every connection is a new one, whether or not anybody saw the old one
     * break.
     *
     * @param over the connection that wants to write them
     * @throws DatabaseUnavailable there are not so many left, and more cannot be taken now
     */
    synchronized List<Long> take(Connection over, int count) {
        if (known.add(over)) {
            next = end;
            spare = 0;
        }
        List<Long> ids = new ArrayList<>(count);
        while (ids.size() < count) {
            if (next == end) {
                int size = spare > 0 ? BLOCK : Math.max(BLOCK, count - ids.size());
                next = spare > 0 ? spare : block(size);
                end = next + size;
                spare = 0;
            }
            ids.add(next++);
        }
        return ids;
    }

    /** Takes a spare block for the next transaction, if an earlier one requested ids. */
    synchronized void replenish() {
        if (end > 0 && spare == 0) {
            spare = block(BLOCK);
        }
    }

    synchronized void close() {
        closed = true;
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    /** Takes a new block, and returns its first id. */
    private long block(int size) {
        for (int tried = 0; tried < TRIES; tried++) {
            long first = taken(size);
            if (first > 0) {
                return first;
            }
        }
        throw new IllegalStateException("other nodes took ids of tasks before this one, " + TRIES + " times in a row");
    }

    /** Tries to take a block, and returns its first id; 0: another node was faster, or the outcome is unknown. */
    private long taken(int size) {
        try {
            return connection().transact("taking ids for tasks", handle -> taken(handle, size));
        } catch (CommitUnknown lost) { // a block that may be ours is nobody's
            return 0;
        }
    }

    private static long taken(Handle handle, int size) {
        long[] row = Sql.query(handle, SEEN)
                .map((found, context) -> new long[] {found.getLong("seen"), found.getLong("first")})
                .findOne()
                .orElseThrow(() -> new IllegalStateException("the row of task_ids is missing"));
        return Sql.update(handle, TAKE, "seen", row[0], "end", row[1] + size) == 1 ? row[1] : 0;
    }

    private Database connection() {
        if (closed) {
            throw new IllegalStateException("this connection is closed");
        }
        if (connection == null) {
            connection = Database.single(servers, SOCKET_TIMEOUT);
        }
        return connection;
    }
}
