package dev.rowlock.store.audit;

import java.util.Locale;

/** What somebody did. */
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
    RELEASE,
    RESCHEDULE,
    KILL,
    DRAIN,
    UNDRAIN,
    ACCEPT,
    ROTATE,
    SIGN_IN,
    SIGN_OUT,
    /** Somebody wanted to, and was not let in. */
    SIGN_IN_FAILED;

    /** As it is written in SQL and JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
