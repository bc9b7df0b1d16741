package dev.rowlock.task.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.task.rule.Placement;
import dev.rowlock.task.rule.Selector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Selectors of tasks, each under a number that is never reused. One that no task has had for an hour is deleted: it is
 * marked first, and whoever needs it for a new task removes the mark, under the row's lock.
 */
public final class SelectorStore {

    private static final String TEXTS = """
            json_table(:texts, '$[*]' columns (
                     text varchar(700) character set utf8mb4 collate utf8mb4_bin path '$[0]')) v""";
    private static final String ALL_IDS = "select s.id, s.expression, s.unused_since is not null as marked from "
            + TEXTS + " straight_join selector s on s.expression = v.text";
    private static final String UNMARK =
            "update selector set unused_since = null where unused_since is not null and id in (%s)";
    private static final String ADD_ALL =
            "insert ignore into selector (expression) select v.text from " + TEXTS + " order by v.text";
    private static final String THESE = "select id, expression from selector where id in (<ids>)";

    private static final String MANY = "select count(*) > :few from selector";

    private static final String ALL = "select id, expression, unused_since is not null as marked from selector";
    private static final String NODES = "select node from session";
    private static final String USED = "select distinct selector from task force index (due)"
            + " union select distinct selector from job_next force index (due)";
    private static final String MARK =
            "update selector set unused_since = utc_timestamp(3) where unused_since is null and id in (%s)";
    private static final String FORGET =
            "delete from selector where unused_since <= utc_timestamp(3) - interval 1 hour and id in (%s)";
    /** Number of selectors that costs nothing. */
    private static final int FEW = 100;

    private final Database database;

    public SelectorStore(Database database) {
        this.database = database;
    }

    /** Returns the selectors of these numbers, at least one. */
    public Map<Integer, Selector> read(Collection<Integer> ids) {
        return database.autoCommit("reading selectors", handle -> read(handle, ids));
    }

    /**
     * Returns the number of a selector, which is added if it has none; others see it when the transaction is committed.
     */
    public static int idOf(Handle handle, Selector selector) {
        if (selector.isAny()) {
            return Placement.ANY;
        }
        return Objects.requireNonNull(idsOf(handle, List.of(selector)).get(selector));
    }

    /** Returns the numbers of these selectors, adding those that have none. */
    public static Map<Selector, Integer> idsOf(Handle handle, Collection<Selector> selectors) {
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
        List<Long> marked = new ArrayList<>();
        query(handle, ALL_IDS, "texts", JsonRows.of(texts, JsonRows::row))
                .map((row, context) -> {
                    if (row.getBoolean("marked")) {
                        marked.add(row.getLong("id"));
                    }
                    return found.put(row.getString("expression"), row.getInt("id"));
                })
                .list();
        if (marked.isEmpty()) {
            return found;
        }
        InList.change(handle, marked.stream().sorted().toList(), part -> UNMARK.formatted(InList.ids(part)));
        return find(handle, texts); // some may have been forgotten before
    }

    /** Deletes selectors that no task has had for an hour, unless they name a live node. */
    public void sweep() {
        boolean many = database.autoCommit(
                "counting selectors",
                handle -> query(handle, MANY, "few", FEW).mapTo(Boolean.class).one());
        if (many) {
            database.transact("forgetting selectors", SelectorStore::sweep);
        }
    }

    private static int sweep(Handle handle) {
        Set<String> nodes = handle.createQuery(NODES).mapTo(String.class).set();
        Set<Integer> used = handle.createQuery(USED).mapTo(Integer.class).set();
        List<Long> unused = new ArrayList<>();
        List<Long> wanted = new ArrayList<>();
        handle.createQuery(ALL)
                .map((row, context) -> {
                    Selector selector = Selector.stored(row.getString("expression"));
                    boolean isUsed = used.contains(row.getInt("id"))
                            || selector.node().filter(nodes::contains).isPresent();
                    if (!isUsed) {
                        unused.add(row.getLong("id"));
                    } else if (row.getBoolean("marked")) {
                        wanted.add(row.getLong("id"));
                    }
                    return isUsed;
                })
                .list();
        InList.change(handle, wanted, part -> UNMARK.formatted(InList.ids(part)));
        InList.change(handle, unused, part -> MARK.formatted(InList.ids(part)));
        return InList.change(handle, unused, part -> FORGET.formatted(InList.ids(part)));
    }

    public static Map<Integer, Selector> read(Handle handle, Collection<Integer> ids) {
        Map<Integer, Selector> found = new HashMap<>();
        found.put(Placement.ANY, Selector.ANY);
        handle.createQuery(THESE)
                .bindList("ids", List.copyOf(ids))
                .map((row, context) -> found.put(row.getInt("id"), Selector.stored(row.getString("expression"))))
                .list();
        return found;
    }
}
