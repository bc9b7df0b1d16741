package dev.rowlock.task.transition;

import dev.rowlock.task.rule.Placement;
import dev.rowlock.task.store.JobAtVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows that a scan leaves out: this node could do nothing with them now, or other nodes run them. Those that would make
 * the statement too long are found, and the caller goes on behind them. Where nothing is left out, it adds nothing to a
 * statement.
 *
 * <p>Selectors are excluded by number, not included, so that a scan also finds those that this node does not know yet.
 *
 * @param versions jobs at one version
 * @param jobs jobs at any
 */
public record ScanFilter(
        Collection<JobAtVersion> versions, Collection<Long> jobs, Collection<Long> tasks, Placement placement) {

    /** Below {@code in_predicate_conversion_threshold} of MariaDB, pairs counting twice. */
    public static final int MOST = 400;

    public static final ScanFilter NOTHING = new ScanFilter(List.of(), List.of(), List.of(), Placement.NOTHING);

    /**
     * Returns further conditions on an idle {@code task t}: this node may prepare it.
     *
     * @param version the expression for the version of its job
     */
    public String idle(String version) {
        return failed(version) + placed();
    }

    /** Returns further conditions on a prepared {@code task t}: this node can take it over now. */
    String prepared() {
        return failed("t.job_version") + runsHere();
    }

    /** Returns the part of {@link #prepared} about what this node may run. */
    String runsHere() {
        List<Integer> foreign = new ArrayList<>(placement.nobodys());
        foreign.addAll(placement.others());
        return noneOf("t.selector", sorted(foreign));
    }

    /** Returns the part of {@link #idle} about what this node could do nothing with. */
    String failed(String version) {
        List<String> pairs = versions.stream()
                .map(job -> "(" + job.jobId() + "," + job.version() + ")")
                .toList();
        return noneOf("(t.job_id, " + version + ")", pairs) + noneOf("t.job_id", jobs) + noneOf("t.id", tasks);
    }

    /** Returns the part of {@link #idle} about what other nodes run, or none does yet. */
    String placed() {
        String whenDue = noneOf("t.selector", sorted(placement.nobodys()));
        return noneOf("t.selector", sorted(placement.others()))
                + (whenDue.isEmpty()
                        ? ""
                        : " and (t.due_at <= utc_timestamp(6) or " + whenDue.substring(" and ".length()) + ")");
    }

    private static List<Integer> sorted(Collection<Integer> selectors) {
        return selectors.stream().sorted().toList();
    }

    private static String noneOf(String column, Collection<?> values) {
        return values.isEmpty()
                ? ""
                : values.stream()
                        .limit(MOST)
                        .map(String::valueOf)
                        .collect(Collectors.joining(",", " and " + column + " not in (", ")"));
    }
}
