package dev.rowlock.store;

import java.util.Collection;
import java.util.stream.Collectors;

/** A job at one version of its definition. */
public record JobAtVersion(long jobId, int version) {

    /** A condition that two columns, the job and its version, are none of these. */
    static String noneOf(String columns, Collection<JobAtVersion> jobs) {
        return jobs.isEmpty()
                ? ""
                : " and (" + columns + ") not in ("
                        + jobs.stream()
                                .map(job -> "(" + job.jobId() + "," + job.version() + ")")
                                .collect(Collectors.joining(","))
                        + ")";
    }
}
