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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
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
    /** Age from which a deadline that has passed is no matter of now any more. */
    private static final Duration LOOKED_BACK = Duration.ofDays(1);
    /** Occurrences of all jobs whose ends are read for what has not finished. */
    private static final int NEAREST = 200;
    /** Occurrences of all jobs that are looked at for a risk, those that are to finish next. */
    private static final int MOST_AT_RISK = 5_000;

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

        /**
         * Returns deadlines that passed after an instant, and those up to another, of the latest fire times.
         *
         * @param until of what has not passed; not before {@code now}
         */
        List<FinishDeadline> between(Instant from, Instant now, Instant until) {
            Instant first = from.minus(finishBy.farthest());
            Instant passed = finishBy.after() == null ? now : now.minus(finishBy.after());
            List<Instant> fireTimes = new ArrayList<>(schedule.lastBetween(first, passed, MOST));
            if (finishBy.after() != null && until.isAfter(now)) {
                Instant last = until.minus(finishBy.after());
                fireTimes.addAll(schedule.lastBetween(passed, last.isBefore(now) ? last : now, MOST));
            }
            return fireTimes.stream()
                    .map(this::deadline)
                    .filter(one ->
                            one.finishBy().isAfter(from) && !one.finishBy().isAfter(until))
                    .toList();
        }

        /** Returns the deadlines of the latest fire time, and of the latest whose deadline has passed. */
        List<FinishDeadline> latest(Instant now) {
            Instant over = finishBy.passedBefore(now, schedule.zone());
            Instant since = over.minus(finishBy.farthest()).minus(LOOKED_BACK);
            return Stream.of(schedule.lastBetween(since, over), schedule.lastBetween(since, now))
                    .flatMap(Optional::stream)
                    .distinct()
                    .map(this::deadline)
                    .toList();
        }

        private FinishDeadline deadline(Instant fireTime) {
            return new FinishDeadline(this, fireTime, finishBy.of(fireTime, schedule.zoneAt(fireTime)));
        }
    }

    private record FinishDeadline(FinishPlan plan, Instant fireTime, Instant finishBy) {}

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
     * Returns the occurrences whose deadline has passed since an instant, and those that may be late though it has not;
     * what is excused is left out.
     *
     * @param samples number of known durations from which those that may be late are returned; null: none of them
     */
    public List<DueFinish> due(Handle handle, Instant from, Instant now, @Nullable Integer samples) {
        Map<Long, UsualJob> jobs = jobs(handle);
        List<FinishDeadline> passed = new ArrayList<>();
        List<FinishDeadline> ahead = new ArrayList<>();
        for (FinishPlan plan : plans.values()) {
            UsualJob usual = jobs.get(plan.id());
            @Nullable
            Long p95 = usual == null || samples == null || usual.samples() < samples ? null : usual.p95Millis();
            // None takes longer than that from now on, so that those whose deadline is farther away are in no danger.
            for (FinishDeadline one : plan.between(from, now, p95 == null ? now : now.plusMillis(p95))) {
                (one.finishBy().isAfter(now) ? ahead : passed).add(one);
            }
        }
        ahead.sort(Comparator.comparing(FinishDeadline::finishBy));
        passed.addAll(ahead.subList(0, Math.min(MOST_AT_RISK, ahead.size())));
        return withEnds(handle, passed, jobs);
    }

    /**
     * Returns occurrences that have not finished, of the latest of each job: those whose deadline is nearest, or passed
     * last, the earliest deadline first.
     */
    public List<DueFinish> unfinished(Handle handle, Instant now, int most) {
        Map<Long, UsualJob> jobs = jobs(handle);
        List<FinishDeadline> nearest = plans.values().stream()
                .flatMap(plan -> plan.latest(now).stream())
                .filter(one -> one.finishBy().isAfter(now.minus(LOOKED_BACK)))
                .sorted(Comparator.comparing(
                        one -> Duration.between(now, one.finishBy()).abs()))
                .limit(NEAREST)
                .toList();
        return withEnds(handle, nearest, jobs).stream()
                .filter(due -> due.end().finishedAt() == null)
                .sorted(Comparator.comparing(DueFinish::finishBy))
                .limit(most)
                .toList();
    }

    /** Reads the jobs with a deadline, and what is new of their definitions. */
    private Map<Long, UsualJob> jobs(Handle handle) {
        Map<Long, UsualJob> jobs = query(handle, JOBS)
                .map((row, context) -> new UsualJob(
                        row.getLong("id"),
                        row.getInt("version"),
                        (Long) row.getObject("p95_ms"),
                        row.getLong("samples")))
                .collectToMap(UsualJob::id, Function.identity());
        learn(handle, jobs.values());
        return jobs;
    }

    /** Reads what became of them; leaves out what is excused, and what has no row and is older than the definition. */
    private static List<DueFinish> withEnds(Handle handle, List<FinishDeadline> asked, Map<Long, UsualJob> jobs) {
        List<OccurrenceEnd> ends = OccurrenceEnds.of(
                handle,
                asked.stream()
                        .map(one -> new FireTime(one.plan().id(), one.plan().key(), one.fireTime()))
                        .toList());
        List<DueFinish> found = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            FinishPlan plan = asked.get(i).plan();
            OccurrenceEnd end = ends.get(i);
            boolean isAsked = end.known() || asked.get(i).fireTime().isAfter(plan.changedAt());
            if (isAsked && !end.excused()) {
                UsualJob usual = Objects.requireNonNull(jobs.get(plan.id()));
                found.add(new DueFinish(
                        plan.id(),
                        plan.key(),
                        plan.labels(),
                        asked.get(i).fireTime(),
                        asked.get(i).finishBy(),
                        end,
                        usual.p95Millis(),
                        usual.samples()));
            }
        }
        return found;
    }

    /** Parses the definitions that are new, and forgets the jobs that are gone. */
    private void learn(Handle handle, Collection<UsualJob> jobs) {
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
