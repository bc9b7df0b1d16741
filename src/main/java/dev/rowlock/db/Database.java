package dev.rowlock.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to the database: a pool for many threads, or the single connection of a loop, for one thread at a time. READ
 * COMMITTED, session time zone UTC. The server ends a connection, and its transaction, after three seconds of silence,
 * so that a frozen node cannot hold a lock row for longer.
 */
public final class Database implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Database.class);

    private final Jdbi jdbi;
    private final Runnable end;
    private final Servers servers;
    private final IdBlocks ids;
    private final KnownRows.RowCache rows;

    private Database(ConnectionFactory connections, Runnable end, Servers servers) {
        this.jdbi = Jdbi.create(connections);
        jdbi.getConfig(WritingServers.class).ask(servers::takeWritesTogether);
        this.ids = new IdBlocks(servers);
        jdbi.getConfig(TaskIds.class).from(ids::take);
        this.rows = new KnownRows.RowCache(servers);
        jdbi.getConfig(KnownRows.class).in(rows);
        this.end = end;
        this.servers = servers;
    }

    /**
     * Creates a pool for requests. It connects on demand, so this returns while the database is away.
     *
     * @param size the most connections it opens
     * @param patience how long a caller waits for a connection, or for a server that takes writes
     */
    public static Database pooled(Servers servers, int size, Duration patience) {
        Pool pool = new Pool(servers, size, patience, Duration.ofSeconds(30));
        return new Database(pool, pool::close, servers);
    }

    /**
     * Creates the single connection of a loop, renewed when it is broken or was idle.
     *
     * @param socketTimeout how long an answer may take
     */
    public static Database single(Servers servers, Duration socketTimeout) {
        return over(new Link(servers, socketTimeout, false), servers);
    }

    /** Creates the single connection of a process with no other access to the database. */
    public static Database single(DatabaseAddress address, Duration socketTimeout) {
        return single(new Servers(address), socketTimeout);
    }

    /**
     * Creates a single connection for statements that never wait for a lock: if an answer takes long, the server may be
     * unable to commit.
     */
    public static Database unhindered(Servers servers, Duration socketTimeout) {
        return over(new Link(servers, socketTimeout, true), servers);
    }

    private static Database over(Link link, Servers servers) {
        return new Database(link, link::close, servers);
    }

    /**
     * Runs {@code work} in one transaction. After a deadlock (1213) or a lock-wait timeout (1205) all of it is
     * repeated, so it must have no effect but through its handle.
     *
     * @param what a few words for errors: what was being done, to what
     * @throws DatabaseUnavailable nothing happened
     * @throws CommitUnknown it may have happened
     * @throws DataProblem the database refused the data in a statement; nothing happened
     * @throws StatementProblem the database refused a statement for another reason; nothing happened
     */
    public <T> T transact(String what, Function<Handle, T> work) {
        return watched(() -> repeating(what, work));
    }

    private <T> T repeating(String what, Function<Handle, T> work) {
        for (int tried = 1; ; tried++) {
            ids.replenish();
            try (Handle handle = open(what)) {
                return once(what, handle, work);
            } catch (Repeat repeat) {
                if (!repeat.mayBeTried(tried, servers.takeWritesTogether())) {
                    throw new DatabaseUnavailable(what + ": gave up after " + tried + " tries", repeat.getCause());
                }
                servers.listener().repeated();
                log.debug("{}: repeated after {}", what, String.valueOf(repeat.getCause()));
            }
        }
    }

    /**
     * Runs {@code work}, statements that only read, each in a transaction of its own.
     *
     * @throws DatabaseUnavailable the database did not answer
     */
    public <T> T autoCommit(String what, Function<Handle, T> work) {
        return watched(() -> reading(what, work));
    }

    private <T> T reading(String what, Function<Handle, T> work) {
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
     * Runs {@code work}, which only reads, on one snapshot of the database, without a lock. It should be short: until
     * it is over, the server keeps everything that changes.
     *
     * @throws DatabaseUnavailable the database did not answer
     * @throws StatementProblem the database refused a statement
     */
    public <T> T snapshot(String what, Function<Handle, T> work) {
        return watched(() -> readingOneState(what, work));
    }

    private <T> T readingOneState(String what, Function<Handle, T> work) {
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
        ids.close();
        rows.close();
        end.run();
    }

    private <T> T watched(Supplier<T> work) {
        DatabaseListener listener = servers.listener();
        long beganNanos = System.nanoTime();
        try {
            return work.get();
        } catch (RuntimeException e) {
            listener.failed(e);
            throw e;
        } finally {
            listener.done(System.nanoTime() - beganNanos);
        }
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
            throw SqlErrors.isDemoted(e) && servers.areSeveral() ? new Repeat(e) : problem;
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

    /** Aborts a connection that could not roll back and must not be used again; the server rolls back when it goes. */
    static void abandon(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            log.debug("aborting a connection: {}", e.toString());
        }
    }

    /** Executes a plain statement: {@code setAutoCommit} would cost two more round trips per transaction. */
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

    /**
     * Returns whether another thread cut the connection. The driver does not expect that, and may stumble over its own
     * state.
     */
    private static boolean wasCut(Handle handle, Exception e) {
        try {
            return (e instanceof NullPointerException || SqlErrors.find(e) != null)
                    && handle.getConnection().isClosed();
        } catch (SQLException broken) {
            return true;
        }
    }

    /** Notes that the next connection may find another server in this one's place. */
    private void doubt(Handle handle, Exception e) {
        servers.doubt();
        if (SqlErrors.isDemoted(e)) {
            abandon(handle.getConnection());
        }
    }

    /** Returns the exception to throw; one of its own if the server does not let this account in. */
    public static DatabaseUnavailable unavailable(String what, Throwable e) {
        return SqlErrors.isRefusal(e) ? new DatabaseRefused(what, e) : new DatabaseUnavailable(what, e);
    }

    /** Signal to repeat a transaction of which nothing has happened, and which may succeed then. */
    private static final class Repeat extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private static final int TRIES = 5;

        /**
         * Tries where several servers take writes together: what would wait for a lock on a single one is undone there,
         * again and again while others commit.
         */
        private static final int TRIES_TOGETHER = 30;

        /** @param cause a deadlock (1213), a lock-wait timeout (1205) or the like */
        Repeat(Throwable cause) {
            super(null, cause, false, false);
        }

        /**
         * Returns whether to try once more.
         *
         * @param tried how often it has been
         * @param together whether several servers take writes for one cluster
         */
        boolean mayBeTried(int tried, boolean together) {
            boolean quick = !SqlErrors.isLockWait(this);
            return tried < (together && quick ? TRIES_TOGETHER : TRIES);
        }
    }
}
