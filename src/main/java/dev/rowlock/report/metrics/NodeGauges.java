package dev.rowlock.report.metrics;

import dev.rowlock.node.scheduler.Backlog.BacklogReason;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Present values on this node. Each may be read at any time, and must not wait for anything.
 *
 * @param ready whether it says at {@code /readyz} that it takes work
 * @param trusted whether its session may be trusted, so that it takes work
 * @param heartbeatAge since when its session was last renewed, in seconds; empty: it has never joined
 * @param clockSkew by how much the host's clock is ahead of the database's, in seconds; empty: not known yet
 * @param clockDoubted whether the database's clock is not believed
 * @param draining whether it is stopping, or was drained by an operator
 * @param nodes how many live sessions it knows, its own included
 * @param behind how late the task is that has waited longest here, if it waits for this reason
 * @param lost how many tasks of ended sessions it has recorded as lost
 */
public record NodeGauges(
        BooleanSupplier ready,
        BooleanSupplier trusted,
        Supplier<OptionalDouble> heartbeatAge,
        Supplier<OptionalDouble> clockSkew,
        BooleanSupplier clockDoubted,
        BooleanSupplier draining,
        IntSupplier nodes,
        IntSupplier running,
        IntSupplier prepared,
        IntSupplier slots,
        Function<BacklogReason, Duration> behind,
        IntSupplier resultsWaiting,
        LongSupplier journalBytes,
        IntSupplier outputsWaiting,
        LongSupplier lost) {}
