package dev.rowlock.engine;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease;
import java.util.function.LongSupplier;

/**
 * What the agents of one node share.
 *
 * @param nanos the monotonic clock
 * @param lease the right to act, in the name of a session
 */
public record NodeContext(
        EngineSettings settings,
        LongSupplier nanos,
        DatabaseClock clock,
        Lease lease,
        LocalTasks localTasks,
        Slots slots,
        Signals signals,
        Loops loops) {

    /** That of a node which has not joined yet and holds nothing. */
    public static NodeContext of(EngineSettings settings, LongSupplier nanos, DatabaseClock clock, Outage outage) {
        LocalTasks localTasks = new LocalTasks();
        return new NodeContext(
                settings,
                nanos,
                clock,
                new Lease(nanos, settings.fence()),
                localTasks,
                new Slots(localTasks, settings.capacity()),
                new Signals(),
                new Loops(outage, new Failures(nanos)));
    }
}
