package dev.rowlock.job.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.CommandUsers;
import dev.rowlock.job.Edit;
import dev.rowlock.job.PlanRequest;
import dev.rowlock.job.ReschedulingFacts;
import dev.rowlock.job.plan.Plan.Action;
import dev.rowlock.job.plan.PlannedJobs.JobPlan;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.job.store.ManyJobs.Changes;
import dev.rowlock.schedule.preview.DefaultZone;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Definitions that are applied together: a preview of the changes, and the changes themselves, all or nothing. Each job
 * is checked and changed as by a PUT. Thread-safe.
 */
public final class Plans {

    /** Wildcard in place of an etag: the plan as it is by now. */
    public static final String ANY = "*";

    /** Number of times that a plan is made again because somebody else changed one of its jobs. */
    private static final int TRIES = 10;

    private final ManyJobs many;
    private final JobQueries queries;
    private final DefaultZone zone;
    private final Runnable wake;
    private final CommandUsers users;
    private final OnBehalf asker;

    /**
     * @param zone of schedules that name none
     * @param wake called after changes, so that the local engine acts at once
     * @param users whom commands can run as
     */
    public Plans(ManyJobs many, JobQueries queries, String zone, Runnable wake, CommandUsers users) {
        this(many, queries, new DefaultZone(zone), wake, users, OnBehalf.OF_NOBODY);
    }

    private Plans(
            ManyJobs many, JobQueries queries, DefaultZone zone, Runnable wake, CommandUsers users, OnBehalf asker) {
        this.many = many;
        this.queries = queries;
        this.zone = zone;
        this.wake = wake;
        this.users = users;
        this.asker = asker;
    }

    /** Returns a view for a caller: jobs of other namespaces are refused, and every change is audited. */
    public Plans by(Caller caller) {
        OnBehalf its = new OnBehalf(caller);
        return new Plans(many.by(its.doing(AuditAction.APPLY)), queries, zone, wake, users, its);
    }

    /**
     * Returns what would change.
     *
     * @throws InvalidDefinition with all that is not acceptable, each field named by the place of its job
     */
    public Plan plan(ObjectNode sent) {
        return planned(PlanRequest.parse(sent)).plan();
    }

    /**
     * Applies a plan in one transaction. A job that already is as requested is not refused, so that a request whose
     * answer was lost can be repeated as it was.
     *
     * @param etag of the plan that is to be applied; {@link #ANY}: whatever the plan is by now; null: the same, unless
     *     it deletes all and names nothing
     * @return the plan that was applied
     * @throws InvalidDefinition with all that is not acceptable, each field named by the place of its job
     * @throws Refused something else was planned, or is there by now
     */
    public Plan apply(ObjectNode sent, @Nullable String etag) {
        PlanRequest request = PlanRequest.parse(sent);
        for (int tried = 0; tried < TRIES; tried++) {
            PlannedJobs planned = planned(request);
            Plan plan = planned.plan();
            if (plan.isEmpty()) {
                wake.run(); // the answer to this may have been lost before
                return plan;
            }
            if (etag == null && request.jobs().isEmpty()) {
                throw new InvalidDefinition(List.of(new FieldProblem(
                        "jobs",
                        "is empty, so that prune would delete every job that it matches; if that is meant, send the"
                                + " etag of the plan as If-Match")));
            }
            if (etag != null && !etag.strip().equals(ANY) && !etag.equals(plan.etag())) {
                throw new Refused(
                        Reason.OTHER_VERSION,
                        "the plan in If-Match was made for other definitions, or a job of it was changed since; send"
                                + " the same body to /plan, and look at what it would change now");
            }
            if (isApplied(planned)) {
                wake.run();
                return plan;
            }
        }
        throw new Refused(Reason.BUSY, "jobs of this plan are being changed by others all the time; try again");
    }

    private PlannedJobs planned(PlanRequest request) {
        request.jobs()
                .forEach(job -> asker.requireNamespace(PlanRequest.key(job).namespace()));
        if (request.prune() != null && request.prune().namespace() != null) {
            asker.requireNamespace(request.prune().namespace());
        }
        PlanRequest zoned = new PlanRequest(
                request.jobs().stream().map(zone::in).toList(), request.prune(), request.days(), request.freeze());
        return new Planning(many, queries, users, zoned, asker.within()).plan();
    }

    /** Applies a plan; returns false, without any change, if one of the jobs has changed since it was read. */
    private boolean isApplied(PlannedJobs planned) {
        List<JobPlan> inOrder = planned.jobs().stream()
                .sorted(Comparator.comparing(job -> job.key().toString()))
                .toList();
        try {
            return many.change(planned.changedIds(), "applying a plan of " + inOrder.size() + " jobs", changes -> {
                if (!planned.areAsSeen(changes.versions(planned.keys()))) {
                    return false;
                }
                create(inOrder, changes);
                change(inOrder, changes);
                return true;
            });
        } catch (NoLongerAsSeen e) {
            return false;
        }
    }

    private static void create(List<JobPlan> jobs, Changes changes) {
        jobs.stream()
                .filter(job -> job.action() == Action.CREATE)
                .forEach(job -> atItsPlace(job, () -> create(to(job), changes)));
        if (!changes.createAll()) {
            throw new NoLongerAsSeen();
        }
    }

    private static void create(StoredDefinition to, Changes changes) {
        changes.create(to, now -> JobSchedule.of(to.definition(), now).nextAfter(now));
    }

    private static void change(List<JobPlan> jobs, Changes changes) {
        Map<Long, JobPlan> byId = new LinkedHashMap<>();
        jobs.stream()
                .filter(job -> job.action() == Action.CHANGE || job.action() == Action.REMOVE)
                .forEach(job -> byId.put(Objects.requireNonNull(job.seen()).jobId(), job));
        boolean areThere = changes.changeAll(List.copyOf(byId.keySet()), change -> {
            JobPlan job = Objects.requireNonNull(byId.get(change.job().id()));
            atItsPlace(job, () -> carryOut(job, change));
        });
        if (!areThere) {
            throw new NoLongerAsSeen();
        }
    }

    private static void carryOut(JobPlan job, JobChange change) {
        if (job.action() == Action.REMOVE) {
            Edit.delete(change, ReschedulingFacts.inForce(change.job()));
        } else if (Edit.of(change.job(), to(job)).carryOut(change).isEmpty()) {
            throw new NoLongerAsSeen();
        }
    }

    /** Reports problems of a job at its place in the request. */
    private static void atItsPlace(JobPlan job, Runnable work) {
        try {
            work.run();
        } catch (InvalidDefinition e) {
            throw new InvalidDefinition(e.problems().stream()
                    .map(p -> p.in(String.valueOf(job.place())))
                    .toList());
        }
    }

    private static StoredDefinition to(JobPlan job) {
        return Objects.requireNonNull(job.to());
    }

    /** Signal to roll the transaction back. */
    private static final class NoLongerAsSeen extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoLongerAsSeen() {
            super(null, null, false, false);
        }
    }
}
