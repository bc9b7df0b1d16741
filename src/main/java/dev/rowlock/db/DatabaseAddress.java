package dev.rowlock.db;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * URL of the database, with the account.
 *
 * @param url a {@code jdbc:mysql:} URL; also for MariaDB
 */
public record DatabaseAddress(String url, String user, String password) {

    /** Time after which a server that has not let somebody in counts as unresponsive. */
    public static final Duration CONNECTS_WITHIN = Duration.ofSeconds(2);
    /** Prepared statements kept per connection: those that loops and requests reuse. */
    private static final int STATEMENTS = 100;

    private static final int LONGEST_STATEMENT = 8_192;

    private static final Pattern SERVER = Pattern.compile("jdbc:mysql://(?:[^/?#()@]*@)?([^/?#()@,]+)(?:[/?#].*)?");

    /** Several hosts, none of them in parentheses. */
    private static final Pattern SERVERS = Pattern.compile("(jdbc:mysql://)([^/?#()]*,[^/?#()]*)([/?#].*)?");

    /**
     * Returns one address for each host of {@code jdbc:mysql://host1,host2/…}. The driver would fail over by itself,
     * but silently, to a connection that lacks the limits we set on it, and to a server that may be read-only.
     */
    List<DatabaseAddress> servers() {
        Matcher parts = SERVERS.matcher(url);
        return parts.matches()
                ? Arrays.stream(parts.group(2).split(",", -1))
                        .map(host -> parts.group(1) + host + (parts.group(3) == null ? "" : parts.group(3)))
                        .map(one -> new DatabaseAddress(one, user, password))
                        .toList()
                : List.of(this);
    }

    /** Masks passwords, which settings refuse in a URL and other callers may have there. */
    private static String withoutPasswords(String url) {
        return url.replaceAll("//[^?#]*@", "//***@").replaceAll("(?i)((?:user|password)\\d?=)[^&,)#]*", "$1***");
    }

    /**
     * Returns the location of the server for people: host and port, or the URL without parameters if it has another
     * form.
     */
    public String host() {
        Matcher parts = SERVER.matcher(url);
        if (!parts.matches()) {
            return withoutPasswords(url.replaceFirst("[?#].*", ""));
        }
        String host = parts.group(1);
        return host.matches(".*:[0-9]+") && !host.endsWith("]") ? host : host + ":3306";
    }

    /**
     * Returns a source of connections that waits no longer than {@link #CONNECTS_WITHIN} for each answer of the server
     * while connecting.
     *
     * @param socketTimeout how long an answer may take on a connection that was made
     */
    public DataSource dataSource(Duration socketTimeout) {
        SessionDataSource source = new SessionDataSource(socketTimeout);
        source.setUrl(url);
        if (!user.isEmpty()) {
            source.setUser(user);
            source.setPassword(password);
        }
        try {
            int patience = (int) Math.min(CONNECTS_WITHIN.toMillis(), socketTimeout.toMillis());
            source.setSocketTimeout(patience);
            source.setConnectTimeout(patience);
            source.setSessionVariables("time_zone='+00:00'");
            source.setRewriteBatchedStatements(true);
            source.setTcpKeepAlive(true);
            // The driver finds the library that otel.endpoint needs, and would make spans of each statement for nobody.
            source.setOpenTelemetry("DISABLED");
            // Answers that are read row by row are read at once: no need to lengthen a timeout of the server's each
            // time.
            source.setNetTimeoutForStreamingResults(0);
            // For forms of the URL that leave failing over to the driver: what it finds may be the new primary.
            source.setFailOverReadOnly(false);
            // Nobody makes these connections read-only, and the driver would ask the server about it before each
            // update.
            source.setReadOnlyPropagatesToServer(false);
            // The driver looks for the places of parameters in each statement, and need not each time.
            source.setCachePrepStmts(true);
            source.setPrepStmtCacheSize(STATEMENTS);
            source.setPrepStmtCacheSqlLimit(LONGEST_STATEMENT);
        } catch (SQLException e) {
            throw new IllegalStateException("a property of the database driver is missing", e);
        }
        return source;
    }

    @Override
    public String toString() {
        return "database " + withoutPasswords(url);
    }

    static boolean isMariaDb(Connection connection) throws SQLException {
        return connection
                .getMetaData()
                .getDatabaseProductVersion()
                .toLowerCase(Locale.ROOT)
                .contains("mariadb");
    }

    /** Source of connections that are all READ COMMITTED, however they came about. */
    private static final class SessionDataSource extends MysqlDataSource {
        private static final long serialVersionUID = 1L;

        private final Duration patience;

        SessionDataSource(Duration patience) {
            this.patience = patience;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return prepared(super.getConnection());
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return prepared(super.getConnection(user, password));
        }

        private Connection prepared(Connection connection) throws SQLException {
            try {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                connection.setNetworkTimeout(Runnable::run, (int) patience.toMillis());
                return connection;
            } catch (SQLException e) {
                Database.abandon(connection);
                throw e;
            }
        }
    }
}
