package dev.rowlock.db.schema;

import dev.rowlock.db.DatabaseAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tables of other programs, read once and never written. */
public final class ForeignTables {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private ForeignTables() {}

    /**
     * Returns all rows, by column name in lower case; nulls are left out. Of binary data, only text that begins with
     * {@code #} is kept.
     *
     * @param names of which at least one has to be there; in any case
     * @throws IOException with a sentence for people
     */
    public static List<Map<String, String>> read(DatabaseAddress address, List<String> names) throws IOException {
        try (Connection connection = address.dataSource(PATIENCE).getConnection()) {
            connection.setReadOnly(true);
            List<Map<String, String>> rows = new ArrayList<>();
            List<String> found = new ArrayList<>();
            for (String name : names) {
                for (String table : tables(connection, name)) {
                    found.add(table);
                    read(connection, table, rows);
                }
            }
            if (found.isEmpty()) {
                throw new IOException("there is none of the tables " + String.join(", ", names) + " at "
                        + address.host() + "; does the URL name their database?");
            }
            return rows;
        } catch (SQLException e) {
            throw new IOException("the database at " + address.host() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static List<String> tables(Connection connection, String name) throws SQLException {
        String query = """
                select table_name from information_schema.tables
                 where table_schema = database() and lower(table_name) = ?
                """;
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, name.toLowerCase(Locale.ROOT));
            try (ResultSet found = statement.executeQuery()) {
                List<String> tables = new ArrayList<>();
                while (found.next()) {
                    tables.add(found.getString(1));
                }
                return tables;
            }
        }
    }

    private static void read(Connection connection, String table, List<Map<String, String>> rows) throws SQLException {
        String query = "select * from `" + table.replace("`", "``") + "`";
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet found = statement.executeQuery()) {
            ResultSetMetaData columns = found.getMetaData();
            while (found.next()) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    String value = value(found, i, columns.getColumnType(i));
                    if (value != null) {
                        row.put(columns.getColumnLabel(i).toLowerCase(Locale.ROOT), value);
                    }
                }
                rows.add(row);
            }
        }
    }

    private static @Nullable String value(ResultSet row, int column, int type) throws SQLException {
        if (type == Types.LONGVARBINARY || type == Types.BLOB || type == Types.VARBINARY || type == Types.BINARY) {
            byte[] bytes = row.getBytes(column);
            return bytes == null
                    ? null
                    : bytes.length > 0 && bytes[0] == '#' ? new String(bytes, StandardCharsets.ISO_8859_1) : "(binary)";
        }
        return row.getString(column);
    }
}
