package dev.rowlock.store.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.db.Conditions;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.Weighed;
import dev.rowlock.job.AuditEntry;
import dev.rowlock.job.AuditFilter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Finds what people changed. For use by several threads. */
public final class AuditQueries {

    private static final String COLUMNS = """
            select a.id, a.at, a.who, a.role, a.address, a.request_id, a.action, a.kind, a.namespace, a.name, a.was,
                   a.became
              from audit a force index (%s)
            """;

    /** What one page holds in characters, give or take one row. */
    private static final long PAGE_WEIGHT = 1_000_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Database database;

    public AuditQueries(Database database) {
        this.database = database;
    }

    /** @param cut whether others follow that were left out for their size */
    public record Page(List<AuditEntry> entries, boolean cut) {}

    /** At most {@code limit} rows, newest first; fewer if they are large, but at least one. */
    public Page page(AuditFilter filter) {
        return database.autoCommit("reading the audit", handle -> {
            Conditions where = conditions(filter);
            Query query = handle.createQuery(COLUMNS.formatted(index(filter)) + where.sql()
                    + " order by a.at desc, a.id desc limit " + filter.limit());
            where.bind(query);
            Weighed<AuditEntry> found =
                    Weighed.read(query, (row, context) -> read(row), AuditQueries::weight, PAGE_WEIGHT);
            return new Page(found.rows(), found.cut());
        });
    }

    /** The one that leaves least to be walked. */
    private static String index(AuditFilter filter) {
        if (filter.namespace() != null && filter.name() != null) {
            return "by_name";
        }
        if (filter.who() != null) {
            return "by_who";
        }
        return filter.action() != null ? "by_action" : "by_at";
    }

    private static Conditions conditions(AuditFilter filter) {
        Conditions where = new Conditions();
        where.add("a.who = :who", "who", filter.who());
        where.add("a.action = :action", "action", filter.action());
        where.add("a.kind = :kind", "kind", filter.kind());
        where.add("a.namespace = :namespace", "namespace", filter.namespace());
        where.add("a.name = :name", "name", filter.name());
        if (!filter.within().isEmpty()) {
            where.addList("a.namespace in (<within>)", "within", List.copyOf(filter.within()));
        }
        where.add("a.at >= :since", "since", SqlTime.textOrNull(filter.since()));
        where.add("a.at < :until", "until", SqlTime.textOrNull(filter.until()));
        AuditFilter.Position after = filter.after();
        if (after != null) {
            where.add("a.at <= :afterTime", "afterTime", SqlTime.text(after.at()));
            where.add("(a.at < :afterTime or a.id < :afterId)", "afterId", after.id());
        }
        return where;
    }

    private static int weight(AuditEntry entry) {
        return 500 + length(entry.before()) + length(entry.after());
    }

    private static int length(@Nullable JsonNode value) {
        return value == null ? 0 : value.toString().length();
    }

    private static AuditEntry read(ResultSet row) throws SQLException {
        return new AuditEntry(
                row.getLong("id"),
                SqlTime.read(row, "at"),
                row.getString("who"),
                row.getString("role"),
                row.getString("address"),
                row.getString("request_id"),
                row.getString("action"),
                row.getString("kind"),
                row.getString("namespace"),
                row.getString("name"),
                json(row, "was"),
                json(row, "became"));
    }

    private static @Nullable JsonNode json(ResultSet row, String column) throws SQLException {
        String text = row.getString(column);
        try {
            return text == null ? null : JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new SQLException("column " + column + " is not JSON", e);
        }
    }
}
