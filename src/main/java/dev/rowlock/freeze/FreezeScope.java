package dev.rowlock.freeze;

import dev.rowlock.definition.JobKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Jobs that a freeze covers: those that match each of the criteria that name anything, in at least one of its values.
 *
 * @param jobs as {@code namespace/name}
 * @param all whether it covers every job; the others name nothing then
 */
public record FreezeScope(List<String> namespaces, Map<String, String> labels, List<String> jobs, boolean all) {

    boolean covers(JobKey job, Map<String, String> jobLabels) {
        return all
                || (!isEmpty()
                        && (namespaces.isEmpty() || namespaces.contains(job.namespace()))
                        && (jobs.isEmpty() || jobs.contains(job.toString()))
                        && (labels.isEmpty() || labels.entrySet().stream().anyMatch(jobLabels.entrySet()::contains)));
    }

    boolean isEmpty() {
        return namespaces.isEmpty() && labels.isEmpty() && jobs.isEmpty();
    }

    /** Returns whether it covers jobs of these namespaces alone, whatever jobs there are. */
    public boolean isWithin(Collection<String> allowed) {
        return !all
                && ((!namespaces.isEmpty() && allowed.containsAll(namespaces))
                        || (!jobs.isEmpty()
                                && jobs.stream().map(FreezeScope::namespace).allMatch(allowed::contains)));
    }

    /** Returns whether it may cover a job of one of these namespaces. */
    public boolean concerns(Set<String> some) {
        return (namespaces.isEmpty() || namespaces.stream().anyMatch(some::contains))
                && (jobs.isEmpty() || jobs.stream().map(FreezeScope::namespace).anyMatch(some::contains));
    }

    private static String namespace(String job) {
        return job.substring(0, Math.max(0, job.indexOf('/')));
    }
}
