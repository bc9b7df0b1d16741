package dev.rowlock.chaos;

import dev.rowlock.chaos.DrawnSchedule.Line;
import dev.rowlock.chaos.Findings.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Each command was told of the line that has fired it, and had the variables of that. */
final class LineChecks {

    private static final String NONE = "-";

    private final Evidence evidence;
    private final Findings findings;

    LineChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
    }

    void check(List<Execution> all) {
        all.forEach(this::isByItsLine);
        long several = all.stream().filter(this::hasSeveral).count();
        findings.judged(several + " runs were of jobs with several lines, "
                + all.stream()
                        .filter(run -> !run.launch().first().line().equals(NONE))
                        .count()
                + " by another than the first; "
                + all.stream().filter(run -> run.row().isDeclined()).count() + " declined");
    }

    private boolean hasSeveral(Execution run) {
        return evidence.ledger().versionOf(run.row()).schedule().lines().size() > 1;
    }

    private void isByItsLine(Execution run) {
        Optional<Line> line = run.row().hasFireTime()
                ? evidence.ledger()
                        .versionOf(run.row())
                        .schedule()
                        .lineAt(run.row().fire())
                : Optional.empty();
        String text = line.map(fired -> fired.text().replace(' ', '_')).orElse(NONE);
        String own = line.map(Line::env).orElse(Map.of()).getOrDefault(ScheduleDraw.LINE, NONE);
        Mark mark = run.launch().first();
        if (!mark.schedule().equals(text) || !mark.line().equals(own)) {
            findings.add(
                    Kind.WRONG_OUTCOME,
                    "the line " + text + " with the sign " + own + " has fired it, but the command was told "
                            + mark.schedule() + " and " + mark.line() + ": " + run);
        }
    }
}
