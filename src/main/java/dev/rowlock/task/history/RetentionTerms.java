package dev.rowlock.task.history;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.field.KeptFor;
import java.util.Optional;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * Longest retention that any node of the cluster is configured to keep. It outlives the node: a node that is down, or
 * was misconfigured, loses nothing. A shorter one counts once somebody has accepted it.
 */
public final class RetentionTerms {

    private static final String NAME = "history-kept";
    private static final String READ = "select value from setting where name = :name";
    private static final String FIRST = "insert ignore into setting (name, value) values (:name, :value)";
    private static final String WRITE =
            "insert into setting (name, value) values (:name, :value) on duplicate key update value = :value";

    private final Database database;

    public RetentionTerms(Database database) {
        this.database = database;
    }

    /**
     * Records what a node is configured to keep, where that is longer. Call before it deletes anything.
     *
     * @return the longest of all
     */
    public KeptFor raise(KeptFor own) {
        return database.transact("recording for how long history is kept", handle -> {
            update(handle, FIRST, "name", NAME, "value", own.text()); // a row that is not there cannot be locked
            Optional<KeptFor> was = read(handle, " for update");
            KeptFor longest = was.map(own::longest).orElse(own);
            if (!was.equals(Optional.of(longest))) {
                update(handle, WRITE, "name", NAME, "value", longest.text());
            }
            return longest;
        });
    }

    /** Returns what is recorded; empty: no node has recorded anything yet. */
    public Optional<KeptFor> recorded() {
        return database.autoCommit("reading for how long history is kept", handle -> read(handle, ""));
    }

    /** Records these, though they may be shorter. */
    public void accept(KeptFor shorter, Audit audit) {
        database.transact("accepting for how long history is kept", handle -> {
            Optional<KeptFor> was = read(handle, " for update");
            audit.write(
                    handle,
                    Subject.of("retention", "history"),
                    was.map(RetentionTerms::json).orElse(null),
                    json(shorter));
            return update(handle, WRITE, "name", NAME, "value", shorter.text());
        });
    }

    private static Optional<KeptFor> read(Handle handle, String locking) {
        return query(handle, READ + locking, "name", NAME)
                .mapTo(String.class)
                .findOne()
                .map(KeptFor::parse);
    }

    private static JsonNode json(KeptFor kept) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        new TreeMap<>(kept.settings()).forEach(node::put);
        return node;
    }
}
