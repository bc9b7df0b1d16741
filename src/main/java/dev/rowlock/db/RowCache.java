package dev.rowlock.db;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Cache of rows that never change, for one pool or loop. Thread-safe. */
final class RowCache {

    private static final int KEPT = 200;
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(5);

    private final Servers servers;
    private final Map<String, Object> known = new LinkedHashMap<>(64, 0.75f, true);
    private @Nullable Database connection;
    private boolean closed;

    RowCache(Servers servers) {
        this.servers = servers;
    }

    synchronized <T> Optional<? extends Object> find(String key, Function<Handle, Optional<T>> read) {
        @Nullable Object kept = known.get(key);
        if (kept != null) {
            return Optional.of(kept);
        }
        Optional<T> row = connection().autoCommit("reading " + key, read);
        row.ifPresent(found -> known.put(key, found));
        if (known.size() > KEPT) {
            known.remove(known.keySet().iterator().next());
        }
        return row;
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

    synchronized void close() {
        closed = true;
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
