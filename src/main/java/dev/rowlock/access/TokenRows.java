package dev.rowlock.access;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rows of {@code api_token}, as they are read. */
final class TokenRows {

    private TokenRows() {}

    /** Returns what the audit shows of a token. */
    static ObjectNode json(TokenView token) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("role", token.role());
        ArrayNode namespaces = node.putArray("namespaces");
        token.namespaces().forEach(namespaces::add);
        node.put("expiresAt", SqlTime.textOrNull(token.expiresAt()));
        return node.put("previousWorksUntil", SqlTime.textOrNull(token.previousWorksUntil()));
    }

    static TokenView view(ResultSet row) throws SQLException {
        return new TokenView(
                row.getString("name"),
                row.getString("role"),
                List.copyOf(new TreeSet<>(JsonRows.list(row, "namespaces"))),
                SqlTime.read(row, "created_at"),
                SqlTime.readOrNull(row, "expires_at"),
                SqlTime.readOrNull(row, "last_used_at"),
                SqlTime.readOrNull(row, "previous_until"));
    }

    static StoredToken read(ResultSet row) throws SQLException {
        long expires = row.getLong("expires_in");
        @Nullable Long expiresIn = row.wasNull() ? null : Long.valueOf(expires);
        return new StoredToken(
                row.getString("name"),
                row.getString("token_id"),
                row.getString("hash"),
                row.getString("role"),
                new TreeSet<>(JsonRows.list(row, "namespaces")),
                expiresIn,
                row.getString("previous_hash"),
                row.getLong("previous_in"));
    }
}
