package dev.rowlock.job.plan;

import dev.rowlock.definition.FieldChange;
import dev.rowlock.task.rule.MovedFireTimes;
import dev.rowlock.task.rule.Span;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Effect of applying a set of definitions.
 *
 * @param etag stands for the definitions that were sent and for the jobs as they are: equal as long as both are
 * @param calendars of each calendar that was sent, by name
 * @param summary how many jobs are created, changed, removed, and left as they are
 * @param changes of each job that was sent, in that order, then of those to be removed
 * @param load how many fire times the jobs of this plan that are not paused have in each hour
 */
public record Plan(
        String etag,
        List<PlannedCalendar> calendars,
        PlanSummary summary,
        List<PlannedChange> changes,
        List<Hour> load) {

    /** Effect on a job. */
    public enum Action {
        CREATE,
        CHANGE,
        REMOVE,
        NONE
    }

    /**
     * Effect on a calendar.
     *
     * @param fields what it says differently
     * @param jobs how many existing jobs get other fire times in the year ahead, be they part of the plan or not
     * @param addedCount how many fire times appear there
     * @param removedCount how many vanish
     */
    public record PlannedCalendar(
            String name, Action action, List<FieldChange> fields, long jobs, long addedCount, long removedCount) {}

    /** Number of jobs by effect. */
    public record PlanSummary(long create, long change, long remove, long none) {}

    /**
     * Effect on one job.
     *
     * @param fields what its definition says differently; of a new job, what is not the default
     * @param fireTimes which of them appear and vanish
     * @param warnings what a person should know before relying on it
     * @param frozen the fire times that the freeze of the request would cover; null: none
     */
    public record PlannedChange(
            String namespace,
            String name,
            Action action,
            List<FieldChange> fields,
            MovedFireTimes fireTimes,
            List<String> warnings,
            @Nullable Span frozen) {}

    /** @param hour when it begins; the first and the last one are parts of hours */
    public record Hour(Instant hour, long before, long after) {}

    /** Returns whether nothing is to be changed. */
    public boolean isEmpty() {
        return summary.none == changes.size() && calendars.stream().allMatch(each -> each.action() == Action.NONE);
    }
}
