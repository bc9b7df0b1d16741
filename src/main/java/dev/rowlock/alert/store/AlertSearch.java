package dev.rowlock.alert.store;

import dev.rowlock.alert.AlertFilter;
import dev.rowlock.alert.AlertFilter.AlertState;
import dev.rowlock.db.Conditions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Search for alerts, newest first, along the most selective index, for each namespace by itself. If that index does not
 * cover all conditions, the search looks at {@link #LOOKED_AT} entries at most and says where it ended.
 */
final class AlertSearch {

    private static final int LOOKED_AT = 10_000;
    /** Minimum for each of many namespaces. */
    private static final int LEAST = 500;

    private final Handle handle;
    private final AlertFilter filter;

    AlertSearch(Handle handle, AlertFilter filter) {
        this.handle = handle;
        this.filter = filter;
    }

    /**
     * Result of a search.
     *
     * @param reached the id down to which all were looked at; null: there are no others, or the page is full
     */
    record AlertMatches(List<Long> ids, @Nullable Long reached) {}

    AlertMatches find() {
        List<Long> ids = new ArrayList<>();
        List<Long> floors = new ArrayList<>();
        List<AlertIndex> ways = ways();
        for (AlertIndex way : ways) {
            List<Long> floor = way.knowsAll() ? List.of() : floor(way, Math.max(LEAST, LOOKED_AT / ways.size()));
            floors.addAll(floor);
            ids.addAll(ids(way, floor));
        }
        long floor = floors.stream().max(Comparator.naturalOrder()).orElse(0L);
        List<Long> page = ids.stream()
                .filter(id -> id >= floor)
                .sorted(Comparator.reverseOrder())
                .limit(filter.limit())
                .toList();
        return new AlertMatches(page, floor > 0 && page.size() < filter.limit() ? floor : null);
    }

    /**
     * Returns the ways to search. The index on states of messages has no namespace, so nothing is gained by more than
     * one way along it.
     */
    private List<AlertIndex> ways() {
        Set<String> namespaces = filter.namespace() == null ? filter.within() : Set.of(filter.namespace());
        return namespaces.isEmpty() || AlertIndex.isBySending(filter)
                ? List.of(new AlertIndex(filter, namespaces))
                : namespaces.stream()
                        .map(namespace -> new AlertIndex(filter, Set.of(namespace)))
                        .toList();
    }

    /** Returns the last entry to look at; empty if there are fewer. */
    private List<Long> floor(AlertIndex way, int lookedAt) {
        return read(way, way.known(), "limit 1 offset " + (lookedAt - 1));
    }

    private List<Long> ids(AlertIndex way, List<Long> floor) {
        Conditions where = way.all();
        floor.forEach(id -> where.add("a.id >= :floor", "floor", id));
        return read(way, where, "limit " + filter.limit());
    }

    private List<Long> read(AlertIndex way, Conditions where, String limit) {
        where.add("a.id < :before", "before", filter.before());
        Query query = handle.createQuery("select a.id from alert a force index (" + way.index() + ")" + where.sql()
                + " order by a.id desc " + limit);
        where.bind(query);
        return query.mapTo(Long.class).list();
    }

    /**
     * Index with the conditions that its entries cover.
     *
     * @param namespaces empty: any
     */
    private record AlertIndex(AlertFilter filter, Set<String> namespaces) {

        static boolean isBySending(AlertFilter filter) {
            return filter.state() != null && filter.state() != AlertState.OPEN && filter.state() != AlertState.CLOSED;
        }

        String index() {
            if (filter.state() == AlertState.OPEN) {
                return namespaces.isEmpty() ? "by_close" : "by_open";
            }
            if (isBySending(filter)) {
                return "by_sending";
            }
            if (namespaces.isEmpty()) {
                return "primary";
            }
            return filter.job() == null ? "by_namespace" : "by_job";
        }

        boolean knowsAll() {
            return filter.rule() == null
                    && filter.state() != AlertState.CLOSED
                    && (namespaces.isEmpty() || !isBySending(filter))
                    && (filter.job() == null || index().equals("by_job"));
        }

        Conditions known() {
            Conditions where = new Conditions();
            if (!isBySending(filter)) {
                addNamespaces(where);
            }
            if (index().equals("by_job")) {
                where.add("a.job = :job", "job", filter.job());
            }
            if (filter.state() == AlertState.OPEN) {
                where.add("a.closed_at is null");
            } else if (isBySending(filter)) {
                where.add("a.sending = '" + filter.state() + "'");
            }
            return where;
        }

        Conditions all() {
            Conditions where = known();
            if (isBySending(filter)) {
                addNamespaces(where);
            }
            if (!index().equals("by_job")) {
                where.add("a.job = :job", "job", filter.job());
            }
            if (filter.state() == AlertState.CLOSED) {
                where.add("a.closed_at is not null");
            }
            where.add("a.rule = :rule", "rule", filter.rule());
            return where;
        }

        private void addNamespaces(Conditions where) {
            if (!namespaces.isEmpty()) {
                where.addList("a.namespace in (<namespaces>)", "namespaces", List.copyOf(namespaces));
            }
        }
    }
}
