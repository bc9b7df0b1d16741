package dev.rowlock.store;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Several servers of which one takes writes at a time. A connection goes to the one that took them last, else to the next in the order of the
 * URL that can be reached and is not read-only. It stays with that server until it breaks: nobody is moved back to a former primary. Thread-safe.
 */
final class FirstWritable implements DataSource {

    private static final org.slf4j.Logger log = org.slf4j.LoggerFactory.getLogger(FirstWritable.class);

    private final List<DataSource> servers;
    private final AtomicInteger last = new AtomicInteger();

    /** @param servers in the order in which they are tried at first */
    FirstWritable(List<DataSource> servers) {
        this.servers = List.copyOf(servers);
    }

    @Override
    public Connection getConnection() throws SQLException {
        int first = last.get();
        @Nullable SQLException failure = null;
        for (int i = 0; i < servers.size(); i++) {
            int server = (first + i) % servers.size();
            try {
                Connection connection = writable(servers.get(server));
                if (server != first && last.compareAndSet(first, server)) {
                    log.warn(
                            "the database is now server {} of database.url: {}",
                            server + 1,
                            connection.getMetaData().getURL());
                }
                return connection;
            } catch (SQLException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        throw failure == null ? new SQLException("database.url names no server") : failure;
    }

    private static Connection writable(DataSource server) throws SQLException {
        Connection connection = server.getConnection();
        try {
            @Nullable String why = readOnly(connection);
            if (why == null) {
                return connection;
            }
            throw new SQLTransientConnectionException(
                    connection.getMetaData().getURL().replaceFirst("\\?.*", "") + " is read-only (" + why + ")",
                    "08004");
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private static @Nullable String readOnly(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select @@global.read_only, @@global.innodb_read_only")) {
            row.next();
            return isOn(row.getString(1))
                    ? "read_only is set"
                    : isOn(row.getString(2)) ? "innodb_read_only is set" : null;
        }
    }

    /** Newer servers have more words for it than on. */
    private static boolean isOn(@Nullable String value) {
        String text = value == null ? "0" : value.toUpperCase(Locale.ROOT);
        return !text.equals("0") && !text.equals("OFF");
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the user is part of the address");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {} // each server has its own time limits

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("this is no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
