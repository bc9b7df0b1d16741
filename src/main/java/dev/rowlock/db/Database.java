package dev.rowlock.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A way into the database: a pool for requests, or the one connection of a loop. READ COMMITTED, session time zone UTC. The server ends a
 * connection, and whatever transaction is open on it, when it is silent for three seconds: a frozen node cannot hold a lock row for longer. A pool
 * may be used by many threads; a single connection by one at a time, which its users see to.
 */
public final class Database implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Database.class);

    /** How often a transaction that met a deadlock or a lock-wait timeout is repeated before it is given up for this time. */
    private static final int TRIES = 5;

    private final Jdbi jdbi;
    private final Lender connections;

    private Database(Lender connections) {
        this.jdbi = Jdbi.create(connections);
        this.connections = connections;
    }

    /**
     * A pool for requests. Connections are made on demand, so that this returns while the database is away.
     *
     * @param size the most connections it opens
     * @param patience how long a caller waits for a connection, or for one of several servers to take writes, before {@link DatabaseUnavailable}
     */
    public static Database pooled(Servers servers, int size, Duration patience) {
        return new Database(new Pool(servers, size, patience, Duration.ofSeconds(30)));
    }

    /** The same for a process that has no other way into the database. */
    public static Database pooled(DatabaseAddress address, int size, Duration patience) {
        return pooled(new Servers(address), size, patience);
    }

    /**
     * The one connection of a loop, renewed when it is broken or was idle.
     *
     * @param socketTimeout how long an answer may take
     */
    public static Database single(Servers servers, Duration socketTimeout) {
        return new Database(new Link(servers, socketTimeout, false));
    }

    /** The same for a process that has no other way into the database. */
    public static Database single(DatabaseAddress address, Duration socketTimeout) {
        return single(new Servers(address), socketTimeout);
    }

    /** The same for what never waits for a lock: while an answer takes long, the server is suspected of being unable to commit. */
    public static Database unhindered(Servers servers, Duration socketTimeout) {
        return new Database(new Link(servers, socketTimeout, true));
    }

    /**
     * Does {@code work} in one transaction. On deadlock (1213) and lock-wait timeout (1205) the whole of it is rolled back and repeated from
     * its first statement, so {@code work} must have no effect but through its handle.
     *
     * @param what a few words for errors: what was being done, to what
     * @throws DatabaseUnavailable nothing happened
     * @throws CommitUnknown it may have happened
     * @throws DataProblem the database refused the data in a statement; nothing happened
     * @throws StatementProblem the database refused a statement for another reason; nothing happened
     */
    public <T> T transact(String what, Function<Handle, T> work) {
        for (int tried = 1; ; tried++) {
            try (Handle handle = open(what)) {
                return once(what, handle, work);
            } catch (Repeat repeat) {
                if (tried >= TRIES) {
                    throw new DatabaseUnavailable(what + ": gave up after " + tried + " tries", repeat.getCause());
                }
                log.debug("{}: repeated after {}", what, String.valueOf(repeat.getCause()));
            }
        }
    }

    /**
     * Does {@code work}, statements that only read, each in a transaction of its own.
     *
     * @throws DatabaseUnavailable the database did not answer
     */
    public <T> T autoCommit(String what, Function<Handle, T> work) {
        try (Handle handle = open(what)) {
            try {
                return work.apply(handle);
            } catch (RuntimeException e) {
                throw SqlErrors.isRepeatable(e) ? new DatabaseUnavailable(what, e) : translated(what, handle, e);
            }
        }
    }

    /** @throws DatabaseUnavailable the database does not answer */
    public void reach() {
        autoCommit("looking for the database", handle -> handle.execute("do 0"));
    }

    /**
     * Does {@code work}, statements that only read, on one state of the database: what others commit meanwhile is not seen. It takes no lock.
     * It should be short, for the server keeps everything that changes until it is over.
     *
     * @throws DatabaseUnavailable the database did not answer
     * @throws StatementProblem the database refused a statement
     */
    public <T> T snapshot(String what, Function<Handle, T> work) {
        try (Handle handle = open(what)) {
            try {
                execute(handle, "set transaction isolation level repeatable read");
                execute(handle, "start transaction with consistent snapshot, read only");
                return work.apply(handle);
            } catch (RuntimeException | SQLException e) {
                throw translated(what, handle, e);
            } finally {
                rollback(handle); // there is nothing to keep
            }
        }
    }

    @Override
    public void close() {
        connections.close();
    }

    private Handle open(String what) {
        try {
            return jdbi.open();
        } catch (ConnectionException e) {
            throw unavailable(what, e);
        }
    }

    private <T> T once(String what, Handle handle, Function<Handle, T> work) {
        T result;
        boolean done = false;
        try {
            execute(handle, "start transaction");
            result = work.apply(handle);
            done = true;
        } catch (RuntimeException | SQLException e) {
            if (SqlErrors.isRepeatable(e)) {
                throw new Repeat(e);
            }
            RuntimeException problem = translated(what, handle, e);
            throw SqlErrors.isDemoted(e) && connections.hasOthers() ? new Repeat(e) : problem;
        } finally {
            if (!done) { // after an Error too: the next "start transaction" on this connection would commit what is
                // half done
                rollback(handle);
            }
        }
        commit(what, handle);
        return result;
    }

    private void commit(String what, Handle handle) {
        try {
            execute(handle, "commit");
        } catch (SQLException | RuntimeException e) { // the driver, when the connection is cut by another thread
            rollback(handle);
            if (SqlErrors.isRepeatable(e)) {
                throw new Repeat(
                        e); // a cluster that certifies transactions answers a conflict like this; it was rolled back
            }
            doubt(handle, e);
            throw new CommitUnknown(what, e); // a commit that was interrupted may have happened before it was
        }
    }

    private static void rollback(Handle handle) {
        Connection connection = handle.getConnection();
        try {
            if (!connection.isClosed()) {
                execute(handle, "rollback");
            }
        } catch (SQLException e) {
            log.debug("rollback failed, the connection is dropped: {}", e.toString());
            abandon(connection);
        }
    }

    /** A connection that could not roll back must not be used again; the server rolls back when it goes. */
    static void abandon(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            log.debug("aborting a connection: {}", e.toString());
        }
    }

    /** Plain statements instead of {@code setAutoCommit}, which costs two more round trips for every transaction. */
    private static void execute(Handle handle, String sql) throws SQLException {
        try (var statement = handle.getConnection().createStatement()) {
            statement.execute(sql);
        }
    }

    private RuntimeException translated(String what, Handle handle, Exception e) {
        if (SqlErrors.isUnavailable(e) || wasCut(handle, e)) {
            doubt(handle, e);
            return unavailable(what, e);
        }
        if (SqlErrors.isOfData(e)) {
            return new DataProblem(what, e);
        }
        if (SqlErrors.find(e) != null) {
            return new StatementProblem(what, e);
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(what, e);
    }

    /** The driver does not expect that another thread cuts the connection under it, and may stumble over its own state. */
    private static boolean wasCut(Handle handle, Exception e) {
        try {
            return (e instanceof NullPointerException || SqlErrors.find(e) != null)
                    && handle.getConnection().isClosed();
        } catch (SQLException broken) {
            return true;
        }
    }

    /** The next connection may find the server that took this one's place. */
    private void doubt(Handle handle, Exception e) {
        connections.failed(handle.getConnection());
        if (SqlErrors.isDemoted(e)) {
            abandon(handle.getConnection());
        }
    }

    static DatabaseUnavailable unavailable(String what, Throwable e) {
        return SqlErrors.isRefusal(e) ? new DatabaseRefused(what, e) : new DatabaseUnavailable(what, e);
    }

    /** The transaction was rolled back and should be repeated. */
    private static final class Repeat extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Repeat(Throwable cause) {
            super(null, cause, false, false);
        }
    }
}
