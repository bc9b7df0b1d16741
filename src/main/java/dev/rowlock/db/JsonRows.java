package dev.rowlock.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON of many rows as one bound value, for a join with {@code json_table}: one statement for hundreds of rows. */
public final class JsonRows {

    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonRows() {}

    /** Writes one array per item; instants must be text already. */
    public static <T> String of(Collection<T> items, Function<T, List<@Nullable Object>> columns) {
        return text(items.stream().map(columns).toList());
    }

    /** Writes any value, for a JSON column. */
    public static String text(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("values that JSON cannot hold", e);
        }
    }

    /** Reads a column that holds an object of strings, or null. */
    public static Map<String, String> texts(ResultSet row, String column) throws SQLException {
        String json = row.getString(column);
        try {
            return json == null ? Map.of() : JSON.readValue(json, new TypeReference<Map<String, String>>() {});
        } catch (JsonProcessingException e) {
            throw new SQLException("column " + column + " is not a JSON object of strings", e);
        }
    }

    /** Reads an object that a newer version may have written: leaves out all that is no string. */
    public static Map<String, String> someTexts(ResultSet row, String column) throws SQLException {
        String json = row.getString(column);
        Map<String, String> texts = new HashMap<>();
        try {
            if (json != null) {
                JSON.readTree(json).properties().stream()
                        .filter(field -> field.getValue().isTextual())
                        .forEach(field ->
                                texts.put(field.getKey(), field.getValue().textValue()));
            }
            return texts;
        } catch (JsonProcessingException e) {
            throw new SQLException("column " + column + " is not JSON", e);
        }
    }

    /** Reads a column that holds an array of strings, or null. */
    public static List<String> list(ResultSet row, String column) throws SQLException {
        String json = row.getString(column);
        try {
            return json == null ? List.of() : JSON.readValue(json, new TypeReference<List<String>>() {});
        } catch (JsonProcessingException e) {
            throw new SQLException("column " + column + " is not a JSON array of strings", e);
        }
    }

    /** Writes bare numbers, for a table of one column whose path is {@code $}: half the cost of rows. */
    public static String ids(Collection<Long> ids) {
        return "[" + InList.ids(ids) + "]";
    }

    /** Returns one row of the JSON; null where a column is null, which {@code List.of} refuses. */
    public static List<@Nullable Object> row(@Nullable Object... values) {
        return Arrays.asList(values);
    }
}
