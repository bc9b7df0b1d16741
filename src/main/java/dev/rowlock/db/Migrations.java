package dev.rowlock.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.output.MigrateResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the schema up to date. Nodes that start together wait for each other by a named lock of the server's. */
public final class Migrations {

    /** Of the server, for one database; a connection that ends gives it back. */
    private static final String LOCK = "select get_lock(concat('rowlock ', left(sha2(database(), 256), 40)), 600)";

    private static final String NEWEST =
            "select coalesce(max(cast(version as signed)), 0) from rowlock_schema_history where success";

    private static final Logger log = LoggerFactory.getLogger(Migrations.class);

    private Migrations() {}

    /**
     * Applies what is missing; does nothing when the schema is current.
     *
     * @return the version of the schema, which a newer version of this program may have made
     * @throws DatabaseUnavailable the database could not be reached
     * @throws UnsuitableServer the server is too old
     * @throws FlywayException a migration failed; it is repeated at the next start
     */
    public static int run(Servers servers) {
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
        try (Connection lock = source.getConnection()) {
            lock(lock);
            MigrationInfo[] found = flyway.info().all();
            forgetFailures(flyway, found);
            report(flyway.migrate(), found);
            return newest(found);
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

    /** Flyway's own lock does not cover the making of its record: a node that finds it empty takes it for broken. */
    private static void lock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(LOCK)) {
            if (!row.next() || row.getInt(1) != 1) {
                throw new SQLException("another node has been at it for ten minutes");
            }
        }
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
