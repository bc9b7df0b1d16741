package dev.rowlock.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.cluster.Member;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** Rows of {@code session} as {@link Member}s. */
final class MemberRows {

    static final String COLUMNS = """
            id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at, beat, heartbeat_at, state, prepared,
            executing, clock_skew_ms""";
    private static final ObjectMapper JSON = new ObjectMapper();

    private MemberRows() {}

    static Member read(ResultSet row) throws SQLException {
        return new Member(
                row.getString("id"),
                new Member.Host(
                        row.getString("host"), row.getString("boot_id"), row.getLong("pid"), row.getLong("pid_start")),
                row.getString("node"),
                row.getString("version"),
                labels(row.getString("labels")),
                row.getInt("capacity"),
                SqlTime.read(row, "started_at"),
                row.getLong("beat"),
                SqlTime.read(row, "heartbeat_at"),
                Member.State.valueOf(row.getString("state")),
                row.getInt("prepared"),
                row.getInt("executing"),
                row.getLong("clock_skew_ms"));
    }

    static String json(Map<String, String> labels) {
        try {
            return JSON.writeValueAsString(labels);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("labels cannot be written", e);
        }
    }

    private static Map<String, String> labels(String json) throws SQLException {
        try {
            return JSON.readValue(json, new TypeReference<Map<String, String>>() {});
        } catch (JsonProcessingException e) {
            throw new SQLException("column labels of table session is not a JSON object of strings", e);
        }
    }
}
