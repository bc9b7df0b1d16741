package dev.rowlock.node.scheduler;

import dev.rowlock.node.scheduler.DefinitionCache.Entry;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.PassedOver;
import dev.rowlock.task.rule.Span;
import dev.rowlock.task.transition.Acquisition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Catch-up of late jobs. The node keeps up with one if a scan finds all that is due, or if the job is less late than
 * when its last occurrence had its turn.
 */
final class CatchingUp {

    /** Bound on remembered jobs; beyond it, all are forgotten. */
    private static final int MOST = 200_000;

    private final Duration misfires;
    private final Map<Long, Duration> late = new HashMap<>();

    /** @param misfires how late an occurrence may start, unless its job says otherwise */
    CatchingUp(Duration misfires) {
        this.misfires = misfires;
    }

    /**
     * Plans what is made of a task, and of those behind it: misfires are left to be settled, and those that would find
     * the task executing are passed over. Its lateness is noted for the next of its job.
     *
     * @param isMine whether this node may run it
     * @param now what is later than this has not come for certain
     * @param foundAll whether all that is due was found
     * @param until when what is prepared with it is due at the latest
     */
    Acquisition prepare(
            Task task,
            Entry job,
            boolean isMine,
            Instant now,
            boolean foundAll,
            Instant until,
            Supplier<LaunchId> launches) {
        Duration by = task.late(now);
        if (!task.cursor() || !PassedOver.isLate(by)) {
            late.remove(task.jobId());
            return Planner.prepare(task, job, Optional.empty(), until, launches);
        }
        boolean keepsUp = isLessLate(task.jobId(), by) || foundAll;
        Instant fireTimes = now.minus(job.terms().jitter());
        Duration threshold = job.policy().threshold(misfires);
        if (PassedOver.isBeforeMisfires(task.fireTime(), job.schedule(), fireTimes, threshold)) {
            return Planner.prepare(task, job, Optional.empty(), task.due(), launches);
        }
        Optional<Span> passed = isMine
                ? PassedOver.by(task.fireTime(), keepsUp, job.policy(), job.schedule(), fireTimes)
                : Optional.empty();
        return Planner.prepare(task, job, passed, until, launches);
    }

    private boolean isLessLate(long job, Duration by) {
        if (late.size() >= MOST) {
            late.clear();
        }
        Duration before = late.put(job, by);
        return before != null && by.compareTo(before) < 0;
    }
}
