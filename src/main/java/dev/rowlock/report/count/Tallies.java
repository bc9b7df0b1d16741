package dev.rowlock.report.count;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.report.count.CountedRow.EndedRun;
import dev.rowlock.report.count.Counting.CountingState;
import dev.rowlock.report.count.DayTally.JobDay;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Tallies of all aggregates, to which rows of history are added within the transaction that moves the position. */
final class Tallies {

    private static final String NEWEST_RUNS = """
            select %s
              from job_version v
              join task_history h force index (by_job) on h.namespace = v.namespace and h.job = v.name
              left join task_uncounted u on u.task_id = h.id
             where v.job_id = :job and v.version = (select max(m.version) from job_version m where m.job_id = :job)
               and h.job_id = :job and h.started_at is not null and u.task_id is null
             order by h.fire_time desc, h.id desc limit :most
            """.formatted(CountedRow.COLUMNS);
    /** Number of newest runs among which a streak is counted again. */
    private static final int RUNS_READ = 10_000;
    /** Jobs whose tallies are in memory at a time. */
    private static final int TOGETHER = 1_000;

    private Tallies() {}

    /** @param to all that is counted, these rows included, ended by then */
    static void write(Handle handle, List<CountedRow> rows, CountingState to) {
        if (rows.isEmpty()) {
            return;
        }
        Instant now = SqlTime.now(handle);
        MinuteTally minutes = new MinuteTally(now.minus(OldAggregates.MINUTES_KEPT));
        rows.forEach(minutes::add);
        String added = minutes.rows();
        if (added != null) {
            update(handle, MinuteTally.ADD, "rows", added);
        }
        // In the order of their key, so that pages are touched once.
        List<List<CountedRow>> jobs = List.copyOf(rows.stream()
                .filter(row -> !row.backfill())
                .collect(Collectors.groupingBy(CountedRow::job, TreeMap::new, Collectors.toList()))
                .values());
        for (int from = 0; from < jobs.size(); from += TOGETHER) {
            List<CountedRow> part = jobs.subList(from, Math.min(jobs.size(), from + TOGETHER)).stream()
                    .flatMap(List::stream)
                    .toList();
            writeDays(handle, part);
            writeJobs(handle, part.stream().filter(CountedRow::ran).toList(), to);
            List<Long> declined = part.stream()
                    .filter(CountedRow::declined)
                    .map(CountedRow::job)
                    .distinct()
                    .toList();
            if (!declined.isEmpty()) {
                update(handle, JobTally.DECLINED, "jobs", JsonRows.ids(declined));
            }
        }
    }

    private static void writeDays(Handle handle, List<CountedRow> rows) {
        Map<JobDay, DayTally> days = new LinkedHashMap<>();
        rows.forEach(row -> days.computeIfAbsent(JobDay.of(row), DayTally::new));
        query(handle, DayTally.READ, "days", JsonRows.of(days.keySet(), JobDay::columns))
                .map((row, context) -> DayTally.read(row))
                .forEach(day -> days.put(day.key(), day));
        for (CountedRow row : rows) {
            days.computeIfAbsent(JobDay.of(row), DayTally::new).add(row);
        }
        write(handle, DayTally.INSERT, DayTally.OR_CHANGE, List.copyOf(days.values()), DayTally::values);
    }

    private static void writeJobs(Handle handle, List<CountedRow> runs, CountingState to) {
        if (runs.isEmpty()) {
            return;
        }
        Map<Long, JobTally> jobs = new LinkedHashMap<>();
        runs.forEach(run -> jobs.computeIfAbsent(run.job(), JobTally::new));
        query(handle, JobTally.READ, "jobs", JsonRows.ids(jobs.keySet()))
                .map((row, context) -> JobTally.read(row))
                .forEach(job -> jobs.put(job.job(), job));
        for (CountedRow run : runs) {
            jobs.computeIfAbsent(run.job(), JobTally::new).add(run);
        }
        for (JobTally job : jobs.values()) {
            if (job.isSplit()) {
                job.recount(newestRuns(handle, job.job(), to));
            }
        }
        write(handle, JobTally.INSERT, JobTally.OR_CHANGE, List.copyOf(jobs.values()), JobTally::values);
    }

    /** Writes tallies as literals: with many columns, reading them from JSON costs the server a seventh more. */
    private static <T> void write(
            Handle handle, String insert, String orChange, List<T> tallies, Function<T, List<@Nullable Object>> row) {
        InList.change(
                handle,
                tallies,
                part -> part.stream()
                        .map(tally -> InList.row(row.apply(tally)))
                        .collect(Collectors.joining(",", insert, orChange)));
    }

    private static List<EndedRun> newestRuns(Handle handle, long job, CountingState to) {
        return query(handle, NEWEST_RUNS, "job", job, "most", RUNS_READ)
                .map((row, context) -> CountedRow.read(row))
                .stream()
                .filter(row -> row.ran() && !row.run().isAfter(to.at(), to.id()))
                .map(CountedRow::run)
                .sorted((one, other) -> one.isAfter(other.endedAt(), other.id()) ? -1 : 1)
                .toList();
    }
}
