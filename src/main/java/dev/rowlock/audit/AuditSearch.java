package dev.rowlock.audit;

import dev.rowlock.audit.AuditFilter.AuditPosition;
import dev.rowlock.db.Conditions;
import dev.rowlock.db.SqlTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Search for rows of the audit, newest first, along the most selective index, for each namespace by itself. If that
 * index does not cover all conditions, the search looks at {@link #LOOKED_AT} entries at most and says where it ended.
 */
final class AuditSearch {

    private static final int LOOKED_AT = 10_000;
    /** Minimum for each of many namespaces. */
    private static final int LEAST = 500;

    private static final Comparator<AuditPosition> OLDEST_FIRST =
            Comparator.comparing(AuditPosition::at).thenComparing(AuditPosition::id);

    private final Handle handle;
    private final AuditFilter filter;

    AuditSearch(Handle handle, AuditFilter filter) {
        this.handle = handle;
        this.filter = filter;
    }

    /**
     * Places of the rows that were found.
     *
     * @param reached down to which all were looked at; null: there are no others, or the page is full
     */
    record AuditMatches(List<AuditPosition> rows, @Nullable AuditPosition reached) {}

    AuditMatches find() {
        List<AuditPosition> rows = new ArrayList<>();
        List<AuditPosition> floors = new ArrayList<>();
        List<@Nullable String> namespaces =
                filter.namespace() != null || filter.within().isEmpty()
                        ? Collections.singletonList(filter.namespace())
                        : List.copyOf(filter.within());
        for (@Nullable String namespace : namespaces) {
            AuditIndex way = new AuditIndex(filter, namespace);
            List<AuditPosition> floor =
                    way.knowsAll() ? List.of() : floor(way, Math.max(LEAST, LOOKED_AT / namespaces.size()));
            floors.addAll(floor);
            rows.addAll(rows(way, floor));
        }
        @Nullable AuditPosition floor = floors.stream().max(OLDEST_FIRST).orElse(null);
        List<AuditPosition> page = rows.stream()
                .filter(row -> floor == null || OLDEST_FIRST.compare(row, floor) >= 0)
                .sorted(OLDEST_FIRST.reversed())
                .limit(filter.limit())
                .toList();
        return new AuditMatches(page, page.size() < filter.limit() ? floor : null);
    }

    /** Returns the last entry to look at; empty if there are fewer. */
    private List<AuditPosition> floor(AuditIndex way, int lookedAt) {
        return read(way, way.known(), "limit 1 offset " + (lookedAt - 1));
    }

    private List<AuditPosition> rows(AuditIndex way, List<AuditPosition> floor) {
        Conditions where = way.all();
        floor.forEach(place -> {
            where.add("a.at >= :floorTime", "floorTime", SqlTime.text(place.at()));
            where.add("(a.at > :floorTime or a.id >= :floorId)", "floorId", place.id());
        });
        return read(way, where, "limit " + filter.limit());
    }

    private List<AuditPosition> read(AuditIndex way, Conditions where, String limit) {
        where.add("a.at >= :since", "since", SqlTime.textOrNull(filter.since()));
        where.add("a.at < :until", "until", SqlTime.textOrNull(filter.until()));
        AuditPosition after = filter.after();
        if (after != null) {
            where.add("a.at <= :afterTime", "afterTime", SqlTime.text(after.at()));
            where.add("(a.at < :afterTime or a.id < :afterId)", "afterId", after.id());
        }
        Query query = handle.createQuery("select a.at, a.id from audit a force index (" + way.index() + ")"
                + where.sql() + " order by a.at desc, a.id desc " + limit);
        where.bind(query);
        return query.map((row, context) -> new AuditPosition(SqlTime.read(row, "at"), row.getLong("id")))
                .list();
    }

    /**
     * Index with the conditions that its entries cover.
     *
     * @param namespace null: any
     */
    private record AuditIndex(AuditFilter filter, @Nullable String namespace) {

        String index() {
            if (namespace != null) {
                return filter.name() == null ? "by_namespace" : "by_name";
            }
            if (filter.who() != null) {
                return "by_who";
            }
            return filter.action() == null ? "by_at" : "by_action";
        }

        boolean knowsAll() {
            return filter.kind() == null
                    && (filter.name() == null || namespace != null)
                    && (filter.who() == null || index().equals("by_who"))
                    && (filter.action() == null || index().equals("by_action"));
        }

        Conditions known() {
            Conditions where = new Conditions();
            switch (index()) {
                case "by_who" -> where.add("a.who = :who", "who", filter.who());
                case "by_action" -> where.add("a.action = :action", "action", filter.action());
                case "by_name" -> where.add("a.name = :name", "name", filter.name());
                default -> {}
            }
            where.add("a.namespace = :namespace", "namespace", namespace);
            return where;
        }

        /** Returns all conditions, including those that the entries cover, which changes nothing. */
        Conditions all() {
            Conditions where = known();
            where.add("a.who = :who", "who", filter.who());
            where.add("a.action = :action", "action", filter.action());
            where.add("a.kind = :kind", "kind", filter.kind());
            where.add("a.name = :name", "name", filter.name());
            return where;
        }
    }
}
