package dev.rowlock.db;

import org.jspecify.annotations.Nullable;

/** Refusal by the server, which does not let this account in, or has no such database. Nothing was changed. */
public final class DatabaseRefused extends DatabaseUnavailable {

    private static final long serialVersionUID = 1L;

    private final boolean missing;

    DatabaseRefused(String what, @Nullable Throwable cause) {
        super(what, cause);
        this.missing = cause != null && SqlErrors.isMissing(cause);
    }

    @Override
    public boolean needsMending() {
        return true;
    }

    @Override
    public String summary() {
        return missing ? "the database does not exist" : "the database does not let the account in";
    }
}
