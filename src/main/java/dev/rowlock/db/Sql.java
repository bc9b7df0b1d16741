package dev.rowlock.db;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Statements with their values, given in pairs of the name of a parameter and its value. */
public final class Sql {

    private Sql() {}

    public static Query query(Handle handle, String sql, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values);
    }

    /** Executes an update, and returns the number of rows changed. */
    public static int update(Handle handle, String sql, @Nullable Object... values) {
        return bound(handle.createUpdate(sql), values).execute();
    }

    private static <T extends SqlStatement<T>> T bound(T statement, @Nullable Object... values) {
        for (int i = 0; i < values.length; i += 2) {
            statement.bind(String.valueOf(values[i]), values[i + 1]);
        }
        return statement;
    }
}
