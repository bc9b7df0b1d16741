package dev.rowlock.db;

import dev.rowlock.db.Writers.WriterMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Kind of a database server, by its own account.
 *
 * @param version its number, and what its makers add to it
 * @param comment its name in full
 * @param galera whether it is a member of a Galera cluster
 * @param multiPrimary whether it is set up for a replication group all of whose members take writes
 * @param statementLog whether its binary log has statements, not rows
 */
record ServerKind(String version, String comment, boolean galera, boolean multiPrimary, boolean statementLog) {

    /** Variables about the kind of server. A kind that lacks one leaves it out of the answer. */
    private static final String ABOUT = "show global variables where variable_name in ('version', 'version_comment',"
            + " 'wsrep_on', 'wsrep_provider', 'group_replication_group_name', 'group_replication_single_primary_mode',"
            + " 'log_bin', 'binlog_format')";

    static ServerKind of(Connection connection) throws SQLException {
        return of(shown(connection, ABOUT));
    }

    /** Returns the answer to a {@code show}, by names in lower case. */
    static Map<String, String> shown(Connection connection, String show) throws SQLException {
        Map<String, String> values = new HashMap<>();
        try (var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(show)) {
            while (rows.next()) {
                values.put(
                        rows.getString(1).toLowerCase(Locale.ROOT), Objects.requireNonNullElse(rows.getString(2), ""));
            }
        }
        return values;
    }

    static ServerKind of(Map<String, String> variables) {
        String provider = variables.getOrDefault("wsrep_provider", "none");
        return new ServerKind(
                variables.getOrDefault("version", ""),
                variables.getOrDefault("version_comment", ""),
                isOn(variables, "wsrep_on") && !provider.isEmpty() && !provider.equals("none"),
                !variables.getOrDefault("group_replication_group_name", "").isEmpty()
                        && variables
                                .getOrDefault("group_replication_single_primary_mode", "ON")
                                .equalsIgnoreCase("OFF"),
                isOn(variables, "log_bin")
                        && variables.getOrDefault("binlog_format", "ROW").equalsIgnoreCase("STATEMENT"));
    }

    private static boolean isOn(Map<String, String> variables, String name) {
        return variables.getOrDefault(name, "OFF").equalsIgnoreCase("ON");
    }

    /** Returns by which means several servers take writes, if they do. */
    WriterMode writers() {
        return galera ? WriterMode.GALERA : multiPrimary ? WriterMode.MULTI_PRIMARY : WriterMode.SINGLE;
    }

    boolean isMariaDb() {
        return version.toLowerCase(Locale.ROOT).contains("mariadb");
    }

    /** Returns whether the version or its comment contains this name. */
    boolean calls(String name) {
        return (version + " " + comment).toLowerCase(Locale.ROOT).contains(name);
    }
}
