package dev.rowlock.db;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.config.JdbiConfig;
import org.jspecify.annotations.Nullable;

/**
 * Rows that never change once they are there. They are read over a connection of their own, so that they may be asked
 * for while another answer is being read; this object stays of use after its statement.
 */
public final class KnownRows implements JdbiConfig<KnownRows> {

    private @Nullable RowCache cache;

    void in(RowCache rows) {
        cache = rows;
    }

    /**
     * Returns what is made of a row; empty if there is no such row.
     *
     * @param key unlike that of any other row
     * @throws DatabaseUnavailable it was not read before, and the database does not answer
     */
    public <T> Optional<T> find(String key, Class<T> type, Function<Handle, Optional<T>> read) {
        return Objects.requireNonNull(cache).find(key, read).map(type::cast);
    }

    @Override
    public KnownRows createCopy() {
        KnownRows copy = new KnownRows();
        copy.cache = cache;
        return copy;
    }

    /** Cache of such rows, for one pool or loop. Thread-safe. */
    static final class RowCache {

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
}
