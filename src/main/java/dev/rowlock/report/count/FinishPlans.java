package dev.rowlock.report.count;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.report.count.OccurrenceEnds.FireTime;
import dev.rowlock.report.count.OccurrenceEnds.OccurrenceEnd;
import dev.rowlock.schedule.FinishBy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Jobs with a {@code finishBy}, and how their occurrences stand to it. Keeps what it has parsed. For one thread. */
public final class FinishPlans {

    private static final String JOBS = """
            select j.id, j.version, s.p95_ms, s.samples
              from job j force index (by_finish)
              left join job_stats s on s.job_id = j.id
             where j.has_finish_by = 1
            """;
    private static final String DEFINITIONS = """
            select j.id, j.version, j.namespace, j.name, j.definition, j.paused, j.created_at, j.updated_at
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join job j on j.id = v.id
            """;
    /** Fire times of a job that are looked at, the latest. */
    private static final int MOST = 2_000;

    private final Map<Long, FinishPlan> plans = new HashMap<>();

    /** Job, as far as its deadlines depend on it. */
    private record FinishPlan(
            long id,
            int version,
            JobKey key,
            Map<String, String> labels,
            JobSchedule schedule,
            FinishBy finishBy,
            Instant changedAt) {

        /** Returns empty if this version does not understand the definition. */
        static Optional<FinishPlan> read(ResultSet row, StatementContext context) throws SQLException {
            JobKey key = new JobKey(row.getString("namespace"), row.getString("name"));
            StoredDefinition stored = StoredDefinition.read(
                    key, row.getString("definition"), row.getBoolean("paused"), CalendarRows.of(context));
            Instant created = SqlTime.read(row, "created_at");
            @Nullable FinishBy finishBy = stored.definition().finishBy();
            if (finishBy == null) {
                return Optional.empty();
            }
            long id = row.getLong("id");
            int version = row.getInt("version");
            Instant changed = SqlTime.read(row, "updated_at");
            return stored.schedule(created)
                    .map(schedule -> new FinishPlan(
                            id, version, key, stored.definition().labels(), schedule, finishBy, changed));
        }

        /** Returns the latest fire times whose deadline has passed, and the latest of the others. */
        List<FinishDeadline> deadlines(Instant now, Duration back) {
            List<FinishDeadline> deadlines = new ArrayList<>();
            Instant from = now.minus(finishBy.farthest()).minus(back);
            Instant passed = finishBy.after() == null ? now : now.minus(finishBy.after());
            List<Instant> fireTimes = new ArrayList<>(schedule.lastBetween(from, passed, MOST));
            if (passed.isBefore(now)) {
                fireTimes.addAll(schedule.lastBetween(passed, now, MOST));
            }
            for (Instant fireTime : fireTimes) {
                deadlines.add(new FinishDeadline(fireTime, finishBy.of(fireTime, schedule.zoneAt(fireTime))));
            }
            return deadlines;
        }
    }

    private record FinishDeadline(Instant fireTime, Instant finishBy) {}

    /** Job with the time that 95 % of its runs take. */
    private record UsualJob(long id, int version, @Nullable Long p95Millis, long samples) {}

    /**
     * Occurrence with its deadline.
     *
     * @param p95Millis the time that 95 % of the job's runs take; null: nobody knows
     * @param samples how many runs that is known from
     */
    public record DueFinish(
            long job,
            JobKey key,
            Map<String, String> labels,
            Instant fireTime,
            Instant finishBy,
            OccurrenceEnd end,
            @Nullable Long p95Millis,
            long samples) {

        /** Returns when it is likely to have finished; null: nobody knows, or it has. */
        public @Nullable Instant expected(Instant now) {
            if (p95Millis == null || end.finishedAt() != null) {
                return null;
            }
            Instant from = end.startedAt() == null ? now : end.startedAt();
            Instant expected = from.plusMillis(p95Millis);
            return expected.isBefore(now) ? now : expected;
        }
    }

    /**
     * Returns the occurrences of all jobs whose deadline meets the condition, and that are not excused.
     *
     * @param back how long ago the earliest of them may have passed
     */
    public List<DueFinish> due(Handle handle, Instant now, Duration back, Predicate<Instant> deadline) {
        List<UsualJob> jobs = query(handle, JOBS)
                .map((row, context) -> new UsualJob(
                        row.getLong("id"),
                        row.getInt("version"),
                        (Long) row.getObject("p95_ms"),
                        row.getLong("samples")))
                .list();
        learn(handle, jobs);
        List<FireTime> asked = new ArrayList<>();
        List<DueFinish> due = new ArrayList<>();
        for (UsualJob job : jobs) {
            FinishPlan plan = plans.get(job.id());
            if (plan == null) {
                continue;
            }
            for (FinishDeadline one : plan.deadlines(now, back)) {
                if (deadline.test(one.finishBy())) {
                    asked.add(new FireTime(plan.id(), plan.key(), one.fireTime()));
                    due.add(new DueFinish(
                            plan.id(),
                            plan.key(),
                            plan.labels(),
                            one.fireTime(),
                            one.finishBy(),
                            OccurrenceEnd.UNKNOWN,
                            job.p95Millis(),
                            job.samples()));
                }
            }
        }
        return withEnds(due, OccurrenceEnds.of(handle, asked));
    }

    /** Adds what became of them; leaves out what has no row and is older than the version of the job. */
    private List<DueFinish> withEnds(List<DueFinish> due, List<OccurrenceEnd> ends) {
        List<DueFinish> found = new ArrayList<>();
        for (int i = 0; i < due.size(); i++) {
            DueFinish one = due.get(i);
            OccurrenceEnd end = ends.get(i);
            FinishPlan plan = plans.get(one.job());
            boolean isAsked = end.known() || (plan != null && one.fireTime().isAfter(plan.changedAt()));
            if (isAsked && !end.excused()) {
                found.add(new DueFinish(
                        one.job(),
                        one.key(),
                        one.labels(),
                        one.fireTime(),
                        one.finishBy(),
                        end,
                        one.p95Millis(),
                        one.samples()));
            }
        }
        return found;
    }

    /** Parses the definitions that are new, and forgets the jobs that are gone. */
    private void learn(Handle handle, List<UsualJob> jobs) {
        Map<Long, Integer> versions = new HashMap<>();
        jobs.forEach(job -> versions.put(job.id(), job.version()));
        plans.values().removeIf(plan -> !Integer.valueOf(plan.version()).equals(versions.get(plan.id())));
        versions.keySet().removeAll(plans.keySet());
        if (!versions.isEmpty()) {
            query(handle, DEFINITIONS, "ids", JsonRows.ids(versions.keySet()))
                    .map(FinishPlan::read)
                    .forEach(read -> read.ifPresent(plan -> plans.put(plan.id(), plan)));
        }
    }
}
