package dev.rowlock.db;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.rowlock.db.Servers.DatabaseLocation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Connections for requests: a HikariCP pool over the server that takes writes, each under the limits of a {@link Link}.
 * Thread-safe.
 */
final class Pool implements ConnectionFactory, Servers.Connected {

    /** Time of a single wait of HikariCP; in between, this checks whether waiting is of use. */
    private static final Duration LOOK = Duration.ofMillis(250);

    private final Servers servers;
    private final Duration patience;
    private final PrimaryDataSource primary;
    private final HikariDataSource pool = new HikariDataSource();
    private final Map<Connection, Loan> lent = new ConcurrentHashMap<>();

    /** @param pooled what is given back in place of the connection that was lent */
    private record Loan(Connection pooled, long sinceNanos) {}

    /**
     * @param size the most connections at once
     * @param patience how long to wait for one of them, or for a server that takes writes
     */
    Pool(Servers servers, int size, Duration patience, Duration socketTimeout) {
        this.servers = servers;
        this.patience = patience;
        this.primary = new PrimaryDataSource(servers, socketTimeout);
        pool.setPoolName("requests");
        pool.setDataSource(primary);
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(0);
        pool.setIdleTimeout(Duration.ofSeconds(10).toMillis()); // the least; the server ends them before
        pool.setConnectionTimeout(LOOK.toMillis());
        pool.setValidationTimeout(Duration.ofSeconds(1).toMillis());
        pool.setInitializationFailTimeout(-1); // the database may be away when the node starts
        servers.add(this);
    }

    @Override
    public Connection openConnection() throws SQLException {
        long beganNanos = System.nanoTime();
        while (true) {
            primary.want();
            try {
                return lent(pool.getConnection());
            } catch (SQLTransientConnectionException e) {
                @Nullable SQLException failure = primary.failure();
                if (failure != null && (!servers.areSeveral() || SqlErrors.isRefusal(failure))) {
                    throw failure;
                }
                boolean isOver = System.nanoTime() - beganNanos > patience.toNanos();
                if (isOver && failure != null) {
                    throw failure;
                }
                if (isOver && !primary.isConnecting()) {
                    throw allInUse(e);
                }
            }
        }
    }

    /** Lends the driver's own connection, so that what breaks it is seen when it is returned. */
    private Connection lent(Connection pooled) throws SQLException {
        Connection connection = pooled.unwrap(Connection.class);
        lent.put(connection, new Loan(pooled, System.nanoTime()));
        return connection;
    }

    private SQLTransientConnectionException allInUse(SQLException e) {
        return new SQLTransientConnectionException(
                "all " + pool.getMaximumPoolSize() + " connections for requests (database.pool-size) were in use for "
                        + patience.toMillis() + " ms",
                "08001",
                e);
    }

    @Override
    public void closeConnection(Connection connection) throws SQLException {
        @Nullable Loan loan = lent.remove(connection);
        if (loan != null) {
            if (connection.isClosed()) {
                pool.evictConnection(loan.pooled());
            }
            loan.pooled().close();
        }
    }

    @Override
    public void letGo(DatabaseLocation now) {
        evictIdle();
        primary.breakAllBut(now);
    }

    @Override
    public void letGo() {
        evictIdle();
        primary.breakAllBut(null);
    }

    private void evictIdle() {
        @Nullable HikariPoolMXBean running = pool.getHikariPoolMXBean();
        if (running != null) { // somebody has asked for a connection
            running.softEvictConnections();
        }
    }

    @Override
    public boolean isBusy(long nowNanos, Duration longer) {
        return lent.values().stream().anyMatch(loan -> nowNanos - loan.sinceNanos() > longer.toNanos());
    }

    /** Returns false, as requests may wait for locks. */
    @Override
    public boolean isStuck(long nowNanos, Duration longer) {
        return false;
    }

    void close() {
        servers.remove(this);
        pool.close();
    }
}
