package dev.rowlock.freeze.store;

import dev.rowlock.db.Database;
import dev.rowlock.freeze.Freezes;
import org.jdbi.v3.core.Handle;

/**
 * Freezes as this node knows them. Who holds a stripe asks for them as of the number that came with it, which costs a
 * statement only after somebody changed one. Thread-safe.
 */
public final class KnownFreezes {

    private volatile Freezes known = Freezes.NONE;
    private volatile long seen;
    private volatile boolean doubted;

    /** Returns the freezes as of that number, which the caller holds: no other transaction can raise it. */
    public Freezes asOf(Handle handle, long rules) {
        if (known.rules() != rules) {
            known = FreezeStore.read(handle);
        }
        return known;
    }

    /** Returns the freezes as last known, for what asks again before it starts anything. */
    public Freezes current() {
        return known;
    }

    /** Returns whether there has never been one, as far as this node has heard. */
    public boolean wereNone() {
        return known.rules() == 0 && seen == 0 && !doubted;
    }

    /** Notes the number as somebody read it without a lock, and returns whether {@link #refresh} would find another. */
    public boolean saw(long rules) {
        seen = rules;
        return isStale();
    }

    /** Notes that one was changed here. */
    public void doubt() {
        doubted = true;
    }

    public boolean isStale() {
        return doubted || known.rules() < seen;
    }

    /** Reads them anew. */
    public void refresh(Database database) {
        doubted = false;
        Freezes read = database.autoCommit("reading the freezes", FreezeStore::read);
        if (read.rules() >= known.rules()) {
            known = read;
        }
    }
}
