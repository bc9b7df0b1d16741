package dev.rowlock.chaos;

import dev.rowlock.chaos.Fault.Skipped;
import dev.rowlock.chaos.Plan.Planned;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The database killed, read-only, and full of the locks of others. */
final class DatabaseFaults {

    private final ChaosDatabase database;
    private final List<ChaosNode> nodes;

    DatabaseFaults(ChaosDatabase database, List<ChaosNode> nodes) {
        this.database = database;
        this.nodes = nodes;
    }

    Fault of(Planned planned) throws Skipped {
        return switch (planned.kind()) {
            case DATABASE_KILL -> death();
            case DATABASE_READ_ONLY -> readOnly();
            case LOCK_WAIT -> new Holding(held(planned));
            case DEADLOCKS -> new Deadlocks();
            default -> throw new IllegalArgumentException(planned.kind().toString());
        };
    }

    private Fault death() throws Skipped {
        if (!database.server().isOwn()) {
            throw new Skipped("the database server is not ours to kill");
        }
        return Fault.of("SIGKILL of the database", database.server()::kill, database.server()::restart);
    }

    private Fault readOnly() throws Skipped {
        if (!database.server().isOwn() || !database.nodesArePlainUsers()) {
            throw new Skipped(
                    "the database server is not ours to make read-only, or the nodes' account is not bound by it");
        }
        return Fault.of(
                "database read-only",
                () -> execute("set global read_only = 1"),
                () -> execute("set global read_only = 0"));
    }

    private void execute(String sql) throws SQLException {
        try (Connection admin = database.admin();
                Statement statement = admin.createStatement()) {
            statement.execute(sql);
        }
    }

    private String held(Planned planned) {
        String stripe = String.format(Locale.ROOT, "task-%02d", planned.salt() % 64);
        return switch (planned.salt() % 5) {
            case 0 -> "select note from cluster_lock where name = '" + stripe + "' for update";
            case 1 -> "select note from cluster_lock where name like 'task-%' for update";
            case 2 -> "select note from cluster_lock where name = 'session' for update";
            case 3 -> "select job_version from task order by id desc limit 20 for update";
            default ->
                "select beat from session where node = '"
                        + nodes.get(planned.node()).name() + "' for update";
        };
    }

    /** An operator who has opened a transaction and gone for lunch. */
    private final class Holding implements Fault {
        private final String lock;
        private Connection connection;

        Holding(String lock) {
            this.lock = lock;
        }

        @Override
        public String what() {
            return "locks held by '" + lock + "'";
        }

        @Override
        public void begin() throws SQLException {
            connection = database.admin();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute(lock);
            }
        }

        @Override
        public void end() throws SQLException {
            if (connection != null) {
                connection.rollback();
                connection.close();
            }
        }
    }

    /** Somebody who locks what Rowlock locks, in the opposite order, again and again. */
    private final class Deadlocks implements Fault {
        private final AtomicBoolean over = new AtomicBoolean();
        private Thread thread;
        private final AtomicInteger rounds = new AtomicInteger();
        private final AtomicInteger deadlocks = new AtomicInteger();

        @Override
        public String what() {
            return "deadlocks: " + deadlocks + " of " + rounds + " rounds";
        }

        @Override
        public void begin() {
            thread = new Thread(this::run, "deadlocks");
            thread.start();
        }

        private void run() {
            while (!over.get()) {
                try (Connection admin = database.admin();
                        Statement statement = admin.createStatement()) {
                    statement.execute("set session innodb_lock_wait_timeout = 1");
                    admin.setAutoCommit(false);
                    while (!over.get()) {
                        round(admin, statement);
                    }
                } catch (SQLException e) {
                    // The server is away by another fault: the next round finds out whether it is back.
                    Thread.onSpinWait();
                }
            }
        }

        private void round(Connection admin, Statement statement) throws SQLException {
            rounds.incrementAndGet();
            try {
                statement.execute("update task set hold = hold where state <> 'IDLE' order by id desc limit 5");
                statement.execute(
                        "select note from cluster_lock where name like 'task-%' order by name desc for update");
                statement.execute("select beat from session for update");
                statement.execute("select note from cluster_lock where name = 'session' for update");
            } catch (SQLException e) {
                if (e.getErrorCode() != 1213 && e.getErrorCode() != 1205 && e.getErrorCode() != 1020) {
                    throw e;
                }
                deadlocks.incrementAndGet();
            } finally {
                admin.rollback();
            }
        }

        @Override
        public void end() throws InterruptedException {
            over.set(true);
            thread.join();
        }
    }
}
