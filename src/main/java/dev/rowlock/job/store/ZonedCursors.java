package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.calendar.CalendarSource;
import dev.rowlock.task.store.SmallDefinition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cursors of jobs that depend on time zones, and the rules that they were made with. */
public final class ZonedCursors {

    private static final String NAME = "time-zone-data";
    /** Setting with a name of its own, as nodes of earlier versions read the other. */
    private static final String OLDER = "time-zone-data-older";

    private static final String STATE = """
            select (select value from setting where name = :name) as recorded,
                   (select value from setting where name = :older) as noted,
                   exists (select 1 from session s
                            where coalesce(json_unquote(json_extract(s.settings, '$."%s"')), '') < :own) as older_there
            """.formatted(ClusterSession.ZONE_RULES);
    private static final String NOTE_OLDER = """
            insert into setting (name, value) values (:older, utc_timestamp(6))
            on duplicate key update value = utc_timestamp(6)
            """;
    private static final String FORGET_OLDER = "delete from setting where name = :older and value = :noted";
    private static final String RECORD = """
            insert into setting (name, value) values (:name, :version)
            on duplicate key update value = greatest(value, :version)
            """;
    private static final String PAGE = """
            select j.namespace, j.name, j.definition, j.created_at, c.fire_time, utc_timestamp(3) as now,
                   (select max(p.fire_time) from task p where p.job_id = j.id and p.origin = ''
                          and p.fire_time < c.fire_time) as made
              from (select id, namespace, name, %s as definition, created_at from job
                     where id > :after and id <= :until
                       and (zone <> 'UTC' or calendars is not null
                            or json_type(json_extract(definition, '$.schedule')) = 'ARRAY')) j
              join job_next c on c.job_id = j.id
             order by j.id
            """.formatted(SmallDefinition.of("definition"));

    private final Database database;
    private final DatabaseClock clock;

    /** @param clock what this node believes of the database's time */
    public ZonedCursors(Database database, DatabaseClock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Cursor of a job with a time zone.
     *
     * @param json its definition as it is stored; its command and the like are not its own
     * @param made the last live occurrence before the cursor
     * @param calendars where those that it names are found
     */
    public record ZonedCursor(
            JobKey key,
            String json,
            Instant createdAt,
            Instant fireTime,
            @Nullable Instant made,
            Instant now,
            CalendarSource calendars) {}

    /**
     * State of the rules that cursors were made by.
     *
     * @param recorded the newest; null: nobody said so yet
     * @param noted when somebody noted that nodes with older ones made some since; null: nobody did
     * @param olderThere whether such a node is alive; one that does not say is taken for one
     */
    public record ZoneRulesState(
            @Nullable String recorded, @Nullable String noted, boolean olderThere) {}

    /** Reads the state, as a node with these rules sees it. */
    public ZoneRulesState state(String own) {
        return database.autoCommit(
                "reading the version of the time zone rules",
                handle -> query(handle, STATE, "name", NAME, "older", OLDER, "own", own)
                        .map((row, context) -> new ZoneRulesState(
                                row.getString("recorded"), row.getString("noted"), row.getBoolean("older_there")))
                        .one());
    }

    /** Notes that nodes with older rules than those recorded make cursors. */
    public void noteOlder() {
        database.transact(
                "noting that nodes have older time zone rules", handle -> update(handle, NOTE_OLDER, "older", OLDER));
    }

    /** Forgets that note, unless it was made again since. */
    public void forgetOlder(String noted) {
        database.transact(
                "noting that no node has older time zone rules",
                handle -> update(handle, FORGET_OLDER, "older", OLDER, "noted", noted));
    }

    /** Records this version, unless a later one is recorded. */
    public void record(String version) {
        database.transact(
                "recording the version of the time zone rules",
                handle -> update(handle, RECORD, "name", NAME, "version", version));
    }

    /** Returns the highest id of a job; 0 if there is none. */
    public long lastJob() {
        return database.autoCommit(
                "reading the last job's id",
                handle -> handle.createQuery("select coalesce(max(id), 0) from job")
                        .mapTo(Long.class)
                        .one());
    }

    /**
     * Returns the cursors of jobs with ids after {@code after} and up to {@code until}; the server reads the zone of
     * each. Of those with a list of schedules, all may have one.
     *
     * @throws ClockInDoubt nobody knows which of them are overdue
     */
    public List<ZonedCursor> between(long after, long until) {
        List<ZonedCursor> cursors = read(after, until);
        if (!cursors.isEmpty()) {
            ClockInDoubt.check(clock, cursors.get(0).now());
        }
        return cursors;
    }

    private List<ZonedCursor> read(long after, long until) {
        return database.autoCommit(
                "reading the cursors of jobs with a time zone",
                handle -> query(handle, PAGE, "after", after, "until", until)
                        .map((row, context) -> new ZonedCursor(
                                new JobKey(row.getString("namespace"), row.getString("name")),
                                row.getString("definition"),
                                SqlTime.read(row, "created_at"),
                                SqlTime.read(row, "fire_time"),
                                SqlTime.readOrNull(row, "made"),
                                SqlTime.read(row, "now"),
                                CalendarRows.of(context)))
                        .list());
    }
}
