package dev.rowlock.db;

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
 * New connections to the server that takes writes, for a pool. While somebody waits for one, it is tried again and
 * again here: HikariCP would pause twice as long each time, and be in the middle of seconds when the database is back.
 * Thread-safe.
 */
final class PrimaryDataSource implements DataSource {

    private static final Duration AGAIN = Duration.ofMillis(250);

    /** Whoever waits says so more often. */
    private static final Duration WANTED = Duration.ofSeconds(1);

    /** Between attempts there are {@link #AGAIN} and the time that a server has to let somebody in. */
    private static final Duration RECENT = Duration.ofSeconds(3);

    private final Servers servers;
    private final Duration socketTimeout;
    private final Map<Connection, Servers.Place> made = new ConcurrentHashMap<>();
    private final AtomicInteger connecting = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile @Nullable Failure failure;
    private volatile long wantedNanos = System.nanoTime() - WANTED.toNanos();

    private record Failure(SQLException why, long atNanos) {}

    PrimaryDataSource(Servers servers, Duration socketTimeout) {
        this.servers = servers;
        this.socketTimeout = socketTimeout;
    }

    /** Somebody waits for a connection. */
    void want() {
        wantedNanos = System.nanoTime();
    }

    private boolean isWanted() {
        return System.nanoTime() - wantedNanos < WANTED.toNanos();
    }

    /** Why the last attempt failed; null: it did not, or so long ago that it tells nothing of now. */
    @Nullable
    SQLException failure() {
        Failure last = failure;
        return last == null || System.nanoTime() - last.atNanos() > RECENT.toNanos() ? null : last.why();
    }

    /** Whether a connection is being made, which takes as long as the address allows at the most. */
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
                failure = new Failure(e, System.nanoTime());
                if (SqlErrors.isRefusal(e) || !isWanted() || isEnded()) {
                    throw e;
                }
            }
        }
    }

    /** Waits a little; true: the pool is closed meanwhile. */
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

    /** Breaks those that were made at another place, whoever uses them; null: all. */
    void breakAllBut(Servers.@Nullable Place place) {
        made.forEach((connection, of) -> {
            if (of != place) {
                Database.abandon(connection);
            }
        });
    }

    /** The pool gives none: the address has them. */
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
