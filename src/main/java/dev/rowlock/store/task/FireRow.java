package dev.rowlock.store.task;

import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Origin;
import dev.rowlock.job.Overrides;
import dev.rowlock.job.TaskState;
import dev.rowlock.policy.Elsewhere;
import dev.rowlock.policy.FireDecision;
import dev.rowlock.policy.FireDecision.Facts;
import dev.rowlock.policy.LiveTask;
import dev.rowlock.policy.Placement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One row as it stands under the lock.
 *
 * @param version of its job; 0: there is no such job
 * @param executing a task of its job that executes; null: none does, or that was not asked
 * @param waiting likewise, the first that policy has held and that has not started
 */
record FireRow(
        long id,
        LaunchId launch,
        Instant fireTime,
        int attempt,
        Cause cause,
        boolean due,
        Duration late,
        int version,
        boolean held,
        @Nullable Long executing,
        @Nullable Long waiting,
        String origin,
        boolean queued,
        long jitterMillis,
        Overrides overrides,
        int selector) {

    /**
     * By the order of the columns, without dates, and without what hardly any row has: hundreds of them are read while
     * others wait for the lock.
     */
    static FireRow read(ResultSet row) throws SQLException {
        long executing = row.getLong(10);
        boolean none = row.wasNull();
        long waiting = row.getLong(11);
        boolean noneWaits = row.wasNull();
        boolean special = row.getBoolean(12);
        return new FireRow(
                row.getLong(1),
                new LaunchId(row.getString(2)),
                Instant.ofEpochMilli(row.getLong(3)),
                row.getInt(4),
                Cause.read(row.getString(5)),
                row.getBoolean(6),
                Duration.of(row.getLong(7), ChronoUnit.MICROS),
                row.getInt(8),
                row.getBoolean(9),
                none ? null : Long.valueOf(executing),
                noneWaits ? null : Long.valueOf(waiting),
                special ? row.getString(13) : "",
                special && row.getBoolean(14),
                special ? row.getLong(15) : 0,
                special ? Overrides.read(row.getString(16)) : Overrides.NONE,
                special ? row.getInt(17) : Placement.ANY);
    }

    /** By the database's clock, when it was read; the same for all that one statement reads. */
    Instant asOf() {
        return fireTime.plus(late).truncatedTo(ChronoUnit.MILLIS);
    }

    Facts facts(Claim claim, @Nullable Elsewhere elsewhere) {
        return new Facts(
                claim.jobId(),
                task(claim),
                late.minusMillis(jitterMillis),
                due,
                version == claim.version() && !held,
                executing,
                waiting,
                elsewhere,
                claim.policy().with(overrides.overlap()),
                claim.mayWait());
    }

    LiveTask task(Claim claim) {
        return new LiveTask(
                id,
                claim.version(),
                fireTime,
                origin,
                attempt,
                cause,
                TaskState.PREPARED,
                null,
                queued,
                null,
                launch,
                false,
                false);
    }

    boolean isCounted() {
        return FireDecision.isCounted(origin, cause);
    }

    /** Whether it is an occurrence for all nodes, if its job runs on all. */
    boolean isWhole() {
        return FireDecision.isWhole(origin, cause);
    }

    /** Whether it has a time of its own, later than its fire time. */
    boolean isAgain() {
        return cause == Cause.RETRY || cause == Cause.RECOVERY || Origin.isAgain(origin);
    }

    boolean isPartAgain() {
        return Origin.isOfNode(origin) && (cause == Cause.RETRY || cause == Cause.RECOVERY);
    }
}
