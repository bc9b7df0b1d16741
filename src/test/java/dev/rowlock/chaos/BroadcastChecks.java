package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.SessionWatch.Presence;
import dev.rowlock.definition.JobDefinition;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One task on each matching node that was there all the while, so many at a time, and none after a failure that stops
 * the rest.
 */
final class BroadcastChecks {

    /** Around the fire time: what a node is told, it knows a moment later. */
    private static final long AROUND_MILLIS = 2000;

    private static final Duration SAME_MOMENT = Duration.ofSeconds(1);
    private static final Set<String> FAILURES = Set.of("FAILED", "TIMED_OUT");

    private final Evidence evidence;
    private final Findings findings;
    private final Map<String, List<Ended>> children;

    BroadcastChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.children = evidence.ledger().history().stream()
                .filter(Ended::isOfBroadcast)
                .collect(Collectors.groupingBy(Ended::broadcast));
    }

    void check(List<Execution> all) {
        evidence.ledger().history().stream()
                .filter(row -> row.outcome().equals("EXPANDED"))
                .forEach(this::onEachNode);
        Map<String, List<Execution>> runs = all.stream()
                .filter(Execution::isOfBroadcast)
                .collect(Collectors.groupingBy(e -> e.row().broadcast()));
        runs.values().forEach(this::soManyAtATime);
        runs.values().forEach(this::noneAfterAFailure);
        all.forEach(this::isExpanded);
    }

    private void onEachNode(Ended parent) {
        JobDefinition job = evidence.ledger().versionOf(parent).definition();
        long from = Math.min(evidence.uptimeOf(parent.fire()), evidence.uptimeOf(parent.ended())) - AROUND_MILLIS;
        long until = evidence.latestUptimeOf(parent.ended()) + AROUND_MILLIS;
        for (String node : presentAllTheWhile(from, until)) {
            if (!mayBeFor(node, parent)
                    || !evidence.conditions().matchesAllTheWhile(node, job.nodes(), from, until)
                    || evidence.conditions().mayBeDrained(node, from, until)) {
                continue;
            }
            List<Ended> own = children.getOrDefault(parent.broadcast(), List.of()).stream()
                    .filter(row -> node.equals(row.node()) && row.attempt() == 1)
                    .toList();
            boolean live = evidence.ledger().live().stream()
                    .anyMatch(row ->
                            row.job() == parent.job() && row.fire().equals(parent.fire()) && node.equals(row.node()));
            if (own.size() + (live && own.isEmpty() ? 1 : 0) != 1) {
                findings.add(
                        own.isEmpty() ? Kind.LOST : Kind.DOUBLED,
                        own.size() + " tasks on node " + node + ", which was there all the while: " + parent);
            }
            own.forEach(row -> isNotGivenUp(row, node));
        }
    }

    /** Who asks for a run may name the one node that it is for, also when it runs again. */
    private boolean mayBeFor(String node, Ended parent) {
        return parent.isScheduled()
                || evidence.runs().stream()
                        .filter(run -> run.job().equals(parent.key())
                                && (run.task() == parent.id() || run.task() == 0 || parent.isRerun()))
                        .allMatch(run -> run.node() == null || run.node().equals(node));
    }

    private Set<String> presentAllTheWhile(long from, long until) {
        Set<String> nodes = new LinkedHashSet<>();
        for (Presence session : evidence.sessions()) {
            if (session.fromMillis() <= from && session.untilMillis() >= until) {
                nodes.add(session.node());
            }
        }
        return nodes;
    }

    /** A node that lives runs its task, or has its policies' reasons not to. */
    private void isNotGivenUp(Ended row, String node) {
        if (row.ended().isBefore(row.fire())) {
            return; // by a clock that was set back: nobody knows when
        }
        long from = evidence.uptimeOf(row.fire()) - AROUND_MILLIS;
        long until = evidence.latestUptimeOf(row.ended()) + AROUND_MILLIS;
        JobDefinition job = evidence.ledger().versionOf(row).definition();
        Duration waited = Duration.between(row.fire(), row.ended());
        boolean early = waited.compareTo(job.startDeadline() == null ? ChaosNode.MISFIRE : job.startDeadline()) < 0
                && (job.misfireThreshold() == null || waited.compareTo(job.misfireThreshold()) < 0);
        if (row.outcome().equals("MISSED")
                && early
                && presentAllTheWhile(from, until).contains(node)) {
            findings.add(Kind.LOST, "missed, though its node was there all the while: " + row);
        }
    }

    private void soManyAtATime(List<Execution> runs) {
        for (Execution next : runs) {
            Integer limit = next.definition().broadcastParallel();
            if (limit != null && next.others(runs) >= limit) {
                findings.add(Kind.CROWDED, "broadcastParallel " + limit + " at the start of " + next);
            }
        }
    }

    private void noneAfterAFailure(List<Execution> runs) {
        for (Execution failed : runs) {
            if (failed.definition().stopOnFailure()
                    && FAILURES.contains(failed.row().outcome())
                    && failed.definition().retry() == null) {
                runs.stream()
                        .filter(next -> next.row().attempt() == 1
                                && next.row().started() != null
                                && next.row()
                                        .started()
                                        .isAfter(failed.row().ended().plus(SAME_MOMENT))
                                && wasRecordedBefore(next, failed))
                        .forEach(next -> findings.add(
                                Kind.UNASKED, "started after a failure that stops the rest, " + failed + ": " + next));
            }
        }
    }

    /** Unless a fault kept its node from telling of the failure at once. */
    private boolean wasRecordedBefore(Execution next, Execution failed) {
        return evidence.injected().stream().noneMatch(fault -> fault.touches(failed.until(), next.from()));
    }

    /** What its job broadcasts runs on each node for itself, and nowhere else. */
    private void isExpanded(Execution run) {
        boolean byHand = !run.row().isScheduled() && !run.isOfBroadcast();
        if (!byHand
                && run.definition().broadcast() != run.isOfBroadcast()
                && run.row().attempt() == 1) {
            findings.add(
                    Kind.MISPLACED,
                    (run.isOfBroadcast() ? "not a broadcast, but" : "a broadcast, but not") + " made for one node: "
                            + run);
        }
    }
}
