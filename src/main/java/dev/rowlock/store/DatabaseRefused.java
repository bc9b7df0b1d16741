package dev.rowlock.store;

import org.jspecify.annotations.Nullable;

/** The database is there but does not let this account in: nothing was changed, and somebody has to mend the settings or the account. */
public final class DatabaseRefused extends DatabaseUnavailable {

    private static final long serialVersionUID = 1L;

    DatabaseRefused(String what, @Nullable Throwable cause) {
        super(what, cause);
    }

    @Override
    public String summary() {
        return "the database does not let this node in";
    }
}
