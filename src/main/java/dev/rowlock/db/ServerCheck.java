package dev.rowlock.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What must hold of the server: a version with {@code JSON_TABLE} and check constraints (MySQL 8.0.16, MariaDB 10.6),
 * and READ COMMITTED, without which two nodes would see different tables under the same lock.
 */
final class ServerCheck {

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");

    private ServerCheck() {}

    /**
     * @throws UnsuitableServer with what would do
     * @throws DatabaseUnavailable it could not be asked
     */
    static void run(Server server) {
        try (Connection connection = server.connect(Duration.ofSeconds(30))) {
            checkVersion(one(connection, "select version()"));
            String isolation = one(
                    connection,
                    "show session variables where variable_name in ('transaction_isolation', 'tx_isolation')");
            if (!isolation.equalsIgnoreCase("READ-COMMITTED")) {
                throw new UnsuitableServer(
                        "the server does not let a session use READ COMMITTED (it says " + isolation + "); allow it");
            }
        } catch (SQLException e) {
            throw Database.unavailable("asking the database server what it is", e);
        }
    }

    static void checkVersion(String text) {
        boolean mariaDb = text.toLowerCase(Locale.ROOT).contains("mariadb");
        Matcher version = VERSION.matcher(text.replaceFirst("^5\\.5\\.5-", "")); // how MariaDB greets old replicas
        if (!version.find()) {
            throw new UnsuitableServer(
                    "the database server calls itself version \"" + text + "\", which is not understood");
        }
        long number = Long.parseLong(version.group(1)) * 1_000_000
                + Long.parseLong(version.group(2)) * 1_000
                + Long.parseLong(version.group(3));
        if (number < (mariaDb ? 10_006_000 : 8_000_016)) {
            throw new UnsuitableServer("the database server is version " + text
                    + "; Rowlock needs MySQL 8.0.16 or later, or MariaDB 10.6 or later");
        }
    }

    /** The last column of the only row. */
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
