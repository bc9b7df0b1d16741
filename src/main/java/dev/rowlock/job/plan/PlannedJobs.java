package dev.rowlock.job.plan;

import dev.rowlock.calendar.CalendarStore.WantedCalendar;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.job.plan.Plan.Action;
import dev.rowlock.job.plan.Plan.PlanSummary;
import dev.rowlock.job.plan.Plan.PlannedCalendar;
import dev.rowlock.job.plan.Plan.PlannedChange;
import dev.rowlock.task.store.JobAtVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Planned changes of jobs, each with the version that was read. */
record PlannedJobs(List<JobPlan> jobs, List<Plan.Hour> load) {

    /**
     * Planned change of one job.
     *
     * @param place where it stands in the request; null: it does not, and is to be removed
     * @param seen null: it was not there
     * @param to null: it is to be removed
     */
    record JobPlan(
            @Nullable String place,
            JobKey key,
            @Nullable JobAtVersion seen,
            @Nullable StoredDefinition to,
            PlannedChange change) {

        Action action() {
            return change.action();
        }
    }

    /**
     * @param wanted the calendars beside the jobs
     * @param calendars what becomes of them
     */
    Plan plan(List<WantedCalendar> wanted, List<PlannedCalendar> calendars) {
        return new Plan(
                etag(wanted),
                calendars,
                new PlanSummary(count(Action.CREATE), count(Action.CHANGE), count(Action.REMOVE), count(Action.NONE)),
                jobs.stream().map(JobPlan::change).toList(),
                load);
    }

    /** Returns whether all jobs are as they were read, and none was created since. */
    boolean areAsSeen(Map<JobKey, JobAtVersion> now) {
        return jobs.stream().allMatch(job -> Objects.equals(job.seen, now.get(job.key)));
    }

    List<JobKey> keys() {
        return jobs.stream().map(JobPlan::key).toList();
    }

    /** Returns the existing jobs that will be changed or removed. */
    List<Long> changedIds() {
        List<Long> ids = new ArrayList<>();
        for (JobPlan job : jobs) {
            if (job.seen != null && job.action() != Action.NONE) {
                ids.add(job.seen.jobId());
            }
        }
        return ids;
    }

    private long count(Action action) {
        return jobs.stream().filter(job -> job.action() == action).count();
    }

    /**
     * Computes an ETag that changes whenever any of these jobs or calendars is changed, created or deleted, or the
     * request differs; it does not change with time.
     */
    private String etag(List<WantedCalendar> wanted) {
        MessageDigest digest = sha256();
        for (WantedCalendar calendar : wanted) {
            String seen =
                    calendar.seen().map(is -> is.version() + " " + is.mark()).orElse("-");
            digest.update((calendar.name() + "\n" + seen + "\n" + calendar.to().json() + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        for (JobPlan job : jobs) {
            String to = job.to == null
                    ? ""
                    : job.to.text() + " " + job.to.definition().paused();
            String seen = job.seen == null ? "-" : job.seen.jobId() + " " + job.seen.version();
            digest.update((job.key + "\n" + seen + "\n" + to + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 16);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
