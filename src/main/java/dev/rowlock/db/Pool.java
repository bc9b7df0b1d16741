package dev.rowlock.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.ConnectionFactory;

/**
 * Connections for many threads, each under the limits of a {@link Link}. Whoever was served last gets the same
 * connection again; those that nobody has used for a while are closed. Thread-safe.
 */
final class Pool implements ConnectionFactory {

    /** By then the server has ended it. */
    private static final Duration GONE = Duration.ofSeconds(4);

    /** How soon servers of which none took writes are asked again, if none of them is found before. */
    private static final Duration AGAIN = Duration.ofMillis(500);

    private final Servers servers;
    private final Duration patience;
    private final Duration socketTimeout;
    private final Semaphore free;
    private final int size;
    private final Deque<Link> idle = new ArrayDeque<>();
    private final Map<Connection, Link> lent = new ConcurrentHashMap<>();
    private boolean closed;

    /**
     * @param size the most connections at once
     * @param patience how long to wait for one of them, or for a server that takes writes
     */
    Pool(Servers servers, int size, Duration patience, Duration socketTimeout) {
        this.servers = servers;
        this.size = size;
        this.patience = patience;
        this.socketTimeout = socketTimeout;
        this.free = new Semaphore(size, true);
    }

    @Override
    public Connection openConnection() throws SQLException {
        long untilNanos = System.nanoTime() + patience.toNanos();
        awaitFree();
        Link link = idleOrNew();
        try {
            Connection connection = opened(link, untilNanos);
            lent.put(connection, link);
            return connection;
        } catch (SQLException | RuntimeException e) {
            giveBack(link);
            throw e;
        }
    }

    private Connection opened(Link link, long untilNanos) throws SQLException {
        while (true) {
            Servers.Place place = servers.place();
            try {
                return link.openConnection();
            } catch (SQLException e) {
                Duration left = Duration.ofNanos(untilNanos - System.nanoTime());
                if (!servers.areSeveral() || left.isNegative() || SqlErrors.isRefusal(e)) {
                    throw e;
                }
                servers.awaitMove(place, left.compareTo(AGAIN) < 0 ? left : AGAIN);
            }
        }
    }

    private void awaitFree() throws SQLException {
        try {
            if (!free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new SQLTransientConnectionException(
                        "all " + size + " connections for requests (database.pool-size) were in use for "
                                + patience.toMillis() + " ms",
                        "08001");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while waiting for a connection", "08001", e);
        }
    }

    private Link idleOrNew() {
        synchronized (idle) {
            Link last = idle.pollFirst();
            return last == null ? new Link(servers, socketTimeout, false) : last;
        }
    }

    @Override
    public void closeConnection(Connection connection) {
        Link link = lent.remove(connection);
        if (link != null) {
            link.closeConnection(connection);
            giveBack(link);
        }
    }

    private void giveBack(Link link) {
        List<Link> superfluous = new ArrayList<>();
        synchronized (idle) {
            if (closed) {
                superfluous.add(link);
            } else {
                idle.addFirst(link);
                while (idle.size() > 1 && idle.peekLast().wasIdle(GONE)) {
                    superfluous.add(idle.pollLast());
                }
            }
        }
        superfluous.forEach(Link::close);
        free.release();
    }

    void close() {
        List<Link> all;
        synchronized (idle) {
            closed = true;
            all = new ArrayList<>(idle);
            idle.clear();
        }
        all.forEach(Link::close);
        lent.values().forEach(Link::letGo); // who has it gives it back, and it is closed then
    }
}
