package dev.rowlock.freeze;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Freezes of the cluster: all that are not over, and some that are.
 *
 * @param rules the number of the last change of the rules, as of which these are all
 */
public record Freezes(long rules, List<Freeze> all) {

    /** Freezes of a database in which nothing was ever frozen. */
    public static final Freezes NONE = new Freezes(0, List.of());

    public boolean areNone() {
        return all.isEmpty();
    }

    /** Returns those that cover the job at that instant; empty: none does. */
    public Optional<CoveringFreezes> of(JobDefinition job, Instant at) {
        return of(job.key(), job.labels(), at);
    }

    public Optional<CoveringFreezes> of(JobKey job, Map<String, String> labels, Instant at) {
        return CoveringFreezes.of(all.stream().filter(freeze -> freeze.isInForce(at) && freeze.covers(job, labels)));
    }

    /**
     * Returns those that cover the job now, and those that covered it when an occurrence came due, though they may be
     * over: a start may be decided later.
     *
     * @param due when the occurrence came due
     * @param late the effects that count of those that are over
     */
    public Optional<CoveringFreezes> of(JobDefinition job, Instant now, Instant due, Set<FreezeEffect> late) {
        return CoveringFreezes.of(all.stream()
                .filter(freeze -> freeze.isInForce(now) || (late.contains(freeze.then()) && freeze.isInForce(due)))
                .filter(freeze -> freeze.covers(job.key(), job.labels())));
    }

    /** Returns how many are in force. */
    public long inForce(Instant at) {
        return all.stream().filter(freeze -> freeze.isInForce(at)).count();
    }
}
