package dev.rowlock.calendar;

import static dev.rowlock.audit.AuditAction.CREATE;
import static dev.rowlock.audit.AuditAction.DELETE;
import static dev.rowlock.audit.AuditAction.REPLACE;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.TokenText;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.Decision;
import dev.rowlock.db.SqlErrors;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.FieldChange;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.definition.calendar.CalendarDefinition;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.schedule.calendar.Calendar;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jspecify.annotations.Nullable;

/** Calendars, in versions that never change. Thread-safe. */
public final class CalendarStore {

    /** Most calendars there may be. */
    public static final int MOST = 1_000;

    /** Characters of the digest in a mark. */
    private static final int MARK_CHARS = 12;

    private static final String READ = """
            select c.name, c.version, c.created_at, c.updated_at, v.definition
              from calendar c
              join calendar_version v on v.name = c.name and v.version = c.version
            """;
    private static final String PAGE = " where :after is null or c.name > :after order by c.name limit :most";
    private static final String CURRENT = """
            select c.version, c.mark, v.definition from calendar c
              join calendar_version v on v.name = c.name and v.version = c.version
             where c.name = :name
            """;
    private static final String LAST = "select coalesce(max(version), 0) from calendar_version where name = :name";
    private static final String COUNT = "select count(*) from calendar";
    private static final String PUT = """
            insert into calendar (name, version, mark, moving, known_until, created_at, updated_at)
            values (:name, :version, :mark, :moving, :until, :now, :now)
            on duplicate key update version = values(version), mark = values(mark), moving = moving or values(moving),
                   known_until = values(known_until), updated_at = values(updated_at)
            """;
    private static final String CLOSE =
            "update calendar_version set valid_until = :now where name = :name and valid_until is null";
    private static final String OPEN = """
            insert into calendar_version (name, version, mark, definition, valid_from, changed_by)
            values (:name, :version, :mark, :definition, :now, :author)
            """;
    private static final String DELETE_ROW = "delete from calendar where name = :name";
    private static final String MARK = "select mark from calendar where name = :name";
    private static final String SHARED = MARK + " lock in share mode";
    private static final String MOVING = "select name from calendar where moving order by name";
    /** Statement that leaves a later change alone: its own jobs may not have followed. */
    private static final String MOVED =
            "update calendar set moving = false where name = :name and mark = :mark and moving";

    private static final int DUPLICATE_KEY = 1062;

    private final Database database;

    public CalendarStore(Database database) {
        this.database = database;
    }

    /**
     * Calendar in the version that is in force.
     *
     * @param mark by which jobs name it
     */
    public record CurrentCalendar(int version, String mark, CalendarDefinition definition) {}

    /**
     * Calendar as somebody wants it.
     *
     * @param seen as it was found; empty: there was none
     * @param mark by which jobs will name it
     */
    public record WantedCalendar(String name, CalendarDefinition to, Optional<CurrentCalendar> seen, String mark) {

        /** Returns whether it is as wanted. */
        public boolean isThere() {
            return seen.isPresent() && seen.get().definition().equals(to);
        }

        /** Returns the version that jobs will go by. */
        public PinnedCalendar pinned() {
            return new PinnedCalendar(mark, to.calendar(name));
        }
    }

    /** Lists the calendars after this name, in order. */
    public List<CalendarView> list(@Nullable String after, int most) {
        return database.autoCommit("listing calendars", handle -> {
            Map<String, Long> jobs = CalendarJobs.counts(handle);
            return query(handle, READ + PAGE, "after", after, "most", most)
                    .map((row, context) -> read(row, jobs))
                    .list();
        });
    }

    public Optional<CalendarView> find(String name) {
        return database.autoCommit("reading calendar " + name, handle -> {
            Map<String, Long> jobs = CalendarJobs.counts(handle);
            return query(handle, READ + " where c.name = :name", "name", name)
                    .map((row, context) -> read(row, jobs))
                    .findOne();
        });
    }

    private static CalendarView read(ResultSet row, Map<String, Long> jobs) throws SQLException {
        String name = row.getString("name");
        return new CalendarView(
                name,
                CalendarRows.read(row.getString("definition")),
                row.getInt("version"),
                jobs.getOrDefault(name, 0L),
                SqlTime.read(row, "created_at"),
                SqlTime.read(row, "updated_at"));
    }

    /** Returns the jobs that name a calendar, in the order of their names. */
    public List<JobKey> jobs(String name) {
        return database.autoCommit(
                "reading the jobs of calendar " + name, handle -> CalendarJobs.of(handle, name, Integer.MAX_VALUE));
    }

    /** Returns jobs that go by another version of a calendar than the marked one, one stripe after the other. */
    public List<Long> behind(String name, String mark) {
        return database.autoCommit(
                "looking for jobs by earlier versions of calendar " + name,
                handle -> CalendarJobs.behind(handle, name, mark));
    }

    /** Returns the database's time. */
    public Instant now() {
        return database.autoCommit("reading the database's time", SqlTime::now);
    }

    /**
     * Creates or replaces a calendar; a definition that is as before makes no version.
     *
     * @param guard told what is there, under its lock; if it throws, nothing is changed
     * @return the version in force
     */
    public int put(String name, CalendarDefinition to, Consumer<Optional<CurrentCalendar>> guard, Audit audit) {
        try {
            return tryToPut(name, to, guard, audit);
        } catch (CalendarMoved e) { // created by somebody else at the same moment
            return tryToPut(name, to, guard, audit);
        }
    }

    private int tryToPut(String name, CalendarDefinition to, Consumer<Optional<CurrentCalendar>> guard, Audit audit) {
        return database.transact("saving calendar " + name, handle -> {
            Optional<CurrentCalendar> seen = locked(handle, name);
            guard.accept(seen);
            return put(handle, wanted(handle, name, to, seen), audit);
        });
    }

    /** Returns what becomes of a calendar that is to be like this. */
    public WantedCalendar wanted(String name, CalendarDefinition to) {
        return database.autoCommit(
                "reading calendar " + name, handle -> wanted(handle, name, to, current(handle, name, "")));
    }

    /** Foretells the mark. One whose days stay as they are keeps it: no job has to follow. */
    private static WantedCalendar wanted(
            Handle handle, String name, CalendarDefinition to, Optional<CurrentCalendar> seen) {
        String mark = seen.filter(was -> was.definition().calendar(name).equals(to.calendar(name)))
                .map(CurrentCalendar::mark)
                .orElseGet(() -> nextVersion(handle, name) + "-"
                        + TokenText.hash(to.json().toString()).substring(0, MARK_CHARS));
        return new WantedCalendar(name, to, seen, mark);
    }

    private static int nextVersion(Handle handle, String name) {
        return query(handle, LAST, "name", name).mapTo(Integer.class).one() + 1;
    }

    /**
     * Puts calendars in force within a transaction, in the order of their names.
     *
     * @throws CalendarMoved one of them is not as it was seen
     */
    public static void put(Handle handle, List<WantedCalendar> calendars, Audit audit) {
        calendars.stream().sorted(Comparator.comparing(WantedCalendar::name)).forEach(each -> {
            Optional<CurrentCalendar> is = locked(handle, each.name());
            if (!wanted(handle, each.name(), each.to(), is).equals(each)) {
                throw new CalendarMoved(each.name());
            }
            put(handle, each, audit);
        });
    }

    private static int put(Handle handle, WantedCalendar wanted, Audit audit) {
        if (wanted.isThere()) {
            return wanted.seen().orElseThrow().version();
        }
        boolean isNew = wanted.seen().isEmpty();
        if (isNew && query(handle, COUNT).mapTo(Integer.class).one() >= MOST) {
            throw new InvalidDefinition(List.of(
                    new FieldProblem("", "there are " + MOST + " calendars already; delete one that no job names")));
        }
        try {
            return write(handle, wanted, audit);
        } catch (UnableToExecuteStatementException e) {
            SQLException sql = SqlErrors.find(e);
            if (isNew && sql != null && sql.getErrorCode() == DUPLICATE_KEY) {
                throw new CalendarMoved(wanted.name());
            }
            throw e;
        }
    }

    private static int write(Handle handle, WantedCalendar wanted, Audit audit) {
        String name = wanted.name();
        String mark = wanted.mark();
        ObjectNode to = wanted.to().json();
        String now = SqlTime.text(SqlTime.now(handle));
        int version = nextVersion(handle, name);
        update(handle, CLOSE, "name", name, "now", now);
        handle.createUpdate(OPEN)
                .bind("name", name)
                .bind("version", version)
                .bind("mark", mark)
                .bind("definition", to.toString())
                .bind("now", now)
                .bind("author", audit.who())
                .execute();
        boolean moving = wanted.seen().filter(was -> !was.mark().equals(mark)).isPresent();
        LocalDate until = wanted.to().knownUntil();
        handle.createUpdate(PUT)
                .bind("name", name)
                .bind("version", version)
                .bind("mark", mark)
                .bind("moving", moving)
                .bind("until", until == null ? null : until.toString())
                .bind("now", now)
                .execute();
        Subject what = Subject.of("calendar", name);
        wanted.seen()
                .ifPresentOrElse(
                        was -> audit.doing(REPLACE)
                                .write(
                                        handle,
                                        what,
                                        () -> FieldChange.between(
                                                was.definition().json(), to)),
                        () -> audit.doing(CREATE).write(handle, what, to));
        return version;
    }

    private static Optional<CurrentCalendar> locked(Handle handle, String name) {
        Decision.NAMES.exclude(handle);
        return current(handle, name, " for update");
    }

    private static Optional<CurrentCalendar> current(Handle handle, String name, String locking) {
        return query(handle, CURRENT + locking, "name", name)
                .map((row, context) -> new CurrentCalendar(
                        row.getInt("version"), row.getString("mark"), CalendarRows.read(row.getString("definition"))))
                .findOne();
    }

    /** Deletes a calendar unless jobs name it; returns the first of these. Its versions stay. */
    public List<JobKey> delete(String name, Consumer<Optional<CurrentCalendar>> guard, Audit audit) {
        return database.transact("deleting calendar " + name, handle -> {
            Optional<CurrentCalendar> seen = locked(handle, name);
            guard.accept(seen);
            List<JobKey> jobs = CalendarJobs.of(handle, name, 4);
            if (jobs.isEmpty() && seen.isPresent()) {
                update(handle, CLOSE, "name", name, "now", SqlTime.text(SqlTime.now(handle)));
                update(handle, DELETE_ROW, "name", name);
                audit.doing(DELETE)
                        .write(
                                handle,
                                Subject.of("calendar", name),
                                seen.get().definition().json(),
                                null);
            }
            return jobs;
        });
    }

    /** Returns the calendars some of whose jobs may go by an earlier version. */
    public List<String> moving() {
        return database.autoCommit(
                "looking for calendars that were changed",
                handle -> query(handle, MOVING).mapTo(String.class).list());
    }

    /** Records that all jobs go by this version. */
    public void moved(String name, String mark) {
        database.transact(
                "recording that jobs follow calendar " + name,
                handle -> update(handle, MOVED, "name", name, "mark", mark));
    }

    /** Returns the mark of the version of a calendar that is in force. */
    public Optional<String> mark(String name) {
        return database.autoCommit(
                "reading the version of calendar " + name,
                handle -> query(handle, MARK, "name", name).mapTo(String.class).findOne());
    }

    /** Returns these calendars in the versions that are in force; those that do not exist are missing. */
    public Map<String, PinnedCalendar> current(Collection<String> names) {
        return names.isEmpty() ? Map.of() : database.autoCommit("reading calendars", handle -> current(handle, names));
    }

    /** Returns these calendars in the versions that are in force, within a transaction. */
    public static Map<String, PinnedCalendar> current(Handle handle, Collection<String> names) {
        Map<String, PinnedCalendar> current = new LinkedHashMap<>();
        for (String name : new TreeSet<>(names)) {
            query(handle, MARK, "name", name)
                    .mapTo(String.class)
                    .findOne()
                    .flatMap(mark -> CalendarRows.of(handle).find(name, mark))
                    .ifPresent(found -> current.put(name, found));
        }
        return current;
    }

    /**
     * Returns a definition by the calendars in force.
     *
     * @param before the job as it is; null: there is none
     * @throws InvalidDefinition one of them does not exist, or they leave no fire time to a job that had some
     */
    public StoredDefinition inForce(StoredDefinition to, @Nullable StoredJob before) {
        JobCalendars named = to.definition().calendar();
        if (named == null) {
            return to;
        }
        StoredDefinition by = inForce(to, current(named.names()));
        mustFire(by, before, now(), "");
        return by;
    }

    /**
     * Returns calendars in the versions in force.
     *
     * @throws InvalidDefinition one of them does not exist
     */
    public JobCalendars inForce(JobCalendars named) {
        Map<String, PinnedCalendar> current = current(named.names());
        requireAll(named, current);
        return named.by(current);
    }

    private static void requireAll(JobCalendars named, Map<String, PinnedCalendar> current) {
        InvalidDefinition.throwIfAny(named.names().stream()
                .filter(name -> !current.containsKey(name))
                .map(CalendarStore::missing)
                .toList());
    }

    /**
     * Returns a definition by calendars that were looked up.
     *
     * @param current those that exist
     * @throws InvalidDefinition one that it names does not
     */
    public static StoredDefinition inForce(StoredDefinition to, Map<String, PinnedCalendar> current) {
        requireAll(Objects.requireNonNull(to.definition().calendar()), current);
        return to.by(current);
    }

    /**
     * Refuses a definition whose calendars take all of its fire times, unless they did so before.
     *
     * @param before the job as it is; null: there is none
     * @param unless what would be accepted all the same; empty: nothing
     */
    public static void mustFire(StoredDefinition by, @Nullable StoredJob before, Instant now, String unless) {
        Instant createdAt = before == null ? now : before.createdAt();
        boolean isNew = before == null || !JobSchedule.isClosedForGood(before.definition(), createdAt, now);
        if (isNew && JobSchedule.isClosedForGood(by.definition(), createdAt, now)) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "calendar",
                    "leaves no fire time within " + Calendar.MAX_YEARS + " years: what the schedule asks for is closed"
                            + " in " + by.definition().calendar() + "; let it move (onClosed NEXT), or change the"
                            + " schedule" + unless)));
        }
    }

    /**
     * Requires that a job goes by the versions in force, within the transaction that saves it, so that they stay in
     * force as long as that takes. A job that keeps the versions that it had is found by whoever changed the calendar.
     *
     * @param before null: there is no such job
     * @param checked the names that this transaction has asked for; these stay as they were
     * @throws CalendarMoved one of the calendars was changed, or deleted
     */
    public static void mustBeCurrent(
            Handle handle, @Nullable JobDefinition before, JobDefinition to, Set<PinnedCalendar> checked) {
        JobCalendars calendars = to.calendar();
        if (calendars == null || (before != null && calendars.equals(before.calendar()))) {
            return;
        }
        if (calendars.pinned().isEmpty()) {
            throw new IllegalStateException("nobody looked up the calendars of job " + to.key());
        }
        for (PinnedCalendar each : calendars.pinned()) {
            if (checked.add(each)) {
                mustBeCurrent(handle, each);
            }
        }
    }

    private static void mustBeCurrent(Handle handle, PinnedCalendar calendar) {
        String name = calendar.calendar().name();
        Decision.NAMES.exclude(handle);
        Optional<String> mark =
                query(handle, SHARED, "name", name).mapTo(String.class).findOne();
        if (!mark.equals(Optional.of(calendar.version()))) {
            throw new CalendarMoved(name);
        }
    }

    /** Returns the problem of a job whose calendar is missing. */
    public static FieldProblem missing(String name) {
        return new FieldProblem(
                "calendar",
                "there is no calendar '" + name + "'; create it with PUT /api/v1/calendars/" + name
                        + ", or name another");
    }
}
