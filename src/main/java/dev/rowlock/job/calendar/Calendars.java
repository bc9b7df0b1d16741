package dev.rowlock.job.calendar;

import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.calendar.CalendarStore.CurrentCalendar;
import dev.rowlock.calendar.CalendarStore.WantedCalendar;
import dev.rowlock.calendar.CalendarView;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.definition.calendar.CalendarDefinition;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.Precondition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.calendar.CalendarPlan.PlanMaker;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.schedule.calendar.Calendar;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Calendars as people manage them. A change answers when all jobs that name the calendar go by it: from then on, no
 * occurrence starts at a time that it does not ask for. Thread-safe.
 */
public final class Calendars {

    /** Jobs that are compared in the order of their names at a time. */
    private static final int TOGETHER = 200;

    private static final int NAMED = 10;

    private final CalendarStore store;
    private final ManyJobs many;
    private final FollowingJobs following;
    private final Runnable wake;
    private final OnBehalf asker;
    private final Precondition precondition;

    /** @param wake called when jobs have other fire times */
    public Calendars(CalendarStore store, ManyJobs many, Runnable wake) {
        this(store, many, wake, OnBehalf.OF_NOBODY, Precondition.NONE);
    }

    private Calendars(CalendarStore store, ManyJobs many, Runnable wake, OnBehalf asker, Precondition precondition) {
        this.store = store;
        this.many = many;
        this.following = new FollowingJobs(store, many).by(asker.doing(AuditAction.RESCHEDULE));
        this.wake = wake;
        this.asker = asker;
        this.precondition = precondition;
    }

    /** Returns a view for a caller: every change is audited. */
    public Calendars by(Caller caller) {
        return new Calendars(store, many, wake, new OnBehalf(caller), precondition);
    }

    /** Returns a view whose changes require this condition. */
    public Calendars when(Precondition holds) {
        return new Calendars(store, many, wake, asker, holds);
    }

    /** @param created whether it was not there before */
    public record SavedCalendar(CalendarView calendar, boolean created) {}

    /** Lists the calendars after this name, in order. */
    public List<CalendarView> list(@Nullable String after, int most) {
        return store.list(after, most);
    }

    public CalendarView get(String name) {
        return store.find(name).orElseThrow(() -> noSuchCalendar(name));
    }

    private void check(Optional<CurrentCalendar> seen) {
        precondition.check("the calendar", seen.map(calendar -> String.valueOf(calendar.version())));
    }

    /**
     * Creates or replaces a calendar, and moves the fire times of the jobs that name it. May be repeated: what is as
     * requested is not changed again, and what a lost request has left is completed.
     *
     * @param force also if jobs are left without any fire time
     * @throws InvalidDefinition it has no open day, or leaves jobs without any fire time
     */
    public SavedCalendar put(String name, CalendarDefinition to, boolean force) {
        checkOpen(name, to);
        Optional<CalendarView> seen = store.find(name);
        if (seen.isPresent() && !force && !seen.get().definition().equals(to)) {
            checkFires(name, to);
        }
        store.put(name, to, this::check, asker.audit());
        if (seen.isPresent()) {
            following.follow(name);
            wake.run();
        }
        return new SavedCalendar(get(name), seen.isEmpty());
    }

    private void checkOpen(String name, CalendarDefinition to) {
        LocalDate today = LocalDate.ofInstant(store.now(), ZoneOffset.UTC);
        if (to.calendar(name).openFrom(today.toEpochDay()) == Calendar.NEVER) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    to.week().isEmpty() ? "week" : "closed",
                    "leaves no day open within " + Calendar.MAX_YEARS + " years; open a weekday, or a date")));
        }
    }

    private void checkFires(String name, CalendarDefinition to) {
        Instant now = store.now();
        List<JobKey> left = new ArrayList<>();
        compare(name, to, (job, by) -> {
            if (isLeftOff(job, by, now)) {
                left.add(job.key());
            }
        });
        refuseLeftOff(left);
    }

    /** Returns whether a job had fire times to come, and has none by another version of its calendars. */
    private static boolean isLeftOff(StoredJob job, StoredDefinition by, Instant now) {
        return JobSchedule.of(job.definition(), job.createdAt()).nextAfter(now).isPresent()
                && JobSchedule.of(by.definition(), job.createdAt())
                        .nextAfter(now)
                        .isEmpty();
    }

    private static void refuseLeftOff(List<JobKey> left) {
        if (!left.isEmpty()) {
            String names =
                    left.stream().limit(NAMED).map(JobKey::toString).sorted().collect(Collectors.joining(", "));
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "",
                    "leaves " + left.size() + (left.size() == 1 ? " job" : " jobs") + " without any fire time: " + names
                            + (left.size() > NAMED ? ", …" : "") + "; if that is meant, send it with ?force=true")));
        }
    }

    /** Hands over each job that names a calendar, with its definition by another version of this one. */
    private void compare(String name, CalendarDefinition to, BiConsumer<StoredJob, StoredDefinition> each) {
        PinnedCalendar other = new PinnedCalendar("planned", to.calendar(name));
        List<JobKey> names = store.jobs(name);
        for (int from = 0; from < names.size(); from += TOGETHER) {
            List<StoredJob> jobs = new ArrayList<>();
            many.read(names.subList(from, Math.min(names.size(), from + TOGETHER)), jobs::add);
            jobs.sort(Comparator.comparing((StoredJob job) -> job.key().namespace())
                    .thenComparing(job -> job.key().name()));
            jobs.stream().filter(job -> job.stored().isUnderstood()).forEach(job -> {
                Map<String, PinnedCalendar> by = new HashMap<>();
                Objects.requireNonNull(job.definition().calendar())
                        .pinned()
                        .forEach(pinned -> by.put(pinned.calendar().name(), pinned));
                by.put(name, other);
                each.accept(job, job.stored().by(by));
            });
        }
    }

    /**
     * Returns what a change would do, without doing it.
     *
     * @throws InvalidDefinition it has no open day
     */
    public CalendarPlan plan(String name, CalendarDefinition to) {
        checkOpen(name, to);
        return making(name, to).made();
    }

    /**
     * Returns the same for a change that is made together with some jobs, which are checked by themselves.
     *
     * @param apart these jobs
     * @param force also if other jobs are left without any fire time
     * @throws InvalidDefinition it leaves other jobs without any fire time
     */
    public CalendarPlan plan(String name, CalendarDefinition to, Collection<JobKey> apart, boolean force) {
        PlanMaker making = making(name, to);
        if (!force) {
            refuseLeftOff(making.leftOff().stream()
                    .filter(job -> !apart.contains(job))
                    .toList());
        }
        return making.made();
    }

    private PlanMaker making(String name, CalendarDefinition to) {
        Optional<CalendarView> seen = store.find(name);
        PlanMaker making = new PlanMaker(name, seen.map(CalendarView::definition), to, store.now());
        if (seen.isPresent()) {
            compare(name, to, making::add);
        }
        return making;
    }

    /**
     * Returns what becomes of a calendar that is to be like this.
     *
     * @throws InvalidDefinition it has no open day
     */
    public WantedCalendar wanted(String name, CalendarDefinition to) {
        checkOpen(name, to);
        return store.wanted(name, to);
    }

    /** Completes what changes of these calendars have begun: the jobs that name them follow. */
    public void complete(Collection<String> names) {
        if (!names.isEmpty()) {
            store.moving().stream().filter(names::contains).forEach(following::follow);
        }
    }

    /** @throws Refused there is no such calendar, or jobs name it */
    public void delete(String name) {
        get(name);
        List<JobKey> jobs = store.delete(name, this::check, asker.audit());
        if (!jobs.isEmpty()) {
            throw new Refused(
                    Reason.CONFLICT,
                    "calendar " + name + " is named by "
                            + jobs.stream().limit(3).map(JobKey::toString).collect(Collectors.joining(", "))
                            + (jobs.size() > 3 ? " and others" : "")
                            + "; give these jobs another calendar, or none, first");
        }
    }

    private static Refused noSuchCalendar(String name) {
        return new Refused(Reason.NOT_FOUND, "there is no calendar " + name);
    }
}
