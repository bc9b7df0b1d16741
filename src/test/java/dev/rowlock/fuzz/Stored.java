package dev.rowlock.fuzz;

import dev.rowlock.support.Rows;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that requests can change, as it is in the database. */
record Stored(Map<String, Integer> rows) {

    private static final List<String> TABLES = List.of(
            "job",
            "job_version",
            "job_run",
            "selector",
            "task",
            "job_next",
            "task_aside",
            "task_wait",
            "task_history",
            "task_request",
            "idempotency_key",
            "job_group",
            "group_slot",
            "secret",
            "node_setting",
            // What nodes note by themselves stays out of it.
            "(select name, token_id, hash, role, namespaces, expires_at, previous_hash from api_token) t",
            "(select hash, name, token, role from sign_in) s",
            "(select * from audit where action <> 'sign_in_failed') a");

    /** Each row with the table that it is in, and how often it is there. */
    static Stored read(Rows database) {
        Map<String, Integer> rows = new TreeMap<>();
        for (String table : TABLES) {
            database.all("select * from " + table).forEach(row -> rows.merge(table + " " + row, 1, Integer::sum));
        }
        return new Stored(rows);
    }

    /** The first rows that are different by now; empty: none. */
    List<String> differences(Stored later) {
        Map<String, Integer> different = new TreeMap<>(rows);
        later.rows.forEach((row, times) -> different.merge(row, -times, Integer::sum));
        return different.entrySet().stream()
                .filter(row -> row.getValue() != 0)
                .limit(5)
                .map(row -> (row.getValue() > 0 ? "gone: " : "come: ") + row.getKey())
                .toList();
    }
}
