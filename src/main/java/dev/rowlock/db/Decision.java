package dev.rowlock.db;

import java.util.Locale;
import org.jdbi.v3.core.Handle;

/**
 * Kind of decision that rests on rows which another transaction may change, outside the lock rows of stripes. On one
 * server the locks of these rows keep others out. Where several servers take writes, such a lock holds on one of them
 * only: there, the decider changes a row that all decisions of a kind have in common, so that of two at the same time
 * one is undone, and repeated.
 */
public enum Decision {
    /** Existence of something with a name, such as a group or a secret, and of references to it. */
    NAMES,
    /** Existence of tokens. */
    TOKENS,
    /** Counting of history. */
    COUNTING,
    /** Sending of a message, or taking another alert into it. */
    MESSAGES;

    private static final String CHANGE =
            "insert into setting (name, value) values (:name, '1') on duplicate key update value = value + 1";

    /** Excludes other decisions of this kind until the transaction ends. Call it first, before reading anything. */
    public void exclude(Handle handle) {
        if (handle.getConfig(WritingServers.class).areSeveral()) {
            Sql.update(handle, CHANGE, "name", "decision-" + name().toLowerCase(Locale.ROOT));
        }
    }
}
