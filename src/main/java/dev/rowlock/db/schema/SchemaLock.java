package dev.rowlock.db.schema;

import dev.rowlock.db.SqlErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lock on the schema: a row, as a server's named lock is none where several servers take writes. Its holder renews it.
 * A waiter takes it over if it was not renewed while the waiter itself committed {@link #LOOKS} times, so that a
 * database that commits nothing for a while costs nobody the lock.
 */
final class SchemaLock implements AutoCloseable {

    /** Number of times that a waiter must have found the lock unchanged: half a minute. */
    static final int LOOKS = 60;

    private static final int TRIES = 10;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(2);

    private static final String TABLE = """
            create table if not exists rowlock_schema_lock (
              id      int not null,
              holder  varchar(36) not null,
              renewed bigint not null comment 'rises while the holder is alive',
              looks   bigint not null comment 'rises with each look of one who waits',
              primary key (id)
            ) engine = InnoDB comment 'One row while a node brings the schema up to date'
            """;
    private static final String TAKE = "insert ignore into rowlock_schema_lock values (1, ?, 0, 0)";
    private static final String LOOK = "update rowlock_schema_lock set looks = looks + 1";
    private static final String SEEN = "select holder, renewed from rowlock_schema_lock";
    private static final String TAKE_OVER =
            "update rowlock_schema_lock set holder = ?, renewed = 0 where holder = ? and renewed = ?";
    private static final String RENEW = "update rowlock_schema_lock set renewed = renewed + 1 where holder = ?";
    private static final String GIVE_BACK = "delete from rowlock_schema_lock where holder = ?";

    private static final Logger log = LoggerFactory.getLogger(SchemaLock.class);

    private final String holder = UUID.randomUUID().toString();
    private final Connection connection;
    private final CountDownLatch closed = new CountDownLatch(1);

    private record LockRow(String holder, long renewed) {}

    /** Pause, which a test skips. */
    interface Sleeper {
        void sleep(Duration time) throws InterruptedException;
    }

    /**
     * Acquires the lock, and waits for it if need be.
     *
     * @param renewing renews it until it is closed
     * @throws SQLException the database does not answer
     */
    SchemaLock(DataSource source, Executor renewing, Sleeper pause) throws SQLException {
        connection = source.getConnection();
        boolean taken = false;
        try {
            execute(TABLE);
            take(pause);
            taken = true;
            renewing.execute(this::renew);
        } finally {
            if (!taken) {
                connection.close();
            }
        }
    }

    private void take(Sleeper pause) throws SQLException {
        LockRow before = new LockRow("", 0);
        int unchanged = 0;
        while (execute(TAKE, holder) == 0) {
            LockRow now = look();
            unchanged = now.equals(before) ? unchanged + 1 : 0;
            if (unchanged >= LOOKS && execute(TAKE_OVER, holder, now.holder, now.renewed) == 1) {
                log.warn("the node that was bringing the schema up to date is gone; this one goes on with it");
                return;
            }
            before = now;
            sleep(pause);
        }
    }

    private LockRow look() throws SQLException {
        execute(LOOK);
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SEEN)) {
            return row.next() ? new LockRow(row.getString(1), row.getLong(2)) : new LockRow("", 0);
        }
    }

    private static void sleep(Sleeper pause) throws SQLException {
        try {
            pause.sleep(BETWEEN_LOOKS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while another node brings the schema up to date", e);
        }
    }

    private void renew() {
        try {
            do {
                execute(RENEW, holder);
            } while (!closed.await(BETWEEN_RENEWALS.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            if (closed.getCount() > 0) {
                log.warn(
                        "the lock on the schema cannot be renewed, so another node may go on with the migration: {}",
                        e.toString());
            }
        }
    }

    /**
     * Executes a statement of the holder or of the renewing thread, one at a time; repeats it if another one's undid
     * it.
     */
    private synchronized int execute(String sql, Object... values) throws SQLException {
        for (int tried = 1; ; tried++) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                return statement.executeUpdate();
            } catch (SQLException e) {
                if (!SqlErrors.isRepeatable(e) || tried >= TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Releases the lock; if the database does not take that, others take it over. */
    @Override
    public void close() throws SQLException {
        closed.countDown();
        try {
            execute(GIVE_BACK, holder);
        } finally {
            connection.close();
        }
    }
}
