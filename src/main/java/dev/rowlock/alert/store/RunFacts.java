package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.alert.AlertCondition;
import dev.rowlock.alert.Evaluating;
import dev.rowlock.alert.JobRun;
import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.RunDecision;
import dev.rowlock.alert.RunDecision.TrackRecord;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.history.OriginSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Facts about a job when a run of it ends, read only if a rule depends on them. */
final class RunFacts {

    /** Condition of what counts as a run: see {@code JobRun.failed}. */
    private static final String DECIDES = """
            (h.outcome = 'SUCCEEDED' or
                    (h.outcome in ('FAILED', 'TIMED_OUT', 'KILLED', 'LOST')
                     or h.outcome in ('SKIPPED', 'MISSED') and h.cause in ('RETRY', 'RECOVERY')
                        and h.started_at is null)
                    and not exists (select 1 from task t force index (one_attempt)
                                     where t.job_id = h.job_id and t.fire_time = h.fire_time and t.origin = h.origin
                                       and t.attempt > h.attempt)
                    and not exists (select 1 from task_history n force index (by_job)
                                     where n.namespace = h.namespace and n.job = h.job and n.fire_time = h.fire_time
                                       and n.job_id = h.job_id and n.origin = h.origin and n.attempt > h.attempt
                                       and n.outcome <> 'CANCELLED'))
            """;

    private static final String NEIGHBOURS = """
            select h.fire_time, h.id, h.outcome = 'SUCCEEDED' as succeeded,
                   h.ended_at is not null and not %5$s and
            """ + DECIDES + """
                   as decides
              from task_history h force index (by_job)
             where h.namespace = :namespace and h.job = :job and h.job_id = :id
               and (h.fire_time %1$s :fireTime or h.fire_time = :fireTime and h.id %1$s :task)
               and (%3$s) = :ofNode and (not :ofNode or %4$s = :part)
             order by h.fire_time %2$s, h.id %2$s limit :page
            """;
    private static final String JOBS = """
            select i.id,
                   (select v.valid_from from job_version v where v.job_id = i.id order by v.version limit 1) as since,
                   exists (select 1 from job_day d where d.job_id = i.id and d.succeeded > 0) as succeeded,
                   (select s.p95_ms from job_stats s where s.job_id = i.id and s.samples >= :samples) as p95_ms
              from json_table(:ids, '$[*]' columns (id bigint path '$')) i
             where exists (select 1 from job_version v where v.job_id = i.id)
            """;
    /** Failures counted for messages, if no rule needs more. */
    private static final int USUAL = 100;
    /** Rows read at once behind the first ones: most of them are nothing that counts as a run. */
    private static final int PAGE = 2_000;
    /** Rows that are looked at: a job may have declined, or been skipped, any number of times between two runs. */
    private static final int LOOKED_AT = 10_000;

    /** Facts about a job that is gone, or that no rule depends on. */
    private static final KnownJob NOTHING = new KnownJob(0, Instant.MAX, true, null);

    private final Handle handle;
    private final Set<Long> late;
    private final int most;
    private final Set<Long> jobs;
    private @Nullable Map<Long, KnownJob> known;

    private record KnownJob(
            long job,
            Instant since,
            boolean succeeded,
            @Nullable Long p95) {}

    /**
     * @param late tasks that were recorded after later ones were read
     * @param runs of which something may be asked
     */
    RunFacts(Handle handle, RuleBook book, Set<Long> late, List<JobRun> runs) {
        this.handle = handle;
        this.late = late;
        this.most = book.with(AlertCondition.FAILED_IN_A_ROW).stream()
                .map(named -> named.rule().times())
                .filter(Objects::nonNull)
                .reduce(USUAL, Math::max);
        this.jobs = runs.stream().map(JobRun::job).collect(Collectors.toSet());
    }

    TrackRecord of(JobRun run, Set<AlertCondition> conditions) {
        boolean counts = run.failed() && conditions.contains(AlertCondition.FAILED_IN_A_ROW);
        int streak = counts ? 1 + failures(run, "<", "desc") : 0;
        if (counts && late.contains(run.task())) {
            streak += failures(run, ">", "asc");
        }
        if (run.succeeded() && conditions.equals(Evaluating.RECOVERY)) {
            streak = failures(run, "<", "desc");
        }
        KnownJob job = asks(run, conditions) ? known().getOrDefault(run.job(), NOTHING) : NOTHING;
        return new TrackRecord(streak, job.succeeded(), job.since(), job.p95());
    }

    private static boolean asks(JobRun run, Set<AlertCondition> conditions) {
        return (conditions.contains(AlertCondition.NEVER_SUCCEEDED) && (run.failed() || run.missed()))
                || (conditions.contains(AlertCondition.TOO_LONG) && RunDecision.mayBeTooLong(run));
    }

    /** Returns the facts of all jobs, read together: a statement for each run cost more than all else about it. */
    private Map<Long, KnownJob> known() {
        if (known == null) {
            known = query(handle, JOBS, "ids", JsonRows.ids(jobs), "samples", RunDecision.FEWEST_SAMPLES)
                    .map((row, context) -> new KnownJob(
                            row.getLong("id"), SqlTime.read(row, "since"), row.getBoolean("succeeded"), (Long)
                                    row.getObject("p95_ms")))
                    .collectToMap(KnownJob::job, Function.identity());
        }
        return known;
    }

    /** Returns whether a run for a later fire time has succeeded. */
    boolean isOver(JobRun run) {
        return neighbours(run, ">", "asc").contains(true);
    }

    private int failures(JobRun run, String before, String order) {
        List<Boolean> succeeded = neighbours(run, before, order);
        int first = succeeded.indexOf(true);
        return first < 0 ? succeeded.size() : first;
    }

    /** Returns whether the next runs have succeeded, as far as they are among the next rows of history. */
    private List<Boolean> neighbours(JobRun run, String before, String order) {
        String sql = NEIGHBOURS.formatted(
                before, order, OriginSql.isPart("h"), OriginSql.node("h"), OriginSql.isBackfill("h"));
        List<Boolean> succeeded = new ArrayList<>();
        Instant at = run.fireTime();
        long task = run.task();
        int page = most;
        for (int looked = 0; looked < LOOKED_AT; looked += page) {
            page = looked == 0 ? most : PAGE;
            List<NeighbourRow> rows = query(handle, sql, "fireTime", SqlTime.text(at), "task", task, "page", page)
                    .bind("namespace", run.key().namespace())
                    .bind("job", run.key().name())
                    .bind("id", run.job())
                    .bind("ofNode", run.origin().isPart())
                    .bind("part", run.origin().node())
                    .map((row, context) -> NeighbourRow.read(row))
                    .list();
            rows.stream().filter(NeighbourRow::decides).forEach(row -> succeeded.add(row.succeeded()));
            if (rows.size() < page || succeeded.size() >= most || succeeded.contains(true)) {
                break;
            }
            at = rows.get(rows.size() - 1).fireTime();
            task = rows.get(rows.size() - 1).task();
        }
        return succeeded.subList(0, Math.min(most, succeeded.size()));
    }

    private record NeighbourRow(Instant fireTime, long task, boolean decides, boolean succeeded) {

        static NeighbourRow read(ResultSet row) throws SQLException {
            return new NeighbourRow(
                    SqlTime.read(row, "fire_time"),
                    row.getLong("id"),
                    row.getBoolean("decides"),
                    row.getBoolean("succeeded"));
        }
    }
}
