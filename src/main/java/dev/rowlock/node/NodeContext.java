package dev.rowlock.node;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease;
import dev.rowlock.freeze.store.KnownFreezes;
import java.util.function.LongSupplier;

/**
 * Objects that the agents of one node share.
 *
 * @param nanos the monotonic clock
 * @param lease the right to act, in the name of a session
 * @param counts what it has done
 * @param freezes as this node knows them
 */
public record NodeContext(
        EngineSettings settings,
        LongSupplier nanos,
        DatabaseClock clock,
        Lease lease,
        LocalTasks localTasks,
        Slots slots,
        Signals signals,
        Loops loops,
        Counts counts,
        TaskTraces traces,
        KnownFreezes freezes) {

    /** Returns the context of a node that has not joined yet and holds nothing. */
    public static NodeContext of(EngineSettings settings, LongSupplier nanos, DatabaseClock clock, Outage outage) {
        return of(settings, nanos, clock, outage, TaskTraces.NONE);
    }

    /** Returns the context of such a node, with traces of what it runs. */
    public static NodeContext of(
            EngineSettings settings, LongSupplier nanos, DatabaseClock clock, Outage outage, TaskTraces traces) {
        LocalTasks localTasks = new LocalTasks();
        return new NodeContext(
                settings,
                nanos,
                clock,
                new Lease(nanos, settings.fence()),
                localTasks,
                new Slots(localTasks, settings.capacity()),
                new Signals(),
                new Loops(outage, new Failures(nanos)),
                new Counts(),
                traces,
                new KnownFreezes());
    }
}
