package dev.rowlock.store;

import java.time.Duration;
import java.util.Arrays;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings the schema up to date. Nodes that start together wait for each other by a named lock of the server's. */
public final class Migrations {

    private Migrations() {}

    /**
     * Applies what is missing; does nothing when the schema is current.
     *
     * @throws DatabaseUnavailable the database could not be reached
     * @throws UnsuitableServer the server is too old
     * @throws FlywayException a migration failed; it is repeated at the next start
     */
    public static void run(DatabaseAddress address) {
        ServerCheck.run(address);
        Flyway flyway = Flyway.configure()
                .dataSource(address.dataSource(Duration.ofMinutes(10)))
                .locations("classpath:db/migration")
                .lockRetryCount(-1)
                // The database may hold other people's tables, and another program's record of migrations.
                .table("rowlock_schema_history")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load();
        try {
            forgetFailures(flyway);
            flyway.migrate();
        } catch (FlywayException e) {
            if (SqlErrors.isUnavailable(e)) {
                throw new DatabaseUnavailable("bringing the schema up to date", e);
            }
            throw e;
        }
    }

    /** Our statements can be repeated, so a failed attempt only needs to be struck from Flyway's record. */
    private static void forgetFailures(Flyway flyway) {
        if (Arrays.stream(flyway.info().all())
                .anyMatch(migration -> migration.getState().isFailed())) {
            flyway.repair();
        }
    }
}
