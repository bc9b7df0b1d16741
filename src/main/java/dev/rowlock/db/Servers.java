package dev.rowlock.db;

import dev.rowlock.db.Server.ServerStatus;
import dev.rowlock.db.Server.Writability;
import dev.rowlock.db.Writers.WriterMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Servers named by {@code database.url}, of which one takes writes at a time; what one connection of this process
 * learns, all know. A connection goes to the server that took writes last, otherwise to the next in the order of the
 * URL that does. After a move, the connections to all other servers are cut; nobody moves back without need.
 * Thread-safe. Does nothing by itself: call {@link #check} periodically.
 */
public final class Servers {
    private static final Logger log = LoggerFactory.getLogger(Servers.class);

    /** Time after which a pending answer is a reason to ask the server over another connection. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    /**
     * Time after which a pending heartbeat is a reason to prefer another server, if a commit over a fresh connection
     * hangs too. Shorter than the lock wait timeouts of our connections, after which a statement is repeated.
     */
    private static final Duration STUCK = Duration.ofMillis(1500);

    private final List<Server> servers;
    private final LongSupplier nanos;
    private final Set<Connected> connected = ConcurrentHashMap.newKeySet();
    private final ReentrantLock moving = new ReentrantLock();
    private volatile DatabaseLocation place = new DatabaseLocation(0);
    private volatile boolean doubted;
    private volatile boolean together;
    private volatile Runnable moved = () -> {};
    private volatile DatabaseListener listener = DatabaseListener.NONE;

    /** Present location of the database; a new one for each move. */
    static final class DatabaseLocation {
        private final int server;
        /** Set once somebody has found the server writable. */
        private volatile boolean known;

        private DatabaseLocation(int server) {
            this.server = server;
        }
    }

    public record OpenedConnection(Connection connection, DatabaseLocation place) {}

    /** Holder of connections to these servers. */
    interface Connected {
        /** Breaks connections made when the database was elsewhere, even while in use. */
        void letGo(DatabaseLocation now);

        /** Breaks all connections, even while in use. */
        void letGo();

        /** Returns whether a connection has been in use for so long. */
        boolean isBusy(long nowNanos, Duration longer);

        /** Returns whether a connection that should have been quick has been in use for so long. */
        boolean isStuck(long nowNanos, Duration longer);
    }

    public Servers(DatabaseAddress address) {
        this(address, System::nanoTime);
    }

    Servers(DatabaseAddress address, LongSupplier nanos) {
        this.servers = address.servers().stream().map(Server::new).toList();
        this.nanos = nanos;
    }

    /** Returns whether there is more than one. */
    public boolean areSeveral() {
        return servers.size() > 1;
    }

    /** Sets the listener to what is done over connections to these servers. */
    public void listen(DatabaseListener to) {
        listener = to;
    }

    DatabaseListener listener() {
        return listener;
    }

    /** @param moved called whenever the database has become another server, by whoever noticed; must be quick */
    public void onMove(Runnable moved) {
        this.moved = moved;
    }

    /** Returns the server that took writes when that was last known; it may have been demoted since. */
    public Server here() {
        return servers.get(place.server);
    }

    /** Opens a connection to the server that takes writes, which is the present place. */
    public OpenedConnection open(Duration socketTimeout) throws SQLException {
        while (true) {
            DatabaseLocation seen = place;
            OpenedConnection opened = open(seen, socketTimeout);
            if (opened != null) {
                return opened;
            }
        }
    }

    /**
     * Opens a connection like {@link #open}, with the limits for one that can hold a lock.
     *
     * @param noted told of each connection before it is looked whether the database has moved, so that whoever moves it
     *     finds the connection
     */
    OpenedConnection openLimited(Duration socketTimeout, Consumer<OpenedConnection> noted) throws SQLException {
        while (true) {
            OpenedConnection fresh = open(socketTimeout);
            noted.accept(fresh);
            if (!isHere(fresh.place())) {
                Database.abandon(fresh.connection());
                continue;
            }
            try {
                Link.limit(fresh.connection());
                learn(fresh.connection());
                return fresh;
            } catch (SQLException e) {
                Database.abandon(fresh.connection()); // without its limits it could hold a lock row for hours
                throw e;
            }
        }
    }

    private @Nullable OpenedConnection open(DatabaseLocation seen, Duration socketTimeout) throws SQLException {
        @Nullable SQLException failure = null;
        for (int server : inOrder(seen)) {
            try {
                Connection connection = areSeveral()
                        ? servers.get(server).connectForWrites(socketTimeout)
                        : servers.get(server).connect(socketTimeout);
                if (server != seen.server) {
                    move(seen, server, failure == null ? "" : String.valueOf(failure.getMessage()));
                }
                DatabaseLocation now = place;
                if (now.server == server) {
                    now.known = true;
                    return new OpenedConnection(connection, now);
                }
                Database.abandon(connection);
                return null; // another has moved meanwhile
            } catch (SQLException e) {
                doubted = true;
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        throw failure == null ? new SQLException("database.url names no server") : summary(failure);
    }

    private List<Integer> inOrder(DatabaseLocation from) {
        return IntStream.range(0, servers.size())
                .mapToObj(i -> (from.server + i) % servers.size())
                .toList();
    }

    private SQLException summary(SQLException failure) {
        if (!areSeveral()) {
            return failure;
        }
        String all = String.valueOf(failure.getMessage())
                + java.util.Arrays.stream(failure.getSuppressed())
                        .map(other -> "; " + other.getMessage())
                        .collect(Collectors.joining());
        return new SQLTransientConnectionException(
                "no server of database.url takes writes: " + all,
                failure.getSQLState(),
                failure.getErrorCode(),
                failure);
    }

    /** Moves to another server, unless somebody has moved since {@code seen}. */
    private void move(DatabaseLocation seen, int to, String why) {
        moving.lock();
        try {
            if (place != seen) {
                return;
            }
            place = new DatabaseLocation(to);
        } finally {
            moving.unlock();
        }
        log.atLevel(seen.known ? Level.WARN : Level.INFO)
                .log(
                        "The database is now {}, server {} of database.url: {}",
                        servers.get(to).name(),
                        to + 1,
                        why);
        DatabaseLocation now = place;
        connected.forEach(holder -> holder.letGo(now));
        moved.run();
    }

    boolean isHere(DatabaseLocation other) {
        return place == other;
    }

    DatabaseLocation place() {
        return place;
    }

    void add(Connected holder) {
        connected.add(holder);
    }

    void remove(Connected holder) {
        connected.remove(holder);
    }

    /** Asks whether the server of a new connection is one of several that take writes for one cluster. */
    void learn(Connection connection) throws SQLException {
        together = ServerKind.of(connection).writers() != WriterMode.SINGLE;
    }

    boolean takeWritesTogether() {
        return together;
    }

    /** Requests an early check, after a connection broke or a server refused to write. */
    public void doubt() {
        doubted = true;
    }

    /**
     * Checks, if there is reason to, whether the database is still where it was, and moves to another server that takes
     * writes if not; away from one whose commits hang, only to one that commits.
     *
     * @param beside asks servers that did not answer before, so that nobody waits for them
     * @return false: something is wrong; check again soon
     */
    public boolean check(Executor beside) {
        if (!areSeveral()) {
            return true;
        }
        DatabaseLocation now = place;
        long time = nanos.getAsLong();
        boolean stuck = connected.stream().anyMatch(holder -> holder.isStuck(time, STUCK));
        if (!doubted && connected.stream().noneMatch(holder -> holder.isBusy(time, SLOW))) {
            return true;
        }
        doubted = false;
        ServerStatus here = servers.get(now.server).askBeside(beside);
        if (here.takesWrites() && !stuck) {
            return true;
        }
        String why = here.takesWrites() ? here.what() + " by its own account, but commits hang" : here.what();
        for (int server : inOrder(now)) {
            Server other = servers.get(server);
            // The present one is tried last: where all hang until the cluster has voted out a member, none moves.
            if (server == now.server
                    || !other.askBeside(beside).takesWrites()
                    || (here.takesWrites() && !other.commits())) {
                continue;
            }
            if (here.takesWrites() && servers.get(now.server).commits()) {
                return true; // what hangs is one connection, or waits for a lock: no reason to leave all other nodes
            }
            move(now, server, why);
            return false;
        }
        doubted = true;
        if (here.answer() == Writability.TAKES_NONE) {
            connected.forEach(Connected::letGo); // nothing can come of what waits there
        }
        return false;
    }

    /**
     * Asks all servers whether they take writes, and the present one for its kind; takes up to some seconds for each.
     *
     * @return empty if the present one does not answer
     */
    public Optional<Writers> writers() {
        try {
            WriterMode kind = here().writers();
            together = kind != WriterMode.SINGLE; // a group may have been switched while nobody connected
            return Optional.of(new Writers(kind, areSeveral() ? severalWriters() : List.of()));
        } catch (SQLException e) {
            log.debug("asking {} whether others take writes: {}", here().name(), e.toString());
            return Optional.empty();
        }
    }

    private List<String> severalWriters() {
        List<Server> once = writersOf(servers);
        // The first may have been demoted before the second was promoted, and asked before that.
        List<Server> twice = once.size() > 1 ? writersOf(once) : List.of();
        return twice.size() > 1 ? twice.stream().map(Server::name).toList() : List.of();
    }

    private static List<Server> writersOf(List<Server> asked) {
        Map<String, Server> byId = new LinkedHashMap<>();
        asked.forEach(server -> server.writerId().ifPresent(id -> byId.putIfAbsent(id, server)));
        return List.copyOf(byId.values());
    }
}
