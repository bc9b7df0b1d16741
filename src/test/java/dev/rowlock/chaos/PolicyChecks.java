package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.definition.Overlap;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What each policy promises, from the marks of the commands, the definitions they ran with, and what operators had set
 * when: nothing here asks the product what it decided, or why.
 */
final class PolicyChecks {

    private final Evidence evidence;
    private final Findings findings;
    private final List<Execution> all;

    PolicyChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.all = Execution.of(evidence);
    }

    void check() {
        all.stream()
                .filter(e -> !e.isOfBackfill()) // those are for BackfillChecks
                .collect(Collectors.groupingBy(Execution::scope, LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(this::atOnce);
        by(e -> e.row().job()).values().forEach(this::onOneNode);
        new GroupChecks(evidence, findings).check(all);
        new SlotChecks(evidence, findings).check(all);
        new PlaceChecks(evidence, findings).check(all);
        new OrderChecks(evidence, findings).check(all);
        new RetryChecks(evidence, findings).check(all);
        new TimeChecks(evidence, findings).check(all);
        new BroadcastChecks(evidence, findings).check(all);
        new RerunChecks(evidence, findings).check();
        new StopChecks(evidence, findings).check(all);
        new PauseChecks(evidence, findings).check();
        new LineChecks(evidence, findings).check(all);
        new CalendarChecks(evidence, findings).check(all);
        new FreezeChecks(evidence, findings).check(all);
        new BackfillChecks(evidence, findings).check(all);
        new FinishChecks(evidence, findings).check();
        all.forEach(this::asAsked);
    }

    private <K> Map<K, List<Execution>> by(Function<Execution, K> key) {
        return all.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }

    /** One at a time, unless the job allows more, and then not more than it allows. */
    private void atOnce(List<Execution> runs) {
        Execution longest = runs.get(0);
        for (int i = 1; i < runs.size(); i++) {
            Execution next = runs.get(i);
            if (next.overlap() == Overlap.ALLOW) {
                Integer limit = next.definition().overlapLimit();
                if (limit != null && next.definition().overlap() == Overlap.ALLOW && next.others(runs) >= limit) {
                    findings.add(Kind.CROWDED, "overlapLimit " + limit + " at the start of " + next);
                }
            } else if (next.from() < longest.until()) {
                aloneAfter(runs.subList(0, i), next);
            }
            longest = next.until() > longest.until() ? next : longest;
        }
    }

    private void aloneAfter(List<Execution> earlier, Execution next) {
        earlier.stream()
                .filter(before -> next.from() < before.until() && !next.mayHaveComeBefore(before))
                .max(Comparator.comparingLong(Execution::until))
                .ifPresent(before -> findings.add(
                        Kind.OVERLAPPING,
                        (before.until() - next.from()) + " ms, overlap " + next.overlap() + ": " + before + " and "
                                + next));
    }

    private void onOneNode(List<Execution> runs) {
        for (Execution next : runs) {
            Integer limit = next.definition().maxPerNode();
            List<Execution> there =
                    runs.stream().filter(e -> e.node().equals(next.node())).toList();
            if (limit != null && next.others(there) >= limit) {
                findings.add(Kind.CROWDED, "maxPerNode " + limit + " at the start of " + next);
            }
        }
    }

    /** The definition that history names, and the run that somebody asked for, are those that the command saw. */
    private void asAsked(Execution run) {
        String seen = run.launch().first().edition();
        String named = run.definition().env().get(PolicyDraw.EDITION);
        if (named != null && !named.equals(seen)) {
            findings.add(
                    Kind.WRONG_OUTCOME,
                    "its version says " + PolicyDraw.EDITION + " " + named + ", but the command saw " + seen + ": "
                            + run);
        }
        String key = run.launch().first().run();
        if (key.equals("-")) {
            return;
        }
        Operators.Run asked = run.asked();
        if (asked == null || !asked.job().equals(run.row().key()) || run.row().isScheduled()) {
            findings.add(Kind.UNASKED, "nobody asked for the run " + key + " of this job: " + run);
        } else if (asked.otherCommand() != key.endsWith("+")) {
            findings.add(Kind.WRONG_OUTCOME, "another command than was asked for with " + asked + ": " + run);
        }
    }
}
