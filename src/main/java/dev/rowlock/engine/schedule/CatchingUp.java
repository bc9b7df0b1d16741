package dev.rowlock.engine.schedule;

import dev.rowlock.engine.schedule.DefinitionCache.Entry;
import dev.rowlock.job.LaunchId;
import dev.rowlock.policy.PassedOver;
import dev.rowlock.policy.Span;
import dev.rowlock.store.task.Acquisition;
import dev.rowlock.store.task.Candidate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

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
     * Plans what becomes of a task, and of those behind it.
     *
     * @param isMine whether this node may run it
     * @param until when what is prepared with it is due at the latest
     */
    Acquisition prepare(
            Candidate task,
            Entry job,
            boolean isMine,
            Instant now,
            boolean foundAll,
            Instant until,
            Supplier<LaunchId> launches) {
        Optional<Span> passed = passedOver(task, job, now, foundAll);
        return Planner.prepare(
                task, job, isMine ? passed : Optional.empty(), preparedUntil(task, job, now, until), launches);
    }

    /**
     * What is passed over if this task is prepared; how late it is is noted for the next of its job.
     *
     * @param now what is later than this has not come for certain
     * @param foundAll whether all that is due was found
     */
    private Optional<Span> passedOver(Candidate task, Entry job, Instant now, boolean foundAll) {
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

    /**
     * Up to when occurrences are prepared together with this task: none, if they are misfires, which are settled.
     *
     * @param until when they would be due at the latest, if they are none
     */
    private Instant preparedUntil(Candidate task, Entry job, Instant now, Instant until) {
        Instant fireTimes = now.minus(job.terms().jitter());
        return task.cursor()
                        && PassedOver.isLate(task.late(now))
                        && PassedOver.isBeforeMisfires(
                                task.fireTime(), job.policy(), job.schedule(), fireTimes, misfires)
                ? task.dueAt()
                : until;
    }
}
