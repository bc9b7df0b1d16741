package dev.rowlock.db;

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
}
