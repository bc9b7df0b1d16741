package dev.rowlock.audit;

import java.util.Locale;

/** Action of a person. */
public enum AuditAction {
    CREATE,
    REPLACE,
    PATCH,
    DELETE,
    ROLLBACK,
    APPLY,
    PAUSE,
    RESUME,
    RUN,
    RERUN,
    BACKFILL,
    /** End of a backfill before all of it has started. */
    CANCEL,
    RELEASE,
    RESCHEDULE,
    KILL,
    DRAIN,
    UNDRAIN,
    ACCEPT,
    ROTATE,
    SIGN_IN,
    SIGN_OUT,
    /** Failed sign-in. */
    SIGN_IN_FAILED;

    /** Returns the word used in SQL and JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
