package dev.rowlock.node;

import dev.rowlock.db.StatementProblem;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes that failed although the database answers. The log has the stack trace when a failure begins or its kind
 * changes, whichever loop meets it first; then a line a minute with the number of repetitions, and one that it is over,
 * when that loop has met none for a while. Thread-safe.
 */
final class Failures {

    private static final Logger log = LoggerFactory.getLogger(Failures.class);
    private static final Duration SAID = Duration.ofMinutes(1);
    private static final Duration QUIET = Duration.ofSeconds(10);

    private final LongSupplier nanos;
    private final Map<String, LoopFailures> troubles = new HashMap<>();
    /** Times at which each kind was logged with its stack trace. */
    private final Map<String, Long> told = new HashMap<>();

    /**
     * Failures of one loop.
     *
     * @param unsaid how many passes have failed since the log last reported one
     */
    private record LoopFailures(String kind, long saidNanos, long lastNanos, int unsaid, int all) {}

    Failures(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Notes that a pass of that loop has failed, and is retried. */
    synchronized void noticed(String loop, RuntimeException e) {
        long now = nanos.getAsLong();
        String kind = kind(e);
        LoopFailures previous = troubles.get(loop);
        int all = previous == null ? 1 : previous.all() + 1;
        if (previous != null && previous.kind().equals(kind) && now - previous.saidNanos() < SAID.toNanos()) {
            troubles.put(loop, new LoopFailures(kind, previous.saidNanos(), now, previous.unsaid() + 1, all));
            log.debug("{}: a pass failed", loop, e);
            return;
        }
        if (previous != null && previous.kind().equals(kind)) {
            log.error("{}: {} more passes failed, the last one with: {}", loop, previous.unsaid() + 1, e.toString());
        } else if (isToldOf(kind, now)) {
            log.error("{}: a pass failed and is tried again: {}", loop, e.toString());
        } else {
            told.put(kind, now);
            log.error("{}: a pass failed and is tried again", loop, e);
        }
        troubles.put(loop, new LoopFailures(kind, now, now, 0, all));
    }

    synchronized void none(String loop) {
        LoopFailures trouble = troubles.get(loop);
        if (trouble != null && nanos.getAsLong() - trouble.lastNanos() >= QUIET.toNanos()) {
            troubles.remove(loop);
            log.info("{}: no pass fails any more; {} did", loop, trouble.all());
        }
    }

    private boolean isToldOf(String kind, long now) {
        told.values().removeIf(at -> now - at >= SAID.toNanos());
        return told.containsKey(kind);
    }

    /**
     * Returns the kind of a failure, without its message: messages name rows and numbers, which differ from pass to
     * pass.
     */
    private static String kind(RuntimeException e) {
        if (e instanceof StatementProblem problem) {
            return problem.kind();
        }
        StackTraceElement[] trace = e.getStackTrace();
        return e.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
