package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.definition.Overlap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whether the occurrences of a job came in the order that its overlap promises. */
final class OrderChecks {

    private final Evidence evidence;
    private final Findings findings;

    OrderChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
    }

    void check(List<Execution> all) {
        evidence.ledger().history().forEach(this::isReplacedByALaterOne);
        Map<Long, List<Execution>> jobs = all.stream()
                .filter(e -> e.row().isScheduled())
                .collect(Collectors.groupingBy(e -> e.row().job()));
        for (List<Execution> runs : jobs.values()) {
            // With all its attempts an occurrence keeps its place in the queue.
            inOrder(runs.stream().filter(e -> e.overlap() == Overlap.QUEUE).toList());
            runs.stream()
                    .filter(e -> e.overlap() == Overlap.SKIP || e.overlap() == Overlap.REPLACE)
                    .filter(e -> e.row().cause().equals("RETRY"))
                    .forEach(retry -> isNotSuperseded(retry, runs));
        }
    }

    private void inOrder(List<Execution> runs) {
        @Nullable Execution latest = null;
        for (Execution next : runs) {
            if (latest != null && next.row().fire().isBefore(latest.row().fire()) && !wasSetAside(next)) {
                findings.add(Kind.DISORDERED, next.overlap() + ", but later than " + latest + ": " + next);
            }
            latest = latest == null || next.row().fire().isAfter(latest.row().fire()) ? next : latest;
        }
    }

    /** An occurrence that comes late does not end a newer one, which would have ended it. */
    private void isReplacedByALaterOne(Ended row) {
        if (row.replacedBy() != null) {
            evidence.ledger().history().stream()
                    .filter(by -> by.id() == row.replacedBy() && by.fire().isBefore(row.fire()))
                    .forEach(by ->
                            findings.add(Kind.DISORDERED, "killed for an earlier occurrence, " + by + ": " + row));
        }
    }

    /** What the database refuses to have written waits aside, and others go on. */
    private boolean wasSetAside(Execution run) {
        return evidence.injected().stream()
                .anyMatch(f -> f.kind() == FaultKind.SERVER_ERRORS
                        && f.touches(evidence.uptimeOf(run.row().fire()), run.from()));
    }

    /** Once the next occurrence has started, nobody wants the retry of an earlier one. */
    private void isNotSuperseded(Execution retry, List<Execution> runs) {
        Instant fire = retry.row().fire();
        List<Execution> before = new ArrayList<>(runs);
        before.removeIf(e ->
                !e.row().fire().equals(fire) || e.row().attempt() >= retry.row().attempt());
        long failed = before.stream().mapToLong(Execution::until).max().orElse(Long.MAX_VALUE);
        runs.stream()
                .filter(next -> next.isFirst() && next.row().fire().isAfter(fire))
                .filter(next -> next.from() >= failed && next.until() <= retry.from())
                .findFirst()
                .ifPresent(next -> findings.add(
                        Kind.DISORDERED, "a retry, though a later occurrence has started, " + next + ": " + retry));
    }
}
