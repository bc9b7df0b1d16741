package dev.rowlock.store.job;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.JobKey;
import dev.rowlock.store.task.SmallDefinition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which time zone rules the cursors were made with, and the cursors of the jobs that depend on them. */
public final class ZonedCursors {

    private static final String NAME = "time-zone-data";
    private static final String RECORDED = "select value from setting where name = :name";
    private static final String RECORD = """
            insert into setting (name, value) values (:name, :version)
            on duplicate key update value = greatest(value, :version)
            """;
    private static final String PAGE = """
            select j.namespace, j.name, j.definition, j.created_at, c.fire_time, utc_timestamp(3) as now,
                   (select max(p.fire_time) from task p where p.job_id = j.id and p.origin = ''
                          and p.fire_time < c.fire_time) as made
              from (select id, namespace, name, %s as definition, created_at from job
                     where id > :after and id <= :until and zone <> 'UTC') j
              join task c on c.cursor_of = j.id
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
     * The cursor of a job with a time zone.
     *
     * @param json its definition as it is stored; its command and the like are not its own
     * @param made the last live occurrence before the cursor
     */
    public record Cursor(
            JobKey key,
            String json,
            Instant createdAt,
            Instant fireTime,
            @Nullable Instant made,
            Instant now) {}

    /** The version of the rules that the cursors were made with; empty if nobody said so yet. */
    public Optional<String> recordedVersion() {
        return database.autoCommit(
                "reading the version of the time zone rules",
                handle -> query(handle, RECORDED, "name", NAME)
                        .mapTo(String.class)
                        .findOne());
    }

    /** Keeps the later one of this version and the one recorded. */
    public void record(String version) {
        database.transact(
                "recording the version of the time zone rules",
                handle -> update(handle, RECORD, "name", NAME, "version", version));
    }

    /** No job has a higher id; 0: there is none. */
    public long lastJob() {
        return database.autoCommit(
                "reading the last job's id",
                handle -> handle.createQuery("select coalesce(max(id), 0) from job")
                        .mapTo(Long.class)
                        .one());
    }

    /**
     * Those of the jobs with ids after {@code after} and up to {@code until}; the server reads the zone of each.
     *
     * @throws ClockInDoubt nobody knows which of them are overdue
     */
    public List<Cursor> between(long after, long until) {
        List<Cursor> cursors = read(after, until);
        if (!cursors.isEmpty()) {
            ClockInDoubt.check(clock, cursors.get(0).now());
        }
        return cursors;
    }

    private List<Cursor> read(long after, long until) {
        return database.autoCommit(
                "reading the cursors of jobs with a time zone",
                handle -> query(handle, PAGE, "after", after, "until", until)
                        .map((row, context) -> new Cursor(
                                new JobKey(row.getString("namespace"), row.getString("name")),
                                row.getString("definition"),
                                SqlTime.read(row, "created_at"),
                                SqlTime.read(row, "fire_time"),
                                SqlTime.readOrNull(row, "made"),
                                SqlTime.read(row, "now")))
                        .list());
    }
}
