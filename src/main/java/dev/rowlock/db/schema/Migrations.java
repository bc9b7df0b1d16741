package dev.rowlock.db.schema;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.Server;
import dev.rowlock.db.ServerCheck;
import dev.rowlock.db.Servers;
import dev.rowlock.db.SqlErrors;
import dev.rowlock.db.UnsuitableServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.output.MigrateResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Migrations of the schema. Nodes that find one missing wait for each other by a {@link SchemaLock}. */
public final class Migrations {

    private static final String NEWEST =
            "select coalesce(max(cast(version as signed)), 0) from rowlock_schema_history where success";

    private static final Logger log = LoggerFactory.getLogger(Migrations.class);

    private static final String PART_OF_A_DUMP =
            "the database has tables of Rowlock, such as %s, and lacks others, such as"
                    + " rowlock_schema_history: a dump was not loaded to its end. Load a whole one, which ends with"
                    + " \"-- Dump completed\", into an empty database; nothing was changed";

    private static final String OTHER_SCHEMA =
            "the tables of the database were made by another version of Rowlock, from before its first release, and"
                    + " this one cannot use them. Export the jobs by that version (rowlock job export), give this one"
                    + " an empty database, and apply what was exported; nothing was changed";

    /** Names that no other program is likely to use. */
    private static final String OURS = """
            select table_name from information_schema.tables where table_schema = database()
                and table_name in ('alert_channel', 'api_token', 'cluster_lock', 'job_version', 'task_history')
            """;

    private Migrations() {}

    /**
     * Applies missing migrations, and recreates broken views; does nothing when the schema is current.
     *
     * @param renewing tells others that this node is at it, for as long as it is
     * @return the version of the schema, which a newer version of this program may have made
     * @throws DatabaseUnavailable the database could not be reached
     * @throws UnsuitableServer the server is too old, or the database holds a part of a dump, or
     *     the tables of another version from before the first release
     * @throws FlywayException a migration failed; it is repeated at the next start
     */
    public static int run(Servers servers, Executor renewing) {
        Server server = writable(servers);
        ServerCheck.run(server, Duration.ofSeconds(30));
        DataSource source = server.address().dataSource(Duration.ofMinutes(11));
        Flyway flyway = Flyway.configure()
                .dataSource(source)
                .locations("classpath:db/migration")
                .lockRetryCount(-1)
                // The database may hold other people's tables, and another program's record of migrations.
                .table("rowlock_schema_history")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load();
        try {
            requireWhole(flyway, source);
            MigrationInfo[] found = flyway.info().all();
            requireOurs(found);
            if (isMissingAny(found)) {
                return migrateAlone(flyway, source, renewing);
            }
            if (!isNewer(found)) { // what a newer version has made is for that one to mend
                mendViews(flyway, source, renewing);
            }
            return migrate(flyway);
        } catch (SQLException e) {
            servers.doubt();
            throw Database.unavailable("bringing the schema up to date", e);
        } catch (FlywayException e) {
            if (SqlErrors.isUnavailable(e)) {
                servers.doubt();
                throw Database.unavailable("bringing the schema up to date", e);
            }
            throw e;
        }
    }

    /** Applies missing migrations for a process that is alone with the database and notifies nobody. */
    public static int run(Servers servers) {
        return run(servers, renewal -> {});
    }

    /**
     * Returns whether the schema has at least this version, without any lock.
     *
     * @throws DatabaseUnavailable the database could not be reached
     * @throws UnsuitableServer another server is there now, and will not do
     */
    public static boolean have(Servers servers, int version) {
        try (Connection connection =
                servers.open(DatabaseAddress.CONNECTS_WITHIN).connection()) {
            ServerCheck.run(connection);
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(NEWEST)) {
                return row.next() && row.getInt(1) >= version;
            }
        } catch (SQLException e) {
            if (SqlErrors.isUnavailable(e)) {
                servers.doubt();
                throw Database.unavailable("asking the database for its schema", e);
            }
            log.debug("the record of migrations cannot be read: {}", e.toString());
            return false;
        }
    }

    private static int newest(MigrationInfo[] found) {
        return Arrays.stream(found)
                .map(MigrationInfo::getVersion)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .map(version -> Integer.parseInt(version.getVersion()))
                .orElse(0);
    }

    private static Server writable(Servers servers) {
        try {
            servers.open(Duration.ofSeconds(30)).connection().close();
            return servers.here();
        } catch (SQLException e) {
            throw Database.unavailable("looking for the database server", e);
        }
    }

    /**
     * Refuses tables without a record of migrations, which is created before them: a dump was not loaded to its end.
     * Nodes would create what it lacks, and work on that.
     */
    private static void requireWhole(Flyway flyway, DataSource source) throws SQLException {
        if (flyway.info().current() == null) {
            @Nullable String table = anyOfOurs(source);
            // Asked again, as another node may have made both meanwhile.
            if (table != null && flyway.info().current() == null) {
                throw new UnsuitableServer(PART_OF_A_DUMP.formatted(table));
            }
        }
    }

    /**
     * Refuses a schema made by another {@code V1__schema.sql}: until the first release, that file is changed in place.
     */
    private static void requireOurs(MigrationInfo[] found) {
        if (Arrays.stream(found).anyMatch(migration -> migration.isApplied() && !migration.isChecksumMatching())) {
            throw new UnsuitableServer(OTHER_SCHEMA);
        }
    }

    private static @Nullable String anyOfOurs(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(OURS)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private static boolean isMissingAny(MigrationInfo[] found) {
        return Arrays.stream(found)
                .map(MigrationInfo::getState)
                .anyMatch(state -> state == MigrationState.PENDING || state.isFailed());
    }

    /**
     * Recreates broken views. An account that may not even create the lock is one of those that cannot create views.
     */
    private static void mendViews(Flyway flyway, DataSource source, Executor renewing) throws SQLException {
        Set<String> broken = Views.broken(source);
        if (broken.isEmpty()) {
            return;
        }
        try {
            migrateAlone(flyway, source, renewing);
        } catch (SQLException e) {
            Views.tell(broken, e);
        }
    }

    private static boolean isNewer(MigrationInfo[] found) {
        return Arrays.stream(found).anyMatch(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS);
    }

    /**
     * Migrates under the lock. Flyway's own does not cover the creation of its record: a node that finds that empty
     * takes it for broken.
     */
    private static int migrateAlone(Flyway flyway, DataSource source, Executor renewing) throws SQLException {
        CountDownLatch never = new CountDownLatch(1);
        try (SchemaLock lock =
                new SchemaLock(source, renewing, time -> never.await(time.toMillis(), TimeUnit.MILLISECONDS))) {
            log.debug("{} is ours", lock);
            int version = migrate(flyway);
            if (!isNewer(flyway.info().all())) {
                Views.mend(source);
            }
            return version;
        }
    }

    private static int migrate(Flyway flyway) {
        MigrationInfo[] found = flyway.info().all();
        forgetFailures(flyway, found);
        report(flyway.migrate(), found);
        return newest(found);
    }

    private static void report(MigrateResult result, MigrationInfo[] found) {
        if (result.migrationsExecuted > 0) {
            String before = Objects.requireNonNullElse(result.initialSchemaVersion, "0");
            log.info("brought the schema from version {} to {}", before, result.targetSchemaVersion);
        }
        // Flyway warns of this as if it were a fault. While nodes are replaced one by one, it is not.
        Arrays.stream(found)
                .filter(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS)
                .max(Comparator.comparing(MigrationInfo::getVersion))
                .ifPresent(newest -> log.info(
                        "the schema is at version {}, made by a newer version of Rowlock; this node goes on with it",
                        newest.getVersion()));
    }

    /** Strikes failed attempts from Flyway's record, which is enough as our statements can be repeated. */
    private static void forgetFailures(Flyway flyway, MigrationInfo[] found) {
        if (Arrays.stream(found).anyMatch(migration -> migration.getState().isFailed())) {
            flyway.repair();
        }
    }
}
