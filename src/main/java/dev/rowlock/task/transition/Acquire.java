package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.history.OriginSql;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.store.Cursors;
import dev.rowlock.task.store.FeatureLevel;
import dev.rowlock.task.store.OwnerSession;
import dev.rowlock.task.store.PauseSql;
import dev.rowlock.task.store.SessionGone;
import dev.rowlock.task.store.TaskColumns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Transition idle → prepared. */
public final class Acquire {

    /*
     * The index is forced: while a server renews its statistics of a table, it may know nothing of them for a moment,
     * and would read and sort all tasks.
     */
    static final String TASKS =
            TaskColumns.ofTask("j.version") + " from task t force index (due) straight_join job j on j.id = t.job_id";

    static final String CURSORS = TaskColumns.OF_CURSOR + " from job_next t force index (due)";
    static final String IDLE = "t.idle = 1";
    private static final String SCAN = """
            (select %4$s
              where %5$s and t.due_at <= utc_timestamp(6) + interval :anyone microsecond
                and (t.hold is null or t.due_at <= utc_timestamp(6)) and %3$s%1$s
              order by %2$s limit :batch)
            """;
    private static final String SCAN_OWN = """
            (select %4$s
              where %5$s and t.due_at > utc_timestamp(6) + interval :anyone microsecond
                and t.due_at <= utc_timestamp(6) + interval :own microsecond and t.stripe in (<stripes>)
                and t.hold is null and %3$s%1$s
              order by %2$s limit :batch)
            """;
    /** Stamps the terms of jobs that have any; edits see to it that tasks of the others carry none. */
    private static final String STAMP = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', priority int path '$[1]',
                     group_name varchar(64) character set utf8mb4 path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.priority = v.priority, t.group_name = v.group_name
            """;
    /** One row, for what {@link Start#overdue} finds now or soon. */
    private static final String OTHERS_DUE = """
            union all
            (select %s
               from task t force index (due)
              where t.idle = 0 and t.state = 'PREPARED' and t.due_at >= :floor and t.due_at <= utc_timestamp(6)
                and t.session_id <> :session and %s%s
              order by t.due_at limit 1)
            """;

    private static final String STILL_THERE = """
            select t.id
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', version int path '$[1]', fire_time varchar(23) path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
             where t.state = 'IDLE' and t.due_at is not null and j.version = v.version and t.fire_time = v.fire_time
               and not %s
            """.formatted(PauseSql.HOLDS);
    /** Cursors behind which already due fire times are skipped. */
    private static final String IN_THE_WAY = """
            select v.id,
                   coalesce((select e.id
                               from session s straight_join task e force index (held)
                                    on e.session_id = s.id and e.job_id = v.job
                              where e.state = 'EXECUTING' and not %s limit 1), v.id) as in_the_way
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', job bigint path '$[1]', due varchar(23) path '$[2]')) v
             where cast(v.due as datetime(3)) <= utc_timestamp(3)
            """.formatted(OriginSql.isBackfill("e"));

    private static final String PREPARE = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]',
                     version int path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.state = 'PREPARED', t.launch_id = v.launch, t.session_id = :session,
                   t.prepared_at = utc_timestamp(3), t.job_version = v.version,
                   t.hold = null, t.hold_reason = null
             where t.state = 'IDLE'
            """;

    private final Database database;
    private final BacklogSearch backlog;

    public Acquire(Database database) {
        this.database = database;
        this.backlog = new BacklogSearch(database);
    }

    /**
     * Returns the search for tasks that should not wait behind a long backlog, of which {@link #scan} sees the
     * beginning.
     */
    public BacklogSearch backlog() {
        return backlog;
    }

    /**
     * Bounds of one scan.
     *
     * @param floor lower bound of due times of tasks that others hold, so that rows not purged yet cost nothing
     * @param from where the scan for idle tasks begins, for the same reason
     * @param anyone how far ahead tasks of any stripe are found
     * @param own how far ahead those of {@code stripes} are
     */
    public record ScanBounds(
            Instant floor,
            DuePosition from,
            Duration anyone,
            Duration own,
            Collection<Integer> stripes,
            int batch,
            ScanFilter filter) {}

    /**
     * Result of one scan.
     *
     * @param candidates tasks that could be acquired, soonest first
     * @param end position up to which everything was found; null: this is all there is
     * @param othersDue since when another session has held a prepared task that is due; null: none does
     */
    public record AcquirableTasks(
            List<Task> candidates,
            @Nullable DuePosition end,
            @Nullable Instant othersDue) {}

    /**
     * Finds idle tasks whose time is coming, and whether there is something to take over, in one statement.
     *
     * @param self the session that scans; null: nothing is to be taken over
     */
    public AcquirableTasks scan(ScanBounds scan, @Nullable String self) {
        return database.autoCommit("looking for due tasks", handle -> {
            String sql = scan(scan, TASKS, IDLE, "j.version") + " union all "
                    + Cursors.condition(scan(scan, CURSORS, "true", "t.job_version"))
                    + (self == null
                            ? ""
                            : OTHERS_DUE.formatted(
                                    TaskColumns.OF_TASK,
                                    FeatureLevel.MET,
                                    scan.filter().runsHere()));
            var query = query(handle, sql, "anyone", micros(scan.anyone()), "batch", scan.batch());
            if (!scan.stripes().isEmpty()) {
                query.bind("own", micros(scan.own())).bindList("stripes", List.copyOf(scan.stripes()));
            }
            if (self != null) {
                query.bind("session", self).bind("floor", SqlTime.text(scan.floor()));
            }
            List<Task> found =
                    query.map((row, context) -> TaskColumns.read(row)).list();
            List<Task> candidates = found.stream()
                    .filter(task -> task.state() == TaskState.IDLE)
                    .sorted(DuePosition.ORDER)
                    .toList();
            return new AcquirableTasks(
                    candidates,
                    candidates.size() < scan.batch() ? null : DuePosition.of(candidates.get(scan.batch() - 1)),
                    found.stream()
                            .filter(task -> task.state() == TaskState.PREPARED)
                            .map(Task::dueAt)
                            .findFirst()
                            .orElse(null));
        });
    }

    private static String scan(ScanBounds scan, String rows, String which, String version) {
        String conditions = scan.from().behind() + scan.filter().idle(version);
        return (scan.stripes().isEmpty() ? SCAN : SCAN + " union all " + SCAN_OWN)
                .formatted(conditions, DuePosition.ORDER_BY, FeatureLevel.MET, rows, which);
    }

    /**
     * Prepared tasks.
     *
     * @param skipped how many fire times were skipped behind what is late
     */
    public record Prepared(List<Task> tasks, long skipped) {}

    /**
     * Prepares those of these tasks that are still idle and unchanged, in one transaction.
     *
     * @param now when they are prepared, by the database's clock
     * @return what was prepared; the others were taken, edited or paused by somebody else, or skip what is not due yet
     * @throws SessionGone our session was expired
     */
    public Prepared acquire(String session, List<Acquisition> wanted, Instant now) {
        return database.transact("acquiring " + wanted.size() + " tasks", handle -> {
            Locks.stripes(handle, wanted.stream().map(a -> a.task().stripe()).collect(Collectors.toSet()));
            OwnerSession.mustBeThere(handle, session);
            Map<Long, Long> inTheWay = inTheWay(handle, wanted);
            List<Acquisition> taken = new ArrayList<>(prepared(handle, session, wanted));
            List<Acquisition> moved = moved(handle, wanted, inTheWay);
            taken.addAll(moved);
            return new Prepared(
                    AcquiredRows.insert(handle, session, taken, now, inTheWay),
                    moved.stream().mapToLong(Acquisition::skipped).sum());
        });
    }

    /** Prepares those of the idle tasks that still exist, and returns them. */
    private static List<Acquisition> prepared(Handle handle, String session, List<Acquisition> wanted) {
        List<Acquisition> tasks =
                wanted.stream().filter(a -> !a.task().cursor()).toList();
        if (tasks.isEmpty()) {
            return tasks;
        }
        Set<Long> there = stillThere(handle, tasks);
        List<Acquisition> taken =
                tasks.stream().filter(a -> there.contains(a.task().id())).toList();
        prepare(handle, session, taken);
        stamp(handle, taken.stream().filter(a -> isStamped(a.terms())).toList());
        return taken;
    }

    /** Returns those whose cursors have been moved from where they were seen. */
    private static List<Acquisition> moved(Handle handle, List<Acquisition> wanted, Map<Long, Long> inTheWay) {
        List<Acquisition> cursors = wanted.stream()
                .filter(a -> a.task().cursor())
                .filter(a ->
                        a.passedDueAt() == null || inTheWay.containsKey(a.task().id()))
                .toList();
        Set<Long> moved =
                Cursors.moveOn(handle, cursors.stream().map(Acquisition::move).toList());
        return cursors.stream().filter(a -> moved.contains(a.task().jobId())).toList();
    }

    private static boolean isStamped(Terms terms) {
        return terms.priority() != 0 || terms.group() != null;
    }

    private static void stamp(Handle handle, List<Acquisition> taken) {
        if (!taken.isEmpty()) {
            update(
                    handle,
                    STAMP,
                    "rows",
                    JsonRows.of(
                            taken,
                            a -> row(
                                    a.task().id(),
                                    a.task().priorityIn(a.terms().priority()),
                                    a.terms().group())));
        }
    }

    private static Set<Long> stillThere(Handle handle, List<Acquisition> tasks) {
        return query(
                        handle,
                        STILL_THERE,
                        "rows",
                        JsonRows.of(
                                tasks,
                                a -> row(
                                        a.task().id(),
                                        a.task().version(),
                                        SqlTime.text(a.task().fireTime()))))
                .mapTo(Long.class)
                .set();
    }

    /**
     * Maps each task behind which due fire times are skipped to what is in their way: another task of its job, or
     * itself.
     */
    private static Map<Long, Long> inTheWay(Handle handle, List<Acquisition> wanted) {
        List<Acquisition> passing =
                wanted.stream().filter(a -> a.passedDueAt() != null).toList();
        return passing.isEmpty()
                ? Map.of()
                : query(
                                handle,
                                IN_THE_WAY,
                                "rows",
                                JsonRows.of(
                                        passing,
                                        a -> row(a.task().id(), a.task().jobId(), SqlTime.textOrNull(a.passedDueAt()))))
                        .map((row, context) -> Map.entry(row.getLong("id"), row.getLong("in_the_way")))
                        .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private static void prepare(Handle handle, String session, List<Acquisition> taken) {
        if (taken.isEmpty()) {
            return;
        }
        int prepared = handle.createUpdate(PREPARE)
                .bind("session", session)
                .bind(
                        "rows",
                        JsonRows.of(
                                taken,
                                a -> row(
                                        a.task().id(),
                                        a.launch().text(),
                                        a.task().version())))
                .execute();
        if (prepared != taken.size()) {
            throw new IllegalStateException("prepared " + prepared + " of " + taken.size() + " locked tasks");
        }
    }

    static long micros(Duration d) {
        return d.toNanos() / 1000;
    }
}
