package dev.rowlock.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.output.MigrateResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the schema up to date. Nodes that find something missing wait for each other by a {@link SchemaLock}. */
public final class Migrations {

    private static final String NEWEST =
            "select coalesce(max(cast(version as signed)), 0) from rowlock_schema_history where success";

    private static final Logger log = LoggerFactory.getLogger(Migrations.class);

    private Migrations() {}

    /**
     * Applies what is missing; does nothing when the schema is current.
     *
     * @param renewing tells others that this node is at it, for as long as it is
     * @return the version of the schema, which a newer version of this program may have made
     * @throws DatabaseUnavailable the database could not be reached
     * @throws UnsuitableServer the server is too old
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
            return isMissingAny(flyway.info().all()) ? migrateAlone(flyway, source, renewing) : migrate(flyway);
        } catch (SQLException e) {
            servers.doubt();
            throw Database.unavailable("waiting for a node that brings the schema up to date", e);
        } catch (FlywayException e) {
            if (SqlErrors.isUnavailable(e)) {
                servers.doubt();
                throw Database.unavailable("bringing the schema up to date", e);
            }
            throw e;
        }
    }

    /** The same, by who is alone with the database: nobody is told. */
    public static int run(Servers servers) {
        return run(servers, renewal -> {});
    }

    /**
     * Returns whether the schema has that version at the least, asked without any lock.
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

    private static boolean isMissingAny(MigrationInfo[] found) {
        return Arrays.stream(found)
                .map(MigrationInfo::getState)
                .anyMatch(state -> state == MigrationState.PENDING || state.isFailed());
    }

    /** Flyway's own lock does not cover the making of its record: a node that finds it empty takes it for broken. */
    private static int migrateAlone(Flyway flyway, DataSource source, Executor renewing) throws SQLException {
        CountDownLatch never = new CountDownLatch(1);
        try (SchemaLock lock =
                new SchemaLock(source, renewing, time -> never.await(time.toMillis(), TimeUnit.MILLISECONDS))) {
            log.debug("{} is ours", lock);
            return migrate(flyway);
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

    /** Our statements can be repeated, so a failed attempt only needs to be struck from Flyway's record. */
    private static void forgetFailures(Flyway flyway, MigrationInfo[] found) {
        if (Arrays.stream(found).anyMatch(migration -> migration.getState().isFailed())) {
            flyway.repair();
        }
    }
}
