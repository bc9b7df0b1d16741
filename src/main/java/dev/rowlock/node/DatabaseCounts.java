package dev.rowlock.node;

import dev.rowlock.db.CommitUnknown;
import dev.rowlock.db.DataProblem;
import dev.rowlock.db.DatabaseListener;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.task.Distribution;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Transactions by step, which is the name of the loop that makes them, see {@link Loop#currentStep}. Thread-safe. */
public final class DatabaseCounts implements DatabaseListener {

    private static final List<Duration> BOUNDS = Stream.of(5L, 25L, 100L, 500L, 1_000L, 2_500L, 10_000L)
            .map(Duration::ofMillis)
            .toList();

    private final Map<String, OfStep> steps = new ConcurrentHashMap<>();

    /** Kind of failure. */
    public enum FailureKind {
        /** No answer of the database, or a refused connection. */
        UNAVAILABLE,
        /** Connection lost in the middle of a commit. */
        COMMIT_UNKNOWN,
        /** Data refused in a statement. */
        DATA,
        /** Statement refused for another reason. */
        STATEMENT
    }

    /** Counts of one step. */
    public static final class OfStep {
        private final Distribution seconds = new Distribution(BOUNDS);
        private final LongAdder repeated = new LongAdder();
        private final Map<FailureKind, LongAdder> troubles = Counts.adders(FailureKind.class);

        public Distribution seconds() {
            return seconds;
        }

        public long repeated() {
            return repeated.sum();
        }

        public Map<FailureKind, Long> troubles() {
            return Counts.sums(troubles);
        }
    }

    @Override
    public void done(long nanos) {
        step().seconds.addNanos(nanos);
    }

    @Override
    public void repeated() {
        step().repeated.increment();
    }

    @Override
    public void failed(RuntimeException problem) {
        @Nullable FailureKind trouble = trouble(problem);
        if (trouble != null) {
            Counts.of(step().troubles, trouble).increment();
        }
    }

    private static @Nullable FailureKind trouble(RuntimeException problem) {
        if (problem instanceof CommitUnknown) {
            return FailureKind.COMMIT_UNKNOWN;
        }
        if (problem instanceof DatabaseUnavailable) {
            return FailureKind.UNAVAILABLE;
        }
        if (problem instanceof DataProblem) {
            return FailureKind.DATA;
        }
        return problem instanceof StatementProblem ? FailureKind.STATEMENT : null;
    }

    public Map<String, OfStep> bySteps() {
        return new TreeMap<>(steps);
    }

    private OfStep step() {
        return steps.computeIfAbsent(Loop.currentStep(), name -> new OfStep());
    }
}
