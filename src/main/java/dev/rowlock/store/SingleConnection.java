package dev.rowlock.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection, kept open between uses and replaced when it is broken or has been idle. For one thread at a time. */
final class SingleConnection implements ConnectionFactory, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SingleConnection.class);

    /** Silence after which the server drops the connection. A frozen node must not hold a lock row for longer. */
    private static final int WAIT_TIMEOUT_SECONDS = 3;

    private static final int LOCK_WAIT_SECONDS = 2;
    private static final Duration MAYBE_DROPPED = Duration.ofSeconds(1);

    private final DataSource source;
    private @Nullable Connection current;
    private long usedNanos;

    SingleConnection(DatabaseAddress address, Duration socketTimeout) {
        this.source = address.dataSource(socketTimeout);
    }

    @Override
    public synchronized Connection openConnection() throws SQLException {
        Connection connection = current;
        if (connection != null && !connection.isClosed() && stillThere(connection)) {
            return connection;
        }
        drop();
        Connection fresh = source.getConnection();
        try {
            limit(fresh);
        } catch (SQLException e) {
            fresh.abort(Runnable::run); // without its limits it could hold a lock row for hours
            throw e;
        }
        current = fresh;
        return fresh;
    }

    @Override
    public synchronized void closeConnection(Connection connection) {
        usedNanos = System.nanoTime();
    }

    @Override
    public synchronized void close() {
        drop();
    }

    private boolean stillThere(Connection connection) throws SQLException {
        boolean fresh = System.nanoTime() - usedNanos < MAYBE_DROPPED.toNanos();
        return fresh || connection.isValid(1);
    }

    private static void limit(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("set session wait_timeout = " + WAIT_TIMEOUT_SECONDS + ", innodb_lock_wait_timeout = "
                    + LOCK_WAIT_SECONDS + ", lock_wait_timeout = " + LOCK_WAIT_SECONDS);
            if (DatabaseAddress.isMariaDb(connection)) {
                statement.execute("set session idle_transaction_timeout = " + WAIT_TIMEOUT_SECONDS);
            }
        }
    }

    private void drop() {
        Connection connection = current;
        current = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                log.debug("closing a connection: {}", e.toString());
            }
        }
    }
}
