package dev.rowlock.chaos;

import dev.rowlock.chaos.Evidence.Launch;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Overlap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A launch, with the row of history that tells of it and the definition it ran with.
 *
 * @param decided the uptime at which the start was decided, or before: what held then holds for it
 * @param asked the run by hand that it is, if that differs from its job, and its retries and recoveries; null: it is
 *     none
 */
record Execution(Launch launch, Ended row, JobDefinition definition, long decided, Operators.@Nullable Run asked) {

    static final Comparator<Execution> BY_START = Comparator.comparingLong(Execution::from);

    /** A start is taken back if the command does not come to its first line within the fence. */
    private static final long LONGEST_START_MILLIS = ChaosNode.LONG_FENCE.toMillis() + 2000;

    private static final long TICK_MILLIS = 50;

    /** All whose row is known, by their start. */
    static List<Execution> of(Evidence evidence) {
        Map<String, Ended> rows = new HashMap<>();
        evidence.ledger().history().stream()
                .filter(row -> row.launch() != null)
                .forEach(row -> rows.put(row.launch(), row));
        Map<String, Operators.Run> runs = evidence.runs().stream()
                .collect(Collectors.toMap(Operators.Run::key, Function.identity(), (a, b) -> a));
        List<Execution> all = new ArrayList<>();
        evidence.launches().forEach((id, launch) -> {
            Ended row = rows.get(id);
            if (row != null) {
                String key = launch.first().run().replace("+", "");
                all.add(new Execution(
                        launch,
                        row,
                        evidence.ledger().versionOf(row).definition(),
                        decided(evidence, launch, row),
                        runs.get(key)));
            }
        });
        all.sort(BY_START);
        return all;
    }

    /** What the database's clock says is no help while that is wrong. */
    private static long decided(Evidence evidence, Launch launch, Ended row) {
        long earliest = launch.fromUptime() - LONGEST_START_MILLIS;
        boolean wrong = evidence.injected().stream()
                .anyMatch(f -> f.kind() == FaultKind.DATABASE_CLOCK && f.touches(earliest, launch.fromUptime()));
        return wrong || row.started() == null
                ? earliest
                : Math.min(launch.fromUptime(), evidence.uptimeOf(row.started()) - TICK_MILLIS);
    }

    long from() {
        return launch.fromUptime();
    }

    long until() {
        return launch.untilUptime();
    }

    String node() {
        return launch.first().node();
    }

    boolean isRunningAt(long uptime) {
        return from() <= uptime && uptime < until();
    }

    /** What its job does on each node of a broadcast is a matter of its own. */
    String scope() {
        return row.job() + (isOfBroadcast() ? " " + row.origin() : "");
    }

    boolean isOfBroadcast() {
        return row.isOfBroadcast();
    }

    /** What the schedule asked for, at the first attempt. */
    boolean isFirst() {
        return row.isScheduled() && row.attempt() == 1;
    }

    boolean isOfBackfill() {
        return row.backfill() > 0;
    }

    /** What runs again waits for others, whatever its job says. */
    Overlap overlap() {
        if (row.isRerun()) {
            return Overlap.QUEUE;
        }
        return asked != null && asked.overlap() != null ? asked.overlap() : definition.overlap();
    }

    /**
     * Whether this one was started first, or may have been where one transaction started both, and the other was
     * allowed to run with it: the order of their marks says nothing.
     */
    boolean mayHaveComeBefore(Execution other) {
        if (row.started() == null || other.row.started() == null || other.overlap() != Overlap.ALLOW) {
            return false;
        }
        return row.started().isBefore(other.row.started())
                || (row.started().equals(other.row.started()) && node().equals(other.node()));
    }

    /** Those of {@code all}, which are in order, that had begun before this one and were still going on. */
    long others(List<Execution> all) {
        return all.stream()
                .takeWhile(other -> other.from() <= from())
                .filter(other ->
                        !other.launch.id().equals(launch.id()) && other.isRunningAt(from()) && !startsLater(other, all))
                .count();
    }

    /** Marks are ten milliseconds apart: of two that started at the same moment, one came first. */
    private boolean startsLater(Execution other, List<Execution> all) {
        return other.from() == from() && all.indexOf(other) > all.indexOf(this);
    }

    @Override
    public String toString() {
        return launch + "; history: " + row;
    }
}
