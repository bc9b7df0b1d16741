package dev.rowlock.store.task;

import dev.rowlock.job.Cause;
import java.time.Duration;
import java.time.Instant;

/**
 * A task that could be taken, as an unlocked read saw it; whether it still can is decided under its stripe row.
 *
 * @param version the job's version at that moment
 * @param jitter how far behind its fire time it is due
 * @param queued whether it has waited by policy, or is no occurrence of the schedule itself: it is no misfire
 * @param selector which nodes may run it, see {@link SelectorStore}
 * @param needs the feature level that a node must have to touch it
 * @param cursor whether it has no row yet: it is where the cursor of its job stands, which keeps this id for it
 */
public record Candidate(
        long id,
        long jobId,
        int version,
        int stripe,
        Instant fireTime,
        Instant dueAt,
        Duration jitter,
        boolean queued,
        Cause cause,
        int priority,
        int selector,
        int needs,
        boolean cursor) {

    /** Whether the schedule itself asks for it, and it has not waited by policy: only such a task is ever a misfire. */
    boolean isOccurrence() {
        return cause == Cause.SCHEDULE && !queued;
    }

    /** When it was due first: what is given back is due later. */
    Instant scheduled() {
        return fireTime.plus(jitter);
    }

    /** How long its time has come; zero if it waited by policy. */
    public Duration late(Instant now) {
        return queued ? Duration.ZERO : Duration.between(scheduled(), now);
    }
}
