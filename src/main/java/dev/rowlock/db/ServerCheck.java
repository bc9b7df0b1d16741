package dev.rowlock.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requirements of the server: MySQL 8.0.16 or MariaDB 10.6 at the least, for {@code JSON_TABLE} and check
 * constraints; none of the servers that only speak their language; and READ COMMITTED, without which two nodes would
 * see different tables under the same lock.
 */
public final class ServerCheck {

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");
    private static final String NEEDED = "Rowlock needs MySQL 8.0.16 or later, or MariaDB 10.6 or later";

    private ServerCheck() {}

    /**
     * @param patience how long an answer may take
     * @throws UnsuitableServer with what would do
     * @throws DatabaseUnavailable it could not be asked
     */
    public static void run(Server server, Duration patience) {
        try (Connection connection = server.connect(patience)) {
            run(connection);
        } catch (SQLException e) {
            throw Database.unavailable("asking the database server what it is", e);
        }
    }

    public static void run(Connection connection) throws SQLException {
        check(ServerKind.of(connection));
        String isolation = one(
                connection, "show session variables where variable_name in ('transaction_isolation', 'tx_isolation')");
        if (!isolation.equalsIgnoreCase("READ-COMMITTED")) {
            throw new UnsuitableServer(
                    "the server does not let a session use READ COMMITTED (it says " + isolation + "); allow it");
        }
    }

    static void check(ServerKind kind) {
        for (String name : new String[] {"TiDB", "Vitess"}) {
            if (kind.calls(name.toLowerCase(java.util.Locale.ROOT))) {
                throw new UnsuitableServer("the database server is " + name + " (version \"" + kind.version()
                        + "\"), which lacks locks and functions that Rowlock relies on; " + NEEDED);
            }
        }
        if (!kind.isMariaDb() && (kind.galera() || kind.calls("xtradb cluster"))) {
            throw new UnsuitableServer("the database server is a Galera cluster of MySQL's kind (\"" + kind.comment()
                    + "\", such as Percona XtraDB Cluster), which does not tell the ids of rows that are"
                    + " inserted together; use MariaDB with Galera, or MySQL Group Replication in single-primary mode");
        }
        checkVersion(kind);
        if (kind.statementLog()) {
            throw new UnsuitableServer("binlog_format of the database server is STATEMENT, with which it refuses all"
                    + " writes under READ COMMITTED; set binlog_format = ROW");
        }
    }

    private static void checkVersion(ServerKind kind) {
        String text = kind.version();
        Matcher version = VERSION.matcher(text.replaceFirst("^5\\.5\\.5-", "")); // how MariaDB greets old replicas
        if (!version.find()) {
            throw new UnsuitableServer(
                    "the database server calls itself version \"" + text + "\", which is not understood; " + NEEDED);
        }
        long number = Long.parseLong(version.group(1)) * 1_000_000
                + Long.parseLong(version.group(2)) * 1_000
                + Long.parseLong(version.group(3));
        if (number < (kind.isMariaDb() ? 10_006_000 : 8_000_016)) {
            throw new UnsuitableServer("the database server is version " + text + "; " + NEEDED);
        }
    }

    /** Returns the last column of the only row. */
    private static String one(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) {
                throw new SQLException("no answer to: " + sql);
            }
            return row.getString(row.getMetaData().getColumnCount());
        }
    }
}
