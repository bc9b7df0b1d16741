package dev.rowlock.task.history;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * History of one job for fire times that lie ahead, as the database's clock was ahead when it was written. The one
 * place where rows of history are corrected: those of what never ran. Within a transaction that holds the job's stripe
 * row.
 */
public final class HistoryAhead {

    /**
     * Query of fire times of one job that are in history, though the clock says that they are still to come: it was set
     * back. For several jobs, one after the other: a join with them would read all of their histories.
     */
    private static final String AHEAD = """
            select job_id, fire_time, last_fire_time, outcome from task_history
             where namespace = :namespace%1$s and job = :name%1$s and fire_time > :now
               and job_id = :job%1$s and origin = ''
            union all
            select job_id, fire_time, last_fire_time, outcome
              from (select fire_time, last_fire_time, job_id, origin, outcome from task_history
                     where namespace = :namespace%1$s and job = :name%1$s and fire_time <= :now
                     order by fire_time desc limit 100) recent%1$s
             where last_fire_time > :now and job_id = :job%1$s and origin = ''
            """;
    /** Number of jobs in one statement. */
    private static final int TOGETHER = 40;

    private static final String CANCELLED = """
            select fire_time, job_version from task_history
             where namespace = :namespace and job = :name and fire_time > :now
               and job_id = :job and origin = '' and outcome = 'CANCELLED' and reason = :reason
            """;
    private static final String VERSIONS = """
            select definition from job_version where job_id = :job and version >= :from
                   order by version desc limit :most
            """;

    /** Rows that were settled without a run though, by the present clock, their time had not come. */
    private static final String TO_BE_VOID = """
            select h.id from task_history h
             where h.namespace = :namespace and h.job = :name and h.fire_time > :now and h.job_id = :job
               and h.origin = '' and h.started_at is null and h.outcome in ('MISSED', 'SKIPPED')
            """;

    private static final String VOID = """
            update task_history h left join task_span s on s.namespace = h.namespace and s.job = h.job
                   and s.fire_time = h.fire_time and s.task_id = h.id
               set h.origin = :origin, h.outcome = 'CANCELLED', h.reason = :reason, s.outcome = 'CANCELLED'
             where h.namespace = :namespace and h.job = :name and h.fire_time > :now and h.job_id = :job
               and h.origin = '' and h.started_at is null and h.outcome in ('MISSED', 'SKIPPED')
            """;

    private static final String REACHING_AHEAD = """
            select h.id, h.job_version, h.fire_time, h.last_fire_time, h.occurrences, v.definition
              from (select id, job_id, job_version, fire_time, last_fire_time, occurrences, origin, outcome,
                started_at from task_history
                     where namespace = :namespace and job = :name and fire_time <= :now
                     order by fire_time desc limit 100) h
              join job_version v on v.job_id = h.job_id and v.version = h.job_version
             where h.last_fire_time > :now and h.job_id = :job and h.origin = '' and h.started_at is null
               and h.outcome in ('MISSED', 'SKIPPED')
            """;
    private static final String CUT =
            "update task_history set occurrences = :occurrences, last_fire_time = :last where id = :id";
    private static final String FORGET_SPAN =
            "delete from task_span where namespace = :namespace and job = :name and fire_time = :fireTime"
                    + " and task_id = :id";
    private static final String LINK = "update task_history set next_fire_time = :next where id = :id";

    private final Handle handle;
    private final long job;
    private final JobKey key;
    private final Instant now;

    public HistoryAhead(Handle handle, long job, JobKey key, Instant now) {
        this.handle = handle;
        this.job = job;
        this.key = key;
        this.now = now;
    }

    /**
     * Row of history, never run, that stands for fire times some of which lie ahead.
     *
     * @param definition of its version, as it is stored
     */
    public record FutureRow(
            long id, int version, String definition, Instant fireTime, Instant last, long occurrences) {}

    /** Returns the fire times of the schedule later than now that are in history already, and were not cancelled. */
    public Set<Instant> settled() {
        return read(handle, Map.of(job, key), now).getOrDefault(job, Set.of());
    }

    /**
     * Reads those of several jobs.
     *
     * @return by the job's id; jobs of which nothing lies ahead, not even what was cancelled, are missing
     */
    public static Map<Long, Set<Instant>> read(Handle handle, Map<Long, JobKey> jobs, Instant now) {
        Map<Long, Set<Instant>> settled = new HashMap<>();
        List<Long> ids = List.copyOf(jobs.keySet());
        for (int from = 0; from < ids.size(); from += TOGETHER) {
            List<Long> part = ids.subList(from, Math.min(ids.size(), from + TOGETHER));
            Query query = handle.createQuery(IntStream.range(0, part.size())
                            .mapToObj(AHEAD::formatted)
                            .collect(Collectors.joining("union all ")))
                    .bind("now", SqlTime.text(now));
            for (int i = 0; i < part.size(); i++) {
                JobKey key = Objects.requireNonNull(jobs.get(part.get(i)));
                query.bind("namespace" + i, key.namespace())
                        .bind("name" + i, key.name())
                        .bind("job" + i, part.get(i));
            }
            query.map((row, context) -> {
                        Set<Instant> times = settled.computeIfAbsent(row.getLong("job_id"), id -> new HashSet<>());
                        return !row.getString("outcome").equals(Outcome.CANCELLED.name())
                                && times.addAll(
                                        List.of(SqlTime.read(row, "fire_time"), SqlTime.read(row, "last_fire_time")));
                    })
                    .list();
        }
        settled.values().forEach(times -> times.removeIf(time -> !time.isAfter(now)));
        return settled;
    }

    /** Returns the fire times that were cancelled ahead, for this reason, each with the version that scheduled it. */
    public Map<Instant, Integer> cancelled(String reason) {
        Map<Instant, Integer> cancelled = new HashMap<>();
        bound(handle.createQuery(CANCELLED))
                .bind("reason", reason)
                .map((row, context) -> cancelled.put(SqlTime.read(row, "fire_time"), row.getInt("job_version")))
                .list();
        return cancelled;
    }

    /**
     * Returns the definitions of the job, as they are stored, from that version on, newest first; at most {@code most}.
     */
    public List<String> versionsFrom(int version, int most) {
        return query(handle, VERSIONS, "job", job, "from", version, "most", most)
                .mapTo(String.class)
                .list();
    }

    /**
     * Takes rows that were settled without a run, and lie ahead as a whole, out of the chain of fire times.
     *
     * @return whether there was any
     */
    public boolean takeOut(String origin, String reason) {
        List<Long> ids = bound(handle.createQuery(TO_BE_VOID)).mapTo(Long.class).list();
        if (ids.isEmpty()) {
            return false;
        }
        Corrected.voided(handle, ids);
        bound(handle.createUpdate(VOID))
                .bind("origin", origin)
                .bind("reason", reason)
                .execute();
        return true;
    }

    /** Returns the rows that were settled without a run, and lie ahead in part. */
    public List<FutureRow> reaching() {
        return bound(handle.createQuery(REACHING_AHEAD))
                .map((row, context) -> new FutureRow(
                        row.getLong("id"),
                        row.getInt("job_version"),
                        row.getString("definition"),
                        SqlTime.read(row, "fire_time"),
                        SqlTime.read(row, "last_fire_time"),
                        row.getLong("occurrences")))
                .list();
    }

    /** Lets a row stand for fewer fire times: the first {@code occurrences}, up to {@code last}. */
    public void cut(FutureRow row, long occurrences, Instant last) {
        Corrected.shortened(handle, row.id(), occurrences);
        update(handle, CUT, "occurrences", occurrences, "last", SqlTime.text(last), "id", row.id());
        handle.createUpdate(FORGET_SPAN)
                .bind("namespace", key.namespace())
                .bind("name", key.name())
                .bind("fireTime", SqlTime.text(row.fireTime()))
                .bind("id", row.id())
                .execute();
        Spans.note(handle, List.of(row.id()));
    }

    /** Sets the next fire time of a row that {@link #cut} has shortened. */
    public void link(long id, @Nullable Instant next) {
        update(handle, LINK, "next", SqlTime.textOrNull(next), "id", id);
    }

    private <T extends SqlStatement<T>> T bound(T statement) {
        return statement
                .bind("namespace", key.namespace())
                .bind("name", key.name())
                .bind("job", job)
                .bind("now", SqlTime.text(now));
    }
}
