package dev.rowlock.definition;

import dev.rowlock.field.Place;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Policies that make no sense together, and options of a policy that is not chosen. A policy that was refused itself is
 * ignored: it has its default for now, which nobody chose.
 */
final class Combinations {

    private static final String OMIT = " leave it out, or make it null";

    private Combinations() {}

    static void check(JobDefinition job, Place whole) {
        boolean oneAtATime =
                (job.overlap() == Overlap.SKIP || job.overlap() == Overlap.REPLACE) && !whole.isRefused("overlap");
        if (job.overlapLimit() != null && oneAtATime) {
            whole.field("overlapLimit").refuse("needs overlap QUEUE or ALLOW; with " + job.overlap() + OMIT);
        }
        if (job.misfire() == Misfire.RUN_ALL && oneAtATime) {
            whole.field("misfire")
                    .refuse("RUN_ALL needs overlap QUEUE or ALLOW; with " + job.overlap()
                            + " what is caught up would be in its own way");
        }
        if (job.catchUpLimit() != null && job.misfire() != Misfire.RUN_ALL && !whole.isRefused("misfire")) {
            whole.field("catchUpLimit").refuse("needs misfire RUN_ALL; with " + job.misfire() + OMIT);
        }
        checkBroadcast(job, whole);
        checkJitter(job.jitter(), job.startDeadline(), whole);
        if (job.schedule().isManual()) {
            needsSchedule("jitter", job.jitter(), whole);
            needsSchedule("finishBy", job.finishBy(), whole);
            needsSchedule("maxRuns", job.maxRuns(), whole);
            needsSchedule("misfireThreshold", job.misfireThreshold(), whole);
        }
    }

    private static void checkBroadcast(JobDefinition job, Place whole) {
        if (job.broadcast() || whole.isRefused("broadcast")) {
            return;
        }
        if (job.broadcastParallel() != null) {
            whole.field("broadcastParallel").refuse("needs broadcast true; without it" + OMIT);
        }
        if (job.stopOnFailure()) {
            whole.field("stopOnFailure").refuse("needs broadcast true; without it" + OMIT);
        }
    }

    private static void checkJitter(@Nullable Duration jitter, @Nullable Duration startDeadline, Place whole) {
        if (jitter != null && startDeadline != null && jitter.compareTo(startDeadline) >= 0) {
            whole.field("jitter").refuse("must be shorter than startDeadline, or the job could be due after it");
        }
    }

    private static void needsSchedule(String field, @Nullable Object value, Place whole) {
        if (value != null) {
            whole.field(field).refuse("needs a schedule; a job that is @manual has no fire times");
        }
    }
}
