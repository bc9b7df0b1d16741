package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.policy.Placement;
import dev.rowlock.policy.Selector;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** The selectors that tasks have, each under a number. Rows are never changed or deleted. */
public final class SelectorStore {

    private static final String ID = "select id from selector where expression = :text";
    private static final String ADD = "insert ignore into selector (expression) values (:text)";
    private static final String TEXTS = """
            json_table(:texts, '$[*]' columns (
                     text varchar(700) character set utf8mb4 collate utf8mb4_bin path '$[0]')) v""";
    private static final String ALL_IDS =
            "select s.id, s.expression from " + TEXTS + " straight_join selector s on s.expression = v.text";
    private static final String ADD_ALL =
            "insert ignore into selector (expression) select v.text from " + TEXTS + " order by v.text";
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

    /** The numbers of many. */
    static Map<Selector, Integer> idsOf(Handle handle, Collection<Selector> selectors) {
        Set<String> texts = selectors.stream()
                .filter(selector -> !selector.isAny())
                .map(Selector::toString)
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Integer> known = texts.isEmpty() ? Map.of() : find(handle, texts);
        if (known.size() < texts.size()) {
            Set<String> unknown = new TreeSet<>(texts); // in one order, so that nobody waits in a circle
            unknown.removeAll(known.keySet());
            update(handle, ADD_ALL, "texts", JsonRows.of(unknown, JsonRows::row));
            known = find(handle, texts);
        }
        Map<Selector, Integer> ids = new HashMap<>();
        for (Selector selector : selectors) {
            ids.put(
                    selector,
                    selector.isAny() ? Placement.ANY : Objects.requireNonNull(known.get(selector.toString())));
        }
        return ids;
    }

    private static Map<String, Integer> find(Handle handle, Collection<String> texts) {
        Map<String, Integer> found = new HashMap<>();
        query(handle, ALL_IDS, "texts", JsonRows.of(texts, JsonRows::row))
                .map((row, context) -> found.put(row.getString("expression"), row.getInt("id")))
                .list();
        return found;
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
