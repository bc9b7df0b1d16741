package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import java.util.List;

/** Whether everything ran where it might. */
final class PlaceChecks {

    private final Conditions conditions;
    private final Findings findings;

    PlaceChecks(Evidence evidence, Findings findings) {
        this.conditions = evidence.conditions();
        this.findings = findings;
    }

    void check(List<Execution> all) {
        all.forEach(this::check);
    }

    private void check(Execution run) {
        String selector = run.definition().nodes();
        if (!conditions.mayMatch(run.node(), selector, run.decided(), run.from())) {
            misplaced(
                    "its selector is '" + selector + "', and the node's labels were "
                            + conditions.labels(run.node(), run.decided(), run.from()),
                    run);
        }
        if (conditions.isDrained(run.node(), run.decided(), run.from())) {
            misplaced("the node was drained", run);
        }
        if (run.isOfBroadcast() && !run.node().equals(run.row().node())) {
            misplaced("it was meant for another node of the broadcast", run);
        }
        if (run.asked() != null
                && run.asked().node() != null
                && !run.node().equals(run.asked().node())) {
            misplaced("it was asked for on node " + run.asked().node(), run);
        }
    }

    private void misplaced(String why, Execution run) {
        findings.add(Kind.MISPLACED, why + ": " + run);
    }
}
