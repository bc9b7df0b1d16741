package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.policy.Placement;
import dev.rowlock.policy.Selector;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The selectors that tasks have, each under a number. Rows are never changed or deleted. */
public final class SelectorStore {

    private static final String ID = "select id from selector where expression = :text";
    private static final String ADD = "insert ignore into selector (expression) values (:text)";
    private static final String THESE = "select id, expression from selector where id in (<ids>)";

    private final Database database;

    public SelectorStore(Database database) {
        this.database = database;
    }

    /** The selectors of these numbers, at least one. */
    public Map<Integer, Selector> read(Collection<Integer> ids) {
        return database.autoCommit("reading selectors", handle -> read(handle, ids));
    }

    /** The number of a selector, which is added if it has none; for others when the transaction is committed. */
    public static int idOf(Handle handle, Selector selector) {
        if (selector.isAny()) {
            return Placement.ANY;
        }
        String text = selector.toString();
        Optional<Integer> known = find(handle, text);
        if (known.isPresent()) {
            return known.get();
        }
        update(handle, ADD, "text", text);
        return find(handle, text).orElseThrow();
    }

    static Map<Integer, Selector> read(Handle handle, Collection<Integer> ids) {
        Map<Integer, Selector> found = new HashMap<>();
        found.put(Placement.ANY, Selector.ANY);
        handle.createQuery(THESE)
                .bindList("ids", List.copyOf(ids))
                .map((row, context) -> found.put(row.getInt("id"), Selector.stored(row.getString("expression"))))
                .list();
        return found;
    }

    private static Optional<Integer> find(Handle handle, String text) {
        return query(handle, ID, "text", text).mapTo(Integer.class).findOne();
    }
}
