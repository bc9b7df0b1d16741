package dev.rowlock.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.audit.AuditFilter.AuditPosition;
import dev.rowlock.audit.AuditSearch.AuditMatches;
import dev.rowlock.db.Database;
import dev.rowlock.db.InList;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queries of changes that people made. Thread-safe. */
public final class AuditQueries {

    private static final String ROWS = """
            select a.id, a.at, a.who, a.role, a.address, a.request_id, a.action, a.kind, a.namespace, a.name, a.was,
                   a.became
              from audit a force index (primary)
             where a.id in (%s)
             order by a.at desc, a.id desc
            """;

    /** Characters of one page, give or take one row. */
    private static final long PAGE_WEIGHT = 1_000_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Database database;

    public AuditQueries(Database database) {
        this.database = database;
    }

    /**
     * Rows of one page.
     *
     * @param cut whether others follow that were left out for their size
     * @param reached down to which all were looked at; null: the page is full, or there are no others
     */
    public record AuditRows(
            List<AuditEntry> entries, boolean cut, @Nullable AuditPosition reached) {}

    /**
     * Returns at most {@code limit} rows, newest first; fewer if they are large, but at least one, or if matches are
     * rare.
     */
    public AuditRows page(AuditFilter filter) {
        return database.autoCommit("reading the audit", handle -> {
            AuditMatches found = new AuditSearch(handle, filter).find();
            if (found.rows().isEmpty()) {
                return new AuditRows(List.of(), false, found.reached());
            }
            String ids = InList.ids(found.rows().stream().map(AuditPosition::id).toList());
            SizedRows<AuditEntry> read = SizedRows.read(
                    handle.createQuery(ROWS.formatted(ids)),
                    (row, context) -> read(row),
                    AuditQueries::weight,
                    PAGE_WEIGHT);
            return new AuditRows(read.rows(), read.cut(), found.reached());
        });
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
