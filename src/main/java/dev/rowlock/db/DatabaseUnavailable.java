package dev.rowlock.db;

import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** Failure to reach the database, or loss of the connection before the commit was requested: nothing was changed. */
public class DatabaseUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DatabaseUnavailable(String what) {
        this(what, null);
    }

    DatabaseUnavailable(String what, @Nullable Throwable cause) {
        super(what + (cause == null ? "" : ": " + innermost(cause)), cause);
    }

    private static String innermost(Throwable e) {
        Throwable t = e;
        while (t.getCause() != null && t.getCause() != t && !isForPeople(t)) {
            t = t.getCause();
        }
        String text = t.getMessage();
        return text == null ? t.toString() : text.strip().lines().findFirst().orElse(t.toString());
    }

    private static boolean isForPeople(Throwable e) {
        return e instanceof ConnectFailure || e instanceof SQLTransientConnectionException;
    }

    /** Returns whether this lasts until somebody fixes it. */
    public boolean needsMending() {
        return false;
    }

    /** Returns what is wrong in a few words: the beginning of a sentence. */
    public String summary() {
        return "the database is not available";
    }
}
