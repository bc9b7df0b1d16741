package dev.rowlock.job.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.calendar.CalendarMoved;
import dev.rowlock.calendar.CalendarStore.WantedCalendar;
import dev.rowlock.definition.JobKey;
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
import java.util.function.Supplier;
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
    private final boolean force;

    /**
     * @param zone of schedules that name none
     * @param wake called after changes, so that the local engine acts at once
     * @param users whom commands can run as
     */
    public Plans(
            ManyJobs many, JobQueries queries, String zone, Runnable wake, CommandUsers users, Calendars calendars) {
        this(many, queries, new DefaultZone(zone), wake, users, calendars, OnBehalf.OF_NOBODY, false);
    }

    private Plans(
            ManyJobs many,
            JobQueries queries,
            DefaultZone zone,
            Runnable wake,
            CommandUsers users,
            Calendars calendars,
            OnBehalf asker,
            boolean force) {
        this.force = force;
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
        return new Plans(
                many.by(its.doing(AuditAction.APPLY)), queries, zone, wake, users, calendars.by(caller), its, force);
    }

    /** Returns a view that also leaves jobs without any fire time, or does not. */
    public Plans forcing(boolean also) {
        return new Plans(many, queries, zone, wake, users, calendars, asker, also);
    }

    /**
     * Returns what would change.
     *
     * @throws InvalidDefinition with all that is not acceptable, each field named by the place of its job
     */
    public Plan plan(ObjectNode sent) {
        return planned(PlanRequest.parse(sent)).plan();
    }

    /** Jobs and calendars with what becomes of them. */
    private record PlannedChanges(PlannedJobs jobs, List<WantedCalendar> wanted, List<PlannedCalendar> calendars) {

        Plan plan() {
            return jobs.plan(wanted, calendars);
        }

        List<WantedCalendar> changed() {
            return wanted.stream().filter(calendar -> !calendar.isThere()).toList();
        }
    }

    /**
     * Applies a plan in one transaction; the jobs that name a calendar of it follow before it is answered. A job that
     * already is as requested is not refused, so that a request whose answer was lost can be repeated as it was.
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
            PlannedChanges planned = planned(request);
            Plan plan = planned.plan();
            if (!plan.isEmpty()) { // else the answer to this may have been lost before
                requireMeant(request, plan, etag);
            }
            if (plan.isEmpty() || isApplied(planned.jobs(), planned.changed())) {
                calendars.complete(request.calendars().keySet());
                wake.run();
                return plan;
            }
        }
        throw new Refused(Reason.BUSY, "jobs of this plan are being changed by others all the time; try again");
    }

    private static void requireMeant(PlanRequest request, Plan plan, @Nullable String etag) {
        if (etag == null && request.jobs().isEmpty() && request.prune() != null) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "jobs",
                    "is empty, so that prune would delete every job that it matches; if that is meant, send the"
                            + " etag of the plan as If-Match")));
        }
        if (etag != null && !etag.strip().equals(ANY) && !etag.equals(plan.etag())) {
            throw new Refused(
                    Reason.OTHER_VERSION,
                    "the plan in If-Match was made for other definitions, or a job or calendar of it was changed since;"
                            + " send the same body to /plan, and look at what it would change now");
        }
    }

    private PlannedChanges planned(PlanRequest request) {
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
        List<WantedCalendar> wanted = wanted(request);
        Map<String, PinnedCalendar> pinned = new LinkedHashMap<>();
        wanted.forEach(calendar -> pinned.put(calendar.name(), calendar.pinned()));
        PlannedJobs jobs = new Planning(many, queries, users, zoned, pinned, force, asker.within()).plan();
        return new PlannedChanges(
                jobs,
                wanted,
                wanted.stream()
                        .map(calendar -> atItsPlace(calendar.name(), () -> planned(calendar, jobs.keys())))
                        .toList());
    }

    /** Returns the calendars of a plan. They belong to no namespace, but may be named as they are. */
    private List<WantedCalendar> wanted(PlanRequest request) {
        List<WantedCalendar> wanted = new ArrayList<>();
        request.calendars().forEach((name, to) -> wanted.add(atItsPlace(name, () -> calendars.wanted(name, to))));
        List<String> others = asker.within().isEmpty()
                ? List.of()
                : wanted.stream()
                        .filter(calendar -> !calendar.isThere())
                        .map(WantedCalendar::name)
                        .toList();
        InvalidDefinition.throwIfAny(others.stream()
                .map(name -> new FieldProblem(
                        "calendars." + name,
                        "is not as it stands here, and belongs to no namespace: to change it needs a token without"
                                + " namespaces; leave it out"))
                .toList());
        return wanted;
    }

    private PlannedCalendar planned(WantedCalendar calendar, List<JobKey> apart) {
        if (calendar.isThere()) {
            return new PlannedCalendar(calendar.name(), Action.NONE, List.of(), 0, 0, 0);
        }
        CalendarPlan plan = calendars.plan(calendar.name(), calendar.to(), apart, force);
        return new PlannedCalendar(
                calendar.name(),
                calendar.seen().isEmpty() ? Action.CREATE : Action.CHANGE,
                plan.changes(),
                plan.jobs().size(),
                plan.addedCount(),
                plan.removedCount());
    }

    /** Reports problems of a calendar at its place in the request. */
    private static <T> T atItsPlace(String calendar, Supplier<T> work) {
        try {
            return work.get();
        } catch (InvalidDefinition e) {
            throw new InvalidDefinition(e.problems().stream()
                    .map(p -> p.in("calendars." + calendar))
                    .toList());
        }
    }

    /** Applies a plan; returns false, without any change, if a job or calendar of it has changed since it was read. */
    private boolean isApplied(PlannedJobs planned, List<WantedCalendar> changed) {
        List<JobPlan> inOrder = planned.jobs().stream()
                .sorted(Comparator.comparing(job -> job.key().toString()))
                .toList();
        try {
            return many.change(planned.changedIds(), "applying a plan of " + inOrder.size() + " jobs", changes -> {
                if (!planned.areAsSeen(changes.versions(planned.keys()))) {
                    return false;
                }
                changes.put(changed);
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
