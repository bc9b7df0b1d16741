package dev.rowlock.store;

import com.mysql.cj.exceptions.ConnectionIsClosedException;
import com.mysql.cj.exceptions.StatementIsClosedException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells the kinds of error apart. Codes: MySQL Server Error Message Reference; MariaDB shares those named here. */
final class SqlErrors {

    /** 1213 deadlock; 1205 lock wait timeout (undoes its statement only); 1020 MariaDB: the row changed since it was read. */
    private static final Set<Integer> REPEATABLE = Set.of(1213, 1205, 1020);

    /**
     * The server is there but will not serve: 1040 too many connections, 1044/1045 access denied, 1049 unknown database, 1053 shutting down,
     * 1129 host blocked, 1203 too many connections of the user, 1290/1792/1836/3100 read-only or refused by replication, 1317 query
     * interrupted, 1927 and 4031 connection killed or disconnected for inactivity.
     */
    private static final Set<Integer> UNAVAILABLE =
            Set.of(1040, 1044, 1045, 1049, 1053, 1129, 1203, 1290, 1317, 1792, 1836, 1927, 3100, 4031);

    /** 1290 the server runs with --read-only (or another such option), 1836 it is in read-only mode. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1836);

    private SqlErrors() {}

    /** The server takes no writes: it may have been demoted since this connection was made. */
    static boolean isReadOnly(Throwable e) {
        SQLException sql = find(e);
        return sql != null && READ_ONLY.contains(sql.getErrorCode());
    }

    static boolean isRepeatable(Throwable e) {
        SQLException sql = find(e);
        return sql != null && REPEATABLE.contains(sql.getErrorCode());
    }

    /** True if the connection, not the statement, is what failed. */
    static boolean isUnavailable(Throwable e) {
        SQLException sql = find(e);
        return sql != null
                && (breaksConnection(sql) || UNAVAILABLE.contains(sql.getErrorCode()) || wasClosedUnderUs(sql));
    }

    /** When a connection breaks, the driver may say only that the statement on it is closed; nobody here uses one that he has closed. */
    private static boolean wasClosedUnderUs(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof StatementIsClosedException || t instanceof ConnectionIsClosedException) {
                return true;
            }
        }
        String message = e.getMessage();
        return message != null && message.startsWith("No operations allowed after ");
    }

    static boolean breaksConnection(SQLException e) {
        String state = e.getSQLState();
        return e instanceof SQLNonTransientConnectionException
                || e instanceof SQLTransientConnectionException
                || e instanceof SQLRecoverableException
                || (state != null && state.startsWith("08"));
    }

    static @Nullable SQLException find(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
