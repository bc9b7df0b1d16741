package dev.rowlock.db;

import dev.rowlock.db.Servers.DatabaseLocation;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Source of new connections to the server that takes writes, for a pool. While somebody waits for one, it tries again
 * and again: HikariCP would double its pauses, and be in the middle of seconds when the database is back. Thread-safe.
 */
final class PrimaryDataSource implements DataSource {

    private static final Duration AGAIN = Duration.ofMillis(250);

    /** Time for which a wait counts; whoever still waits says so more often. */
    private static final Duration WANTED = Duration.ofSeconds(1);

    /**
     * Age up to which a failure counts: longer than {@link #AGAIN} and the time that a server has to let somebody in.
     */
    private static final Duration RECENT = Duration.ofSeconds(3);

    private final Servers servers;
    private final Duration socketTimeout;
    private final Map<Connection, DatabaseLocation> made = new ConcurrentHashMap<>();
    private final AtomicInteger connecting = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile @Nullable PoolFailure failure;
    private volatile long wantedNanos = System.nanoTime() - WANTED.toNanos();

    private record PoolFailure(SQLException why, long atNanos) {}

    PrimaryDataSource(Servers servers, Duration socketTimeout) {
        this.servers = servers;
        this.socketTimeout = socketTimeout;
    }

    /** Notes that somebody waits for a connection. */
    void want() {
        wantedNanos = System.nanoTime();
    }

    private boolean isWanted() {
        return System.nanoTime() - wantedNanos < WANTED.toNanos();
    }

    /** Returns why the last attempt failed; null if it did not, or too long ago to matter. */
    @Nullable
    SQLException failure() {
        PoolFailure last = failure;
        return last == null || System.nanoTime() - last.atNanos() > RECENT.toNanos() ? null : last.why();
    }

    /** Returns whether a connection is being made, which takes at most as long as the address allows. */
    boolean isConnecting() {
        return connecting.get() > 0;
    }

    @Override
    public Connection getConnection() throws SQLException {
        made.keySet().removeIf(PrimaryDataSource::isClosed);
        connecting.incrementAndGet();
        try {
            return opened();
        } finally {
            connecting.decrementAndGet();
        }
    }

    private Connection opened() throws SQLException {
        while (true) {
            try {
                Connection connection = servers.openLimited(
                                socketTimeout, opened -> made.put(opened.connection(), opened.place()))
                        .connection();
                failure = null;
                return connection;
            } catch (SQLException e) {
                failure = new PoolFailure(e, System.nanoTime());
                if (SqlErrors.isRefusal(e) || !isWanted() || isEnded()) {
                    throw e;
                }
            }
        }
    }

    /** Waits a little; returns true if the pool was closed meanwhile. */
    private boolean isEnded() {
        try {
            return never.await(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    /** Breaks connections made at another place, even while in use; null: all. */
    void breakAllBut(@Nullable DatabaseLocation place) {
        made.forEach((connection, of) -> {
            if (of != place) {
                Database.abandon(connection);
            }
        });
    }

    /** Returns a pooled connection; the account is that of the address. */
    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // the address has one
    }

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
        throw new SQLException("this wraps no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
