package dev.rowlock.job.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.calendar.CalendarMoved;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.CommandUsers;
import dev.rowlock.job.Edit;
import dev.rowlock.job.PlanRequest;
import dev.rowlock.job.ReschedulingFacts;
import dev.rowlock.job.calendar.CalendarPlan;
import dev.rowlock.job.calendar.Calendars;
import dev.rowlock.job.plan.Plan.Action;
import dev.rowlock.job.plan.Plan.PlannedCalendar;
import dev.rowlock.job.plan.PlannedJobs.JobPlan;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.job.store.ManyJobs.Changes;
import dev.rowlock.schedule.preview.DefaultZone;
import java.util.ArrayList;
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
    private final Calendars calendars;
    private final OnBehalf asker;

    /**
     * @param zone of schedules that name none
     * @param wake called after changes, so that the local engine acts at once
     * @param users whom commands can run as
     */
    public Plans(
            ManyJobs many, JobQueries queries, String zone, Runnable wake, CommandUsers users, Calendars calendars) {
        this(many, queries, new DefaultZone(zone), wake, users, calendars, OnBehalf.OF_NOBODY);
    }

    private Plans(
            ManyJobs many,
            JobQueries queries,
            DefaultZone zone,
            Runnable wake,
            CommandUsers users,
            Calendars calendars,
            OnBehalf asker) {
        this.many = many;
        this.queries = queries;
        this.zone = zone;
        this.wake = wake;
        this.users = users;
        this.calendars = calendars;
        this.asker = asker;
    }

    /** Returns a view for a caller: jobs of other namespaces are refused, and every change is audited. */
    public Plans by(Caller caller) {
        OnBehalf its = new OnBehalf(caller);
        return new Plans(many.by(its.doing(AuditAction.APPLY)), queries, zone, wake, users, calendars.by(caller), its);
    }

    /**
     * Returns what would change.
     *
     * @throws InvalidDefinition with all that is not acceptable, each field named by the place of its job
     */
    public Plan plan(ObjectNode sent) {
        PlanRequest request = PlanRequest.parse(sent);
        List<PlannedCalendar> planned = calendars(request);
        return planned(request).plan(planned);
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
        List<PlannedCalendar> ofCalendars = calendars(request);
        boolean moves = ofCalendars.stream().anyMatch(each -> each.action() != Action.NONE);
        @Nullable String wanted = etag;
        for (int tried = 0; tried < TRIES; tried++) {
            PlannedJobs planned = planned(request);
            Plan plan = planned.plan(ofCalendars);
            if (plan.isEmpty()) {
                wake.run(); // the answer to this may have been lost before
                return plan;
            }
            if (wanted == null && request.jobs().isEmpty() && request.prune() != null) {
                throw new InvalidDefinition(List.of(new FieldProblem(
                        "jobs",
                        "is empty, so that prune would delete every job that it matches; if that is meant, send the"
                                + " etag of the plan as If-Match")));
            }
            if (wanted != null && !wanted.strip().equals(ANY) && !wanted.equals(plan.etag())) {
                throw new Refused(
                        Reason.OTHER_VERSION,
                        "the plan in If-Match was made for other definitions, or a job of it was changed since; send"
                                + " the same body to /plan, and look at what it would change now");
            }
            if (moves) { // the jobs are then planned by what is in force
                request.calendars().forEach((name, to) -> calendars.put(name, to, false));
                planned = planned(request);
                wanted = ANY;
                moves = false;
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
                request.jobs().stream().map(zone::in).toList(),
                request.calendars(),
                request.prune(),
                request.days(),
                request.freeze());
        return new Planning(many, queries, users, zoned, inForce(request), asker.within()).plan();
    }

    /** Returns those of its calendars that are in force as they were sent. */
    private Map<String, PinnedCalendar> inForce(PlanRequest request) {
        Map<String, PinnedCalendar> inForce =
                new LinkedHashMap<>(many.calendars(request.calendars().keySet()));
        inForce.entrySet()
                .removeIf(each -> !Objects.requireNonNull(request.calendars().get(each.getKey()))
                        .calendar(each.getKey())
                        .equals(each.getValue().calendar()));
        return inForce;
    }

    /** Returns what becomes of the calendars of a plan, which belong to no namespace. */
    private List<PlannedCalendar> calendars(PlanRequest request) {
        if (!request.calendars().isEmpty() && !asker.within().isEmpty()) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "calendars", "belong to no namespace: that needs a token without namespaces; leave them out")));
        }
        List<PlannedCalendar> planned = new ArrayList<>();
        request.calendars().forEach((name, to) -> {
            CalendarPlan plan = calendars.plan(name, to);
            Action action = !plan.isThere() ? Action.CREATE : plan.changes().isEmpty() ? Action.NONE : Action.CHANGE;
            planned.add(new PlannedCalendar(
                    name, action, plan.changes(), plan.jobs().size(), plan.addedCount(), plan.removedCount()));
        });
        return planned;
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
        } catch (NoLongerAsSeen | CalendarMoved e) {
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
