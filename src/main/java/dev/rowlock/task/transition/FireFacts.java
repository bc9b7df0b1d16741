package dev.rowlock.task.transition;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Hold.Trait;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.OriginSql;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.store.FoundTask;
import dev.rowlock.task.store.PauseSql;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Query of the facts on which firing is decided, for the tasks of one transaction, under their stripe rows. */
public final class FireFacts {

    /** Condition on {@code task e}: policy has held it, and it has not started. */
    private static final String WAITS = "e.state <> 'EXECUTING' and e.queued_at is not null"
            + " and e.cause not in ('RETRY', 'RECOVERY') and not " + OriginSql.isBackfill("e")
            + " and (e.hold is null or e.hold in " + Hold.listOf(Trait.RUNNING) + ")";

    /**
     * Query that names the index, because the server prefers the one on the state when nothing is executing, and reads
     * all that has executed lately. Each job is read once, and only if that decides something: it may have thousands of
     * tasks. {@link FoundTask#read} goes by the order of the columns.
     */
    public static final String FACTS = """
            select t.id, t.launch_id, t.cause,
                   t.due_at <= utc_timestamp(6) - interval :overdue microsecond and utc_timestamp(6) <= :latest as due,
                   timestampdiff(microsecond, t.fire_time, utc_timestamp(6)) as age_micros,
                   j.version, %1$s as paused, x.executing, x.waiting,
                   t.queued_at is not null or t.jitter_ms <> 0 or t.overrides is not null or t.selector <> 0
                     as special,
                   t.queued_at is not null as queued, t.jitter_ms, t.overrides, t.selector, x.backfill
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
              left join job j on j.id = t.job_id
              left join (select e.job_id, min(if(e.state = 'EXECUTING' and not %3$s, e.id, null)) as executing,
                                min(if(e.state = 'EXECUTING', null, e.id)) as waiting,
                                min(if(e.state = 'EXECUTING' and %3$s, e.id, null)) as backfill
                           from json_table(:jobs, '$[*]' columns (id bigint path '$')) w
                           straight_join task e force index (one_attempt) on e.job_id = w.id
                          where e.state = 'EXECUTING' or %2$s
                          group by e.job_id) x on x.job_id = t.job_id
             where t.state = 'PREPARED'
            """.formatted(PauseSql.HOLDS, WAITS, OriginSql.isBackfill("e"));
    /**
     * Query for jobs with any number of tasks that may wait: executing tasks are found by their session, and the first
     * that waits in the order of the index.
     */
    public static final String FACTS_OF_WAITING =
            FACTS.replace(") x on", """

                        union all
                         select w.id,
                                (select min(e.id) from session s
                                   straight_join task e force index (held) on e.session_id = s.id and e.job_id = w.id
                                  where e.state = 'EXECUTING' and not %2$s),
                                (select e.id from task e force index (one_attempt)
                                  where e.job_id = w.id and %1$s
                                  order by e.job_id, e.fire_time limit 1),
                                (select min(e.id) from session s
                                   straight_join task e force index (held) on e.session_id = s.id and e.job_id = w.id
                                  where e.state = 'EXECUTING' and %2$s)
                           from json_table(:waiting, '$[*]' columns (id bigint path '$')) w) x on\
            """.formatted(WAITS, OriginSql.isBackfill("e")));

    private FireFacts() {}

    /** Reads the claims that are still ours to start, by task. */
    static Map<Long, FoundTask> read(Handle handle, List<Claim> claims, Duration overdue, Instant latest) {
        Map<Long, FoundTask> found = new HashMap<>();
        Map<Long, Task> held = new HashMap<>();
        claims.forEach(claim -> held.put(claim.id(), claim.task()));
        Set<Long> waiting = jobs(claims, Claim::mayWait);
        Set<Long> jobs = jobs(claims, claim -> !waiting.contains(claim.jobId()));
        Query facts = handle.createQuery(waiting.isEmpty() ? FACTS : FACTS_OF_WAITING);
        if (!waiting.isEmpty()) {
            facts.bind("waiting", JsonRows.ids(waiting));
        }
        facts.bind("ids", JsonRows.ids(held.keySet()))
                .bind("jobs", JsonRows.ids(jobs))
                .bind("overdue", Acquire.micros(overdue))
                .bind("latest", SqlTime.text(latest))
                .map((row, context) -> {
                    Task task = Objects.requireNonNull(held.get(row.getLong(1)));
                    return task.ref().held().text().equals(row.getString(2))
                            ? found.put(task.id(), FoundTask.read(row, task))
                            : null;
                })
                .list();
        return found;
    }

    private static Set<Long> jobs(List<Claim> claims, Predicate<Claim> which) {
        return claims.stream()
                .filter(claim -> claim.policy().concernsExecuting() && which.test(claim))
                .map(Claim::jobId)
                .collect(Collectors.toSet());
    }
}
