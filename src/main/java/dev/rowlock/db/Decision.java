package dev.rowlock.db;

import java.util.Locale;
import org.jdbi.v3.core.Handle;

/**
 * Kinds of decisions that rest on rows which another transaction may change, outside the lock rows of stripes. On one
 * server the locks of these rows keep others out. Where several servers take writes such a lock holds on one of them
 * only: there, whoever decides changes a row that all decisions of a kind have in common, so that of two at the same
 * time one is undone, and repeated.
 */
public enum Decision {
    /** Whether something that may be named, such as a group or a secret, is there, and whether something names it. */
    NAMES,
    /** Which tokens there are. */
    TOKENS,
    /** What of history is counted. */
    COUNTING,
    /** Whether a message is being sent, or takes another alert in. */
    MESSAGES;

    private static final String CHANGE =
            "insert into setting (name, value) values (:name, '1') on duplicate key update value = value + 1";

    /** Keeps others from deciding alike until the transaction ends. Call it first, before reading anything. */
    public void exclude(Handle handle) {
        if (handle.getConfig(WritingServers.class).areSeveral()) {
            Sql.update(handle, CHANGE, "name", "decision-" + name().toLowerCase(Locale.ROOT));
        }
    }
}
