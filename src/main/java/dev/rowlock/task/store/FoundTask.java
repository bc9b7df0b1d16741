package dev.rowlock.task.store;

import dev.rowlock.definition.Overrides;
import dev.rowlock.freeze.CoveringFreezes;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FireDecision.StartFacts;
import dev.rowlock.task.rule.NoEligibleNode;
import dev.rowlock.task.transition.FireFacts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Task that is to be started, as it stands under the lock.
 *
 * @param due whether its time has come by the database's clock
 * @param age how long ago its fire time was, by that clock
 * @param version of its job; 0: there is no such job
 * @param paused whether the pause of its job holds it
 * @param executing a task of its job that executes; null: none does, or that was not read
 * @param waiting likewise, the first that policy has held and that has not started
 * @param backfill likewise, one of a backfill that executes
 */
public record FoundTask(
        Task task,
        boolean due,
        Duration age,
        int version,
        boolean paused,
        @Nullable Long executing,
        @Nullable Long waiting,
        @Nullable Long backfill,
        Overrides overrides) {

    /** Reads what may have changed since it was prepared, by the order of the columns of {@link FireFacts#FACTS}. */
    public static FoundTask read(ResultSet row, Task prepared) throws SQLException {
        boolean special = row.getBoolean(10);
        Task found = prepared.asFound(
                Cause.read(row.getString(3)),
                special && row.getBoolean(11),
                Duration.ofMillis(special ? row.getLong(12) : 0),
                special ? row.getInt(14) : 0);
        return new FoundTask(
                found,
                row.getBoolean(4),
                Duration.of(row.getLong(5), ChronoUnit.MICROS),
                row.getInt(6),
                row.getBoolean(7),
                id(row, 8),
                id(row, 9),
                id(row, 15),
                special ? Overrides.read(row.getString(13)) : Overrides.NONE);
    }

    private static @Nullable Long id(ResultSet row, int column) throws SQLException {
        long id = row.getLong(column);
        return row.wasNull() ? null : id;
    }

    public long id() {
        return task.id();
    }

    /** Returns the database's time when it was read, in milliseconds; the same for all rows of one statement. */
    public Instant asOf() {
        return now().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Returns the database's time when it was read, in the database's precision. */
    Instant now() {
        return task.fireTime().plus(age);
    }

    StartFacts facts(Claim claim, @Nullable NoEligibleNode elsewhere, @Nullable CoveringFreezes freeze) {
        return new StartFacts(
                task,
                age.minus(task.jitter()),
                due,
                version == task.version() && !paused,
                executing,
                waiting,
                backfill,
                elsewhere,
                claim.policy().with(overrides.overlap()),
                claim.mayWait() || freeze != null,
                freeze);
    }
}
