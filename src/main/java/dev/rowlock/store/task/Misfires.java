package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.store.history.Spans;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** What becomes of occurrences that were not run in time: decided for a job over all of them together. */
public final class Misfires {

    private static final String OVERDUE = """
            select t.id, t.job_id, t.shard, t.fire_time, t.next_fire_time, t.cursor_of, j.version
              from task t
              join job j on j.id = t.job_id
             where t.job_id in (<jobs>) and t.state = 'IDLE' and t.cause = 'SCHEDULE' and t.origin = '' and t.due_at is not null
               and t.fire_time <= utc_timestamp(6)
             order by t.job_id, t.fire_time
            """;
    private static final String UNCHANGED = """
            select t.id
              from json_table(:rows, '$[*]' columns (id bigint path '$[0]', version int path '$[1]', is_cursor int path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
             where t.state = 'IDLE' and t.due_at is not null and j.version = v.version and not %s
               and (t.cursor_of is not null) = v.is_cursor
            """.formatted(Pause.HOLDS);
    private static final String RECORD = """
            insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin, attempt, cause,
                   outcome, reason, due_at, ended_at, occurrences, last_fire_time)
            select t.id, t.job_id, j.namespace, j.name, t.job_version, t.fire_time, v.next_fire_time, t.origin, t.attempt, t.cause,
                   'MISSED', v.reason, t.due_at, utc_timestamp(3), v.occurrences, v.last_fire_time
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', occurrences bigint path '$[1]', last_fire_time varchar(23) path '$[2]',
                     next_fire_time varchar(23) path '$[3]', reason varchar(500) character set utf8mb4 path '$[4]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job_version j on j.job_id = t.job_id and j.version = t.job_version
            """;
    private static final String DELETE = """
            delete t from json_table(:rows, '$[*]' columns (id bigint path '$[0]')) v straight_join task t force index (primary) on t.id = v.id
            """;
    private static final String CATCH_UP = """
            update json_table(:rows, '$[*]' columns (id bigint path '$[0]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.cause = 'CATCH_UP', t.due_at = utc_timestamp(3)
            """;
    private static final String INSERT = """
            insert into task (job_id, job_version, shard, fire_time, attempt, cause, due_at, state, cursor_of)
            values (:job, :version, :shard, :fireTime, 1, :cause, utc_timestamp(3), 'IDLE', :job)
            """;

    private final Database database;

    public Misfires(Database database) {
        this.database = database;
    }

    /**
     * An occurrence that is due and idle.
     *
     * @param nextFireTime that of the row that was made with it; null: there is none yet
     */
    public record Overdue(
            long id,
            long jobId,
            int version,
            int shard,
            Instant fireTime,
            @Nullable Instant nextFireTime,
            boolean cursor) {}

    /**
     * What becomes of a job's overdue occurrences.
     *
     * @param rows all overdue rows of the job, earliest first
     * @param missed how many fire times are recorded as missed, in one row of history for all that are consecutive; 0: only {@code run} was
     *     overdue
     * @param lastMissed the last of them
     * @param run the row that runs for all of them; null if {@code successor} does
     * @param successor the fire time of the row that is to be inserted, with the cursor; null if the cursor stays where it is
     * @param successorRuns whether the successor is the one run, or merely the next occurrence
     */
    public record Decision(
            List<Overdue> rows,
            long missed,
            @Nullable Instant lastMissed,
            @Nullable Overdue run,
            @Nullable Instant successor,
            boolean successorRuns,
            String reason) {

        Stream<Overdue> missedRows() {
            return rows.stream().filter(r -> !r.equals(run));
        }

        /** Rows that follow each other; what lies between two of them was run, or is being run, by itself. */
        List<Missed> consecutive() {
            List<Missed> result = new ArrayList<>();
            List<Overdue> together = new ArrayList<>();
            for (Overdue row : missedRows().toList()) {
                if (!together.isEmpty()
                        && !row.fireTime()
                                .equals(together.get(together.size() - 1).nextFireTime())) {
                    result.add(missed(together));
                    together.clear();
                }
                together.add(row);
            }
            if (!together.isEmpty()) {
                result.add(missed(together));
            }
            return result;
        }

        private Missed missed(List<Overdue> together) {
            Overdue first = together.get(0);
            Overdue end = together.get(together.size() - 1);
            if (end.cursor()) {
                long unmade = missed - missedRows().count();
                Instant last = lastMissed == null ? end.fireTime() : lastMissed;
                return new Missed(first, together.size() + unmade, last, nextFireTime(), reason);
            }
            Instant next = end.nextFireTime() == null ? nextFireTime() : end.nextFireTime();
            return new Missed(first, together.size(), end.fireTime(), next, reason);
        }

        @Nullable
        Instant nextFireTime() {
            return run == null ? successor : run.fireTime();
        }

        Overdue first() {
            return rows.get(0);
        }
    }

    /** What becomes one row of history. */
    private record Missed(
            Overdue row,
            long occurrences,
            Instant last,
            @Nullable Instant nextFireTime,
            String reason) {}

    /** The overdue scheduled occurrences of these jobs that have a row, by job and fire time. */
    public List<Overdue> overdue(Collection<Long> jobs) {
        return database.autoCommit(
                "reading overdue occurrences",
                handle -> handle.createQuery(OVERDUE)
                        .bindList("jobs", List.copyOf(jobs))
                        .map((row, context) -> {
                            row.getLong("cursor_of");
                            boolean cursor = !row.wasNull();
                            return new Overdue(
                                    row.getLong("id"),
                                    row.getLong("job_id"),
                                    row.getInt("version"),
                                    row.getInt("shard"),
                                    SqlTime.read(row, "fire_time"),
                                    SqlTime.readOrNull(row, "next_fire_time"),
                                    cursor);
                        })
                        .list());
    }

    /**
     * Carries out these decisions in one transaction, each only if none of its rows has changed meanwhile.
     *
     * @return how many were carried out
     * @throws SessionGone our session was expired
     */
    public int settle(String session, List<Decision> decisions) {
        return database.transact("settling the misfires of " + decisions.size() + " jobs", handle -> {
            Locks.shards(handle, decisions.stream().map(d -> d.first().shard()).collect(Collectors.toSet()));
            OwnerSession.mustBeThere(handle, session);
            Set<Long> unchanged = unchanged(handle, decisions);
            List<Decision> valid = decisions.stream()
                    .filter(d -> d.rows().stream().allMatch(r -> unchanged.contains(r.id())))
                    .toList();
            record(handle, valid);
            rerun(handle, valid);
            insert(handle, valid);
            return valid.size();
        });
    }

    private static Set<Long> unchanged(Handle handle, List<Decision> decisions) {
        List<Overdue> rows = decisions.stream().flatMap(d -> d.rows().stream()).toList();
        return new HashSet<>(handle.createQuery(UNCHANGED)
                .bind("rows", JsonRows.of(rows, r -> row(r.id(), r.version(), r.cursor() ? 1 : 0)))
                .mapTo(Long.class)
                .list());
    }

    private static void record(Handle handle, List<Decision> decisions) {
        List<Missed> missed =
                decisions.stream().flatMap(d -> d.consecutive().stream()).toList();
        if (missed.isEmpty()) {
            return;
        }
        int recorded = handle.createUpdate(RECORD)
                .bind(
                        "rows",
                        JsonRows.of(
                                missed,
                                m -> row(
                                        m.row().id(),
                                        m.occurrences(),
                                        SqlTime.text(m.last()),
                                        SqlTime.textOrNull(m.nextFireTime()),
                                        m.reason())))
                .execute();
        Spans.note(
                handle,
                missed.stream()
                        .filter(m -> m.occurrences() > 1)
                        .map(m -> m.row().id())
                        .toList());
        List<Overdue> gone = decisions.stream().flatMap(Decision::missedRows).toList();
        int deleted = handle.createUpdate(DELETE)
                .bind("rows", JsonRows.of(gone, r -> row(r.id())))
                .execute();
        if (recorded != missed.size() || deleted != gone.size()) {
            throw new IllegalStateException("recorded " + recorded + " of " + missed.size() + " misfires and deleted "
                    + deleted + " of " + gone.size() + " rows");
        }
    }

    private static void rerun(Handle handle, List<Decision> decisions) {
        List<Overdue> runs = new ArrayList<>();
        for (Decision d : decisions) {
            if (d.run() != null) {
                runs.add(d.run());
            }
        }
        if (!runs.isEmpty()) {
            handle.createUpdate(CATCH_UP)
                    .bind("rows", JsonRows.of(runs, r -> row(r.id())))
                    .execute();
        }
    }

    private static void insert(Handle handle, List<Decision> decisions) {
        PreparedBatch batch = handle.prepareBatch(INSERT);
        for (Decision d : decisions) {
            if (d.successor() != null) {
                batch.bind("job", d.first().jobId())
                        .bind("version", d.first().version())
                        .bind("shard", d.first().shard())
                        .bind("fireTime", SqlTime.text(d.successor()))
                        .bind("cause", d.successorRuns() ? "CATCH_UP" : "SCHEDULE")
                        .add();
            }
        }
        if (batch.size() > 0) {
            batch.execute();
        }
    }
}
