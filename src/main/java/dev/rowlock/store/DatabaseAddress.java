package dev.rowlock.store;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * Where the database is and who we are there.
 *
 * @param url a {@code jdbc:mysql:} URL; also for MariaDB
 */
public record DatabaseAddress(String url, String user, String password) {

    DataSource dataSource(Duration socketTimeout) {
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
