package dev.rowlock.engine.schedule;

import dev.rowlock.engine.schedule.DefinitionCache.Entry;
import dev.rowlock.policy.PassedOver;
import dev.rowlock.policy.Span;
import dev.rowlock.store.task.Candidate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How jobs that are late come to be on time again. The node keeps up with one if a scan finds all that is due, or if
 * the job is less late than when its last occurrence had its turn.
 */
final class CatchingUp {

    /** So many jobs are remembered; beyond that, all are forgotten. */
    private static final int MOST = 200_000;

    private final Duration misfires;
    private final Map<Long, Duration> late = new HashMap<>();

    /** @param misfires how late an occurrence may start, where its job says nothing */
    CatchingUp(Duration misfires) {
        this.misfires = misfires;
    }

    /**
     * What is passed over if this task is prepared; how late it is is noted for the next of its job.
     *
     * @param now what is later than this has not come for certain
     * @param foundAll whether all that is due was found
     */
    Optional<Span> passedOver(Candidate task, Entry job, Instant now, boolean foundAll) {
        Duration by = task.late(now);
        if (!task.cursor() || !PassedOver.isLate(by)) {
            late.remove(task.jobId());
            return Optional.empty();
        }
        if (late.size() >= MOST) {
            late.clear();
        }
        Duration before = late.put(task.jobId(), by);
        boolean keepsUp = foundAll || (before != null && by.compareTo(before) < 0);
        Instant until = now.minus(job.terms().jitter());
        return PassedOver.by(task.fireTime(), keepsUp, job.policy(), job.schedule(), until, misfires);
    }
}
