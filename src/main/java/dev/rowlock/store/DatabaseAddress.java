package dev.rowlock.store;

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
 * Where the database is and who we are there.
 *
 * @param url a {@code jdbc:mysql:} URL; also for MariaDB
 */
public record DatabaseAddress(String url, String user, String password) {

    /** Several hosts, none of them in parentheses. */
    private static final Pattern SERVERS = Pattern.compile("(jdbc:mysql://)([^/?#()]*,[^/?#()]*)([/?#].*)?");

    DataSource dataSource(Duration socketTimeout) {
        List<String> servers = servers();
        return servers.size() == 1
                ? dataSource(url, socketTimeout)
                : new FirstWritable(servers.stream()
                        .map(server -> dataSource(server, socketTimeout))
                        .toList());
    }

    /**
     * One URL for each host of {@code jdbc:mysql://host1,host2/…}. The driver would fail over by itself, but silently, in the middle of a
     * connection that then lacks the limits we set on it, and to a server that may be read-only.
     */
    List<String> servers() {
        Matcher parts = SERVERS.matcher(url);
        return parts.matches()
                ? Arrays.stream(parts.group(2).split(",", -1))
                        .map(host -> parts.group(1) + host + (parts.group(3) == null ? "" : parts.group(3)))
                        .toList()
                : List.of(url);
    }

    private DataSource dataSource(String url, Duration socketTimeout) {
        SessionDataSource source = new SessionDataSource();
        source.setUrl(url);
        if (!user.isEmpty()) {
            source.setUser(user);
            source.setPassword(password);
        }
        try {
            source.setSocketTimeout((int) socketTimeout.toMillis());
            source.setConnectTimeout((int) Math.min(5000, socketTimeout.toMillis()));
            source.setSessionVariables("time_zone='+00:00'");
            source.setRewriteBatchedStatements(true);
            source.setTcpKeepAlive(true);
            // Answers that are read row by row are read at once: no need to lengthen a timeout of the server's each
            // time.
            source.setNetTimeoutForStreamingResults(0);
            // For forms of the URL that leave failing over to the driver: what it finds may be the new primary.
            source.setFailOverReadOnly(false);
            // Nobody makes these connections read-only, and the driver would ask the server about it before each
            // update.
            source.setReadOnlyPropagatesToServer(false);
        } catch (SQLException e) {
            throw new IllegalStateException("a property of the database driver is missing", e);
        }
        return source;
    }

    @Override
    public String toString() {
        return "database " + url.replaceAll("(?i)(password=)[^&]*", "$1***");
    }

    static boolean isMariaDb(Connection connection) throws SQLException {
        return connection
                .getMetaData()
                .getDatabaseProductVersion()
                .toLowerCase(Locale.ROOT)
                .contains("mariadb");
    }

    /** READ COMMITTED on every connection, however it came about. */
    private static final class SessionDataSource extends MysqlDataSource {
        private static final long serialVersionUID = 1L;

        @Override
        public Connection getConnection() throws SQLException {
            return prepared(super.getConnection());
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return prepared(super.getConnection(user, password));
        }

        private static Connection prepared(Connection connection) throws SQLException {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            return connection;
        }
    }
}
