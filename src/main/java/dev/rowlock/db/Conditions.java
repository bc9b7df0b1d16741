package dev.rowlock.db;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Conditions of a query whose filters may be absent. */
public final class Conditions {

    private final List<String> conditions = new ArrayList<>();
    private final Map<String, Object> values = new HashMap<>();
    private final Map<String, List<?>> lists = new HashMap<>();

    /** Adds a condition with one bound value, unless the value is null. */
    public void add(String condition, String name, @Nullable Object value) {
        if (value != null) {
            conditions.add(condition);
            values.put(name, value);
        }
    }

    /** Adds a condition that binds nothing. */
    public void add(String condition) {
        conditions.add(condition);
    }

    /** Adds a condition with {@code in (<name>)}; the list must not be empty. */
    public void addList(String condition, String name, List<?> list) {
        conditions.add(condition);
        lists.put(name, list);
    }

    /** Returns the conditions after {@code where}; empty text if there are none. */
    public String sql() {
        return conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
    }

    /** Returns the conditions to follow others. */
    public String andSql() {
        return conditions.isEmpty() ? "" : " and " + String.join(" and ", conditions);
    }

    /** Binds all values: call it on the query that was made of {@link #sql}. */
    public void bind(Query query) {
        query.bindMap(values);
        lists.forEach(query::bindList);
    }
}
