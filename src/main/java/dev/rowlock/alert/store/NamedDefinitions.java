package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.db.InList;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Table of definitions by name, within transactions of others. */
final class NamedDefinitions {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String LIST = """
            select name, definition, created_at, updated_at from %s
             where (:after is null or name > :after) and %s order by name limit :most
            """;
    private static final String ALL = "select name, definition, created_at, updated_at from %s order by name";
    private static final String NAMESPACE = "json_extract(definition, '$.namespace')";
    private static final String FIND = "select name, definition, created_at, updated_at from %s where name = :name";
    private static final String PUT = """
            insert into %s (name, definition, created_at, updated_at)
            values (:name, :definition, utc_timestamp(3), utc_timestamp(3))
            on duplicate key update updated_at = values(updated_at), definition = values(definition)
            """;
    private static final String DELETE = "delete from %s where name = :name";

    /** Characters of one page of definitions, give or take one of them. */
    static final long PAGE_WEIGHT = 1_000_000;

    private final String table;

    NamedDefinitions(String table) {
        this.table = table;
    }

    /** Row of a definition. */
    record NamedDefinition(String name, ObjectNode definition, Instant createdAt, Instant updatedAt) {}

    /**
     * Reads definitions after this name, in order, that are about one of these namespaces or about all.
     *
     * @param within empty: about any
     */
    SizedRows<NamedDefinition> page(Handle handle, @Nullable String after, int most, Set<String> within) {
        String seen = within.isEmpty()
                ? "true"
                : "(coalesce(json_type(" + NAMESPACE + "), 'NULL') = 'NULL' or " + isOf(within) + ")";
        return SizedRows.read(
                query(handle, LIST.formatted(table, seen), "after", after, "most", most),
                (row, context) -> read(row),
                row -> row.definition().toString().length(),
                PAGE_WEIGHT);
    }

    /** Returns the condition that a definition names one of these namespaces. */
    static String isOf(Set<String> namespaces) {
        return "(json_type(" + NAMESPACE + ") = 'STRING' and json_unquote(" + NAMESPACE + ") in ("
                + InList.texts(namespaces) + "))";
    }

    List<NamedDefinition> all(Handle handle) {
        return query(handle, ALL.formatted(table))
                .map((row, context) -> read(row))
                .list();
    }

    Optional<NamedDefinition> find(Handle handle, String name) {
        return query(handle, FIND.formatted(table), "name", name)
                .map((row, context) -> read(row))
                .findOne();
    }

    /** Stores a definition, and returns whether it is new. */
    boolean put(Handle handle, String name, ObjectNode definition) {
        boolean created = find(handle, name).isEmpty();
        update(handle, PUT.formatted(table), "name", name, "definition", definition.toString());
        return created;
    }

    /** Deletes a definition; returns false if there was none. */
    boolean delete(Handle handle, String name) {
        return update(handle, DELETE.formatted(table), "name", name) == 1;
    }

    private static NamedDefinition read(ResultSet row) throws SQLException {
        return new NamedDefinition(
                row.getString("name"),
                json(row.getString("definition")),
                SqlTime.read(row, "created_at"),
                SqlTime.read(row, "updated_at"));
    }

    static ObjectNode json(String text) throws SQLException {
        try {
            return (ObjectNode) JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new SQLException("a definition is no JSON", e);
        }
    }

    /** Parses a definition where no row is being read. */
    static ObjectNode parse(String text) {
        try {
            return json(text);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
