package dev.rowlock.db;

import com.mysql.cj.exceptions.ConnectionIsClosedException;
import com.mysql.cj.exceptions.StatementIsClosedException;
import com.mysql.cj.jdbc.exceptions.PacketTooBigException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classification of errors. Codes: MySQL Server Error Message Reference; MariaDB shares those named here. */
public final class SqlErrors {

    /**
     * Repeatable errors: 1213 deadlock; 1205 lock wait timeout (undoes its statement only); 1020 MariaDB: the row
     * changed since it was read; 3101 undone at its commit by a group of servers.
     */
    private static final Set<Integer> REPEATABLE = Set.of(1213, 1205, 1020, 3101);

    /**
     * Refusals of the account: 1044/1045/1698 access denied, 1049 unknown database, 1130 not from this host, 1820/1862
     * password expired, 3118/4151 account locked.
     */
    private static final Set<Integer> REFUSAL = Set.of(1044, 1045, 1049, 1130, 1698, 1820, 1862, 3118, 4151);

    /**
     * Refusals to write: 1290 --read-only or the like, 1836 read-only mode, 3032 offline, 1047 no quorum, 3100
     * replication refused the commit, 3796/3799 left or leaving its group, 3781 to 3783 it was to become the primary.
     */
    private static final Set<Integer> DEMOTED = Set.of(1290, 1836, 3032, 1047, 3100, 3781, 3782, 3783, 3796, 3799);

    /**
     * Other refusals to serve: 1040 too many connections, 1053 shutting down, 1129 host blocked, 1180 cannot commit (a
     * Galera member without quorum), 1203 too many connections of the user, 1317 query interrupted, 1792 read-only
     * transaction, 1927/4031 killed or disconnected for inactivity, 3797/3798 waited too long for its group, 6141 group
     * busy.
     */
    private static final Set<Integer> UNAVAILABLE =
            Set.of(1040, 1053, 1129, 1180, 1203, 1317, 1792, 1927, 3797, 3798, 4031, 6141);

    /**
     * Exhausted resources: 1021 disk full, 1026 file not writable, 1030 storage engine error, 1037/1038/1041 memory,
     * 1114 table or tablespace full, 1135 threads.
     */
    private static final Set<Integer> EXHAUSTED = Set.of(1021, 1026, 1030, 1037, 1038, 1041, 1114, 1135);

    /**
     * Errors of data whose SQLSTATE does not say so: 1118/1713 row too large, 1153/1301 larger than {@code
     * max_allowed_packet}, 1265 truncated, 1366/1411 wrong value, 3819 check constraint, 4035 to 4040 MariaDB: no JSON.
     */
    private static final Set<Integer> OF_DATA =
            Set.of(1118, 1153, 1265, 1301, 1366, 1411, 1713, 3819, 4035, 4036, 4037, 4038, 4039, 4040);

    /** Default error of {@code signal}: with a SQLSTATE of class 45, a trigger refuses the row. */
    private static final int SIGNALLED = 1644;

    /** Ambiguous column: of class 23, but the statement's fault. */
    private static final int AMBIGUOUS = 1052;

    private static final int NO_DATABASE = 1049;

    private static final int LOCK_WAIT = 1205;

    /**
     * Refusal of a plain-text connection, as {@code require_secure_transport} is on; the same on both kinds of servers.
     */
    private static final int NEEDS_TLS = 3159;

    private SqlErrors() {}

    /**
     * Returns whether the data in the statement was refused, so that one row may be to blame. Any error that is not
     * known to be of that kind is the server's: new errors, and those that a proxy invents, must not cost a row
     * anything.
     */
    public static boolean isOfData(Throwable e) {
        SQLException sql = find(e);
        if (sql == null) {
            return false;
        }
        int code = sql.getErrorCode();
        if (sql instanceof PacketTooBigException || OF_DATA.contains(code)) {
            return true;
        }
        if (REPEATABLE.contains(code) || isUnavailable(code) || code == AMBIGUOUS) {
            return false; // whatever SQLSTATE it was signalled with
        }
        String state = sql.getSQLState();
        return state != null
                && (state.startsWith("22") || state.startsWith("23") || (code == SIGNALLED && state.startsWith("45")));
    }

    /** Returns whether the server takes no writes: it may have been demoted since this connection was made. */
    static boolean isDemoted(Throwable e) {
        SQLException sql = find(e);
        return sql != null && DEMOTED.contains(sql.getErrorCode());
    }

    static boolean isMissing(Throwable e) {
        SQLException sql = find(e);
        return sql != null && sql.getErrorCode() == NO_DATABASE;
    }

    /** Returns whether the server takes no plain-text connection. */
    static boolean needsTls(Throwable e) {
        SQLException sql = find(e);
        return sql != null && sql.getErrorCode() == NEEDS_TLS;
    }

    /** Returns whether the server does not let the account in, or has no such database. */
    static boolean isRefusal(Throwable e) {
        SQLException sql = find(e);
        return sql != null && REFUSAL.contains(sql.getErrorCode());
    }

    /**
     * Returns whether the transaction was undone, or is to be, and may succeed when it is repeated from its first
     * statement.
     */
    public static boolean isRepeatable(Throwable e) {
        SQLException sql = find(e);
        return sql != null && REPEATABLE.contains(sql.getErrorCode());
    }

    /** Returns whether a lock-wait timeout was reached, which took seconds. */
    static boolean isLockWait(Throwable e) {
        SQLException sql = find(e);
        return sql != null && sql.getErrorCode() == LOCK_WAIT;
    }

    /** Returns whether the connection or the server as a whole, not the statement, has failed. */
    public static boolean isUnavailable(Throwable e) {
        SQLException sql = find(e);
        return sql != null
                && !isOfData(sql)
                && (breaksConnection(sql) || isUnavailable(sql.getErrorCode()) || wasClosedUnderUs(sql));
    }

    private static boolean isUnavailable(int code) {
        return UNAVAILABLE.contains(code)
                || DEMOTED.contains(code)
                || REFUSAL.contains(code)
                || EXHAUSTED.contains(code);
    }

    /**
     * Returns whether the connection broke during use. The driver may say only that the statement is closed, or that
     * rows were left unread; nobody here uses a closed one, or leaves rows unread.
     */
    private static boolean wasClosedUnderUs(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof StatementIsClosedException || t instanceof ConnectionIsClosedException) {
                return true;
            }
        }
        String message = e.getMessage();
        return message != null
                && (message.startsWith("No operations allowed after ") || message.startsWith("Streaming result set "));
    }

    static boolean breaksConnection(SQLException e) {
        String state = e.getSQLState();
        return e instanceof SQLNonTransientConnectionException
                || e instanceof SQLTransientConnectionException
                || e instanceof SQLRecoverableException
                || (state != null && state.startsWith("08"));
    }

    /** Returns the first error of the driver among the causes; null: there is none. */
    public static @Nullable SQLException find(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
