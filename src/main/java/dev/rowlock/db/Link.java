package dev.rowlock.db;

import dev.rowlock.db.Servers.DatabaseLocation;
import dev.rowlock.db.Servers.OpenedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jdbi.v3.core.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection that is kept open between uses, and replaced when it is broken, was idle, or leads to a server that is no
 * longer the primary. For one thread at a time, but for {@link #letGo}.
 */
final class Link implements ConnectionFactory, Servers.Connected {

    private static final Logger log = LoggerFactory.getLogger(Link.class);

    /** Silence after which the server drops the connection. A frozen node must not hold a lock row for longer. */
    private static final int WAIT_TIMEOUT_SECONDS = 3;

    private static final int LOCK_WAIT_SECONDS = 2;
    private static final Duration MAYBE_DROPPED = Duration.ofSeconds(1);

    private final Servers servers;
    private final Duration socketTimeout;
    private final boolean waitsForNoLock;
    private volatile @Nullable OpenedConnection current;
    private volatile boolean busy;
    private volatile long sinceNanos;

    /** @param waitsForNoLock what is done by it is quick, unless the server is in trouble */
    Link(Servers servers, Duration socketTimeout, boolean waitsForNoLock) {
        this.servers = servers;
        this.socketTimeout = socketTimeout;
        this.waitsForNoLock = waitsForNoLock;
        servers.add(this);
    }

    @Override
    public synchronized Connection openConnection() throws SQLException {
        long idleNanos = System.nanoTime() - sinceNanos;
        sinceNanos = System.nanoTime();
        busy = true;
        try {
            OpenedConnection kept = current;
            if (kept != null && isGood(kept, idleNanos)) {
                return kept.connection();
            }
            drop();
            return opened();
        } catch (SQLException | RuntimeException e) {
            busy = false;
            throw e;
        }
    }

    private Connection opened() throws SQLException {
        OpenedConnection fresh = servers.openLimited(socketTimeout, opened -> current = opened);
        sinceNanos = System.nanoTime();
        return fresh.connection();
    }

    @Override
    public void closeConnection(Connection connection) {
        sinceNanos = System.nanoTime();
        busy = false;
    }

    synchronized void close() {
        servers.remove(this);
        drop();
    }

    @Override
    public void letGo(DatabaseLocation now) {
        OpenedConnection kept = current;
        if (kept != null && kept.place() != now) {
            Database.abandon(kept.connection());
        }
    }

    @Override
    public void letGo() {
        OpenedConnection kept = current;
        if (kept != null) {
            Database.abandon(kept.connection());
        }
    }

    @Override
    public boolean isBusy(long nowNanos, Duration longer) {
        return busy && nowNanos - sinceNanos > longer.toNanos();
    }

    @Override
    public boolean isStuck(long nowNanos, Duration longer) {
        return waitsForNoLock && isBusy(nowNanos, longer);
    }

    private boolean isGood(OpenedConnection kept, long idleNanos) throws SQLException {
        Connection connection = kept.connection();
        if (connection.isClosed() || !servers.isHere(kept.place())) {
            return false;
        }
        return idleNanos < MAYBE_DROPPED.toNanos() || (connection.isValid(1) && stillTakesWrites(connection));
    }

    private boolean stillTakesWrites(Connection connection) throws SQLException {
        if (!servers.areSeveral() || Server.whyNoWrites(connection) == null) {
            return true;
        }
        servers.doubt();
        return false;
    }

    /** Sets the limits that every connection needs which can hold a lock. */
    static void limit(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("set session wait_timeout = " + WAIT_TIMEOUT_SECONDS + ", innodb_lock_wait_timeout = "
                    + LOCK_WAIT_SECONDS + ", lock_wait_timeout = " + LOCK_WAIT_SECONDS);
            if (DatabaseAddress.isMariaDb(connection)) {
                statement.execute("set session idle_transaction_timeout = " + WAIT_TIMEOUT_SECONDS);
            }
        }
    }

    private void drop() {
        OpenedConnection kept = current;
        current = null;
        if (kept != null) {
            try {
                kept.connection().close();
            } catch (SQLException e) {
                log.debug("closing a connection: {}", e.toString());
            }
        }
    }
}
