package dev.rowlock.store.task;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a scan leaves out, as the node that asks could do nothing with it now. What would make the statement too long is
 * found, and whoever asks goes on behind it.
 *
 * @param versions jobs at one version
 * @param jobs jobs at any
 */
public record LeftOut(Collection<JobAtVersion> versions, Collection<Long> jobs, Collection<Long> tasks) {

    /** Below {@code in_predicate_conversion_threshold} of MariaDB, pairs counting twice. */
    public static final int MOST = 400;

    public static final LeftOut NOTHING = new LeftOut(List.of(), List.of(), List.of());

    /** Further conditions on {@code task t}. */
    public String conditions(String version) {
        return noneOf(
                        "(t.job_id, " + version + ")",
                        versions.stream()
                                .map(job -> "(" + job.jobId() + "," + job.version() + ")")
                                .toList())
                + noneOf("t.job_id", jobs)
                + noneOf("t.id", tasks);
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
