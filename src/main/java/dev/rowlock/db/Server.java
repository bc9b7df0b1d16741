package dev.rowlock.db;

import dev.rowlock.db.Writers.WriterMode;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One server of {@code database.url}: its address, and what was last seen of it. Thread-safe. */
public final class Server {

    private static final Logger log = LoggerFactory.getLogger(Server.class);

    /** Time for which a server that did not answer is skipped by those who need one that takes writes. */
    private static final Duration LEFT_ALONE = Duration.ofSeconds(2);

    /** Time after which a commit counts as hanging. */
    private static final Duration COMMITS_WITHIN = Duration.ofMillis(1500);

    /** Variables that tell a read-only server, or a Galera member. Not every server has all of these. */
    private static final String READ_ONLY = "show global variables where variable_name in"
            + " ('read_only', 'innodb_read_only', 'wsrep_on', 'wsrep_provider')";

    /** Status of a Galera member, which answers this outside the primary component, and next to nothing else. */
    private static final String COMPONENT =
            "show global status where variable_name in ('wsrep_cluster_status', 'wsrep_ready')";

    /** Query whether half of the replication group is unreachable, readable only for accounts that were granted it. */
    private static final String CUT_OFF = "select 2 * sum(member_state = 'UNREACHABLE') >= count(*)"
            + " from performance_schema.replication_group_members";

    /**
     * Variables that identify a server. None has all of these, and older versions of MariaDB have no id of their own.
     */
    private static final String ID = "show global variables"
            + " where variable_name in ('server_uuid', 'server_uid', 'server_id', 'hostname', 'port', 'datadir')";

    private final DatabaseAddress address;
    private final AtomicBoolean beingAsked = new AtomicBoolean();
    private volatile @Nullable Silence silence;

    private record Silence(String what, long untilNanos) {}

    enum Writability {
        TAKES_WRITES,
        /** The server answers, but is demoted, offline, or cut off from its group. */
        TAKES_NONE,
        /** The server could not be asked. */
        NONE
    }

    /** @param what for people; begins with the server's name */
    record ServerStatus(Writability answer, String what) {

        boolean takesWrites() {
            return answer == Writability.TAKES_WRITES;
        }
    }

    /** @param address names this server alone */
    Server(DatabaseAddress address) {
        this.address = address;
    }

    String name() {
        return address.host();
    }

    /** Returns its address, which names no other server. */
    public DatabaseAddress address() {
        return address;
    }

    /**
     * Returns a connection to this server, whether it takes writes or not.
     *
     * @throws SQLException with a message that names the server and says what is wrong
     */
    Connection connect(Duration socketTimeout) throws SQLException {
        try {
            Connection connection = address.dataSource(socketTimeout).getConnection();
            silence = null;
            return connection;
        } catch (SQLException e) {
            SQLException said = ConnectFailure.of(address, e);
            if (isSilence(e)) {
                silence = new Silence(String.valueOf(said.getMessage()), System.nanoTime() + LEFT_ALONE.toNanos());
            }
            throw said;
        }
    }

    /** Returns a connection if the server takes writes; one that was silent a moment ago is not asked again. */
    Connection connectForWrites(Duration socketTimeout) throws SQLException {
        Silence silent = silence;
        if (silent != null && silent.untilNanos() - System.nanoTime() > 0) {
            throw new SQLTransientConnectionException(silent.what(), "08S01");
        }
        Connection connection = connect(socketTimeout);
        try {
            @Nullable String why = whyNoWrites(connection);
            if (why == null) {
                return connection;
            }
            throw new SQLTransientConnectionException(name() + " " + why, "08004");
        } catch (SQLException e) {
            Database.abandon(connection);
            throw e;
        }
    }

    /** Asks the server over a connection of its own; takes up to some seconds. */
    ServerStatus ask() {
        try (Connection connection = connect(DatabaseAddress.CONNECTS_WITHIN)) {
            @Nullable String why = whyNoWrites(connection);
            return why == null
                    ? new ServerStatus(Writability.TAKES_WRITES, name() + " takes writes")
                    : new ServerStatus(Writability.TAKES_NONE, name() + " " + why);
        } catch (SQLException e) {
            return new ServerStatus(
                    SqlErrors.isDemoted(e) ? Writability.TAKES_NONE : Writability.NONE,
                    e instanceof ConnectFailure ? String.valueOf(e.getMessage()) : name() + ": " + e.getMessage());
        }
    }

    /** Asks the server; one that was silent is asked by another thread, and its last state is returned at once. */
    ServerStatus askBeside(Executor beside) {
        Silence silent = silence;
        if (silent == null) {
            return ask();
        }
        if (silent.untilNanos() - System.nanoTime() < 0 && beingAsked.compareAndSet(false, true)) {
            try {
                beside.execute(() -> {
                    try {
                        ask();
                    } finally {
                        beingAsked.set(false);
                    }
                });
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                beingAsked.set(false); // no thread for it now; the next check tries again
            }
        }
        return new ServerStatus(Writability.NONE, silent.what());
    }

    /**
     * Returns whether the server commits, tried over a connection of its own; takes up to some seconds. Waits for no
     * row lock, so it hangs only if the server cannot commit or holds up all writing. Any other error counts as an
     * answer.
     */
    boolean commits() {
        String name = "commit-check " + UUID.randomUUID();
        try (Connection connection = connect(COMMITS_WITHIN);
                var statement = connection.createStatement()) {
            Link.limit(connection);
            statement.execute("start transaction");
            statement.execute("insert into setting (name, value) values ('" + name + "', '')");
            statement.execute("delete from setting where name = '" + name + "'");
            statement.execute("commit");
            return true;
        } catch (SQLException e) {
            return !SqlErrors.isUnavailable(e);
        }
    }

    /** Returns what identifies this server, whatever it is called, if it takes writes; takes up to some seconds. */
    Optional<String> writerId() {
        try (Connection connection = connect(DatabaseAddress.CONNECTS_WITHIN);
                var statement = connection.createStatement()) {
            if (whyNoWrites(connection) != null) {
                return Optional.empty();
            }
            StringJoiner id = new StringJoiner(" ");
            try (ResultSet rows = statement.executeQuery(ID)) {
                while (rows.next()) {
                    id.add(rows.getString(2));
                }
            }
            return Optional.of(id.toString());
        } catch (SQLException e) {
            log.debug("asking {} whether it takes writes: {}", name(), e.toString());
            return Optional.empty();
        }
    }

    /** Returns whether other servers take writes too, by its own account; takes up to some seconds. */
    WriterMode writers() throws SQLException {
        try (Connection connection = connect(DatabaseAddress.CONNECTS_WITHIN)) {
            return ServerKind.of(connection).writers();
        }
    }

    /** Returns why this server takes no writes, as the end of a sentence that begins with its name; null if it does. */
    static @Nullable String whyNoWrites(Connection connection) throws SQLException {
        Map<String, String> variables = ServerKind.shown(connection, READ_ONLY);
        for (String name : new String[] {"read_only", "innodb_read_only"}) {
            if (isOn(variables.get(name))) {
                return "is read-only (" + name + " is set)";
            }
        }
        if (ServerKind.of(variables).galera()) {
            return outsideComponent(ServerKind.shown(connection, COMPONENT));
        }
        return isCutOff(connection) ? "is cut off from most of its replication group and cannot commit" : null;
    }

    /** Returns why a Galera member is unusable. It claims not to be read-only, and refuses nearly every statement. */
    static @Nullable String outsideComponent(Map<String, String> status) {
        String component = status.getOrDefault("wsrep_cluster_status", "Primary");
        if (!component.equalsIgnoreCase("Primary")) {
            return "is outside the primary component of its Galera cluster (wsrep_cluster_status is " + component + ")";
        }
        return isOn(status.getOrDefault("wsrep_ready", "ON"))
                ? null
                : "is a Galera member that is not ready yet (wsrep_ready is OFF)";
    }

    /**
     * Returns whether the server is cut off from most of its replication group. It calls itself writable, and lets
     * every commit wait.
     */
    private static boolean isCutOff(Connection connection) throws SQLException {
        if (DatabaseAddress.isMariaDb(connection)) {
            return false;
        }
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery(CUT_OFF)) {
            return row.next() && row.getBoolean(1);
        } catch (SQLException e) {
            if (SqlErrors.isUnavailable(e)) {
                throw e;
            }
            return false; // not ours to read; that commits hang is noticed by the heartbeat
        }
    }

    /** Returns whether a variable is on, for which newer servers have further words. */
    private static boolean isOn(@Nullable String value) {
        String text = value == null ? "0" : value.toUpperCase(Locale.ROOT);
        return !text.equals("0") && !text.equals("OFF");
    }

    private static boolean isSilence(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }
}
