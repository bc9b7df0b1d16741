package dev.rowlock.job.store;

import dev.rowlock.db.Conditions;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobFilter.JobPosition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.task.JobFacts.Streak;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in an order other than that of names. Each order is a few ranges of an index, one after the other, and a place
 * in it names the range, the time and the row: a job that does not change its place is found once, whatever others do.
 */
final class JobOrder {

    private static final String COMES = """
            %1$s.state in ('IDLE', 'PREPARED') and %1$s.origin = '' and %1$s.due_at is not null""";
    private static final String NO_RUN = """
            from job j force index (primary)
             where not exists (select 1 from job_stats s where s.job_id = j.id and s.last_ended is not null)
               and j.id > :id""";

    /** Query of the first prepared task of each job, of which there are few. */
    private static final String COMING_TASKS = """
            select j.id, t.id as row_id, t.fire_time as at
              from task t force index (primary)
              straight_join job j on j.id = t.job_id
             where %s and t.fire_time >= :at and (t.fire_time > :at or t.id > :id)
               and not exists (select 1 from task o force index (one_attempt)
                                where o.job_id = t.job_id and %s
                                  and (o.fire_time < t.fire_time or o.fire_time = t.fire_time and o.id < t.id))
            """.formatted(COMES.formatted("t"), COMES.formatted("o"));
    /** Query of cursors, for all other jobs, by the order of the index on fire times. */
    private static final String COMING = """
            select j.id, c.task_id as row_id, c.fire_time as at
              from job_next c force index (by_fire_time)
              straight_join job j on j.id = c.job_id
             where c.due_at is not null and c.fire_time >= :at and (c.fire_time > :at or c.task_id > :id)
               and not exists (select 1 from task o force index (one_attempt) where o.job_id = c.job_id and %s)
            """.formatted(COMES.formatted("o"));

    private static final String NOTHING_COMES = """
            select j.id, j.id as row_id, null as at
              from job j force index (primary)
             where j.id > :id
               and not exists (select 1 from job_next c where c.job_id = j.id and c.due_at is not null)
               and not exists (select 1 from task o force index (one_attempt) where o.job_id = j.id and %s)
            """.formatted(COMES.formatted("o"));

    private static final String OF_OUTCOME = """
            select j.id, j.id as row_id, null as at
              from job_stats s force index (by_outcome)
              straight_join job j on j.id = s.job_id
             where s.last_outcome = '%s' and s.job_id > :id
            """;
    private static final String RAN = """
            select j.id, j.id as row_id, s.last_ended as at
              from job_stats s force index (by_end)
              straight_join job j on j.id = s.job_id
             where s.last_ended <= :at and (s.last_ended < :at or s.job_id < :id)
            """;

    private static final Range NEVER_RAN =
            new Range("select j.id, j.id as row_id, null as at " + NO_RUN, "j.id", false);

    private static final List<Range> NEXT =
            List.of(new Range(COMING, "at, row_id", false, COMING_TASKS), new Range(NOTHING_COMES, "j.id", false));
    private static final List<Range> OUTCOME = Stream.concat(
                    Stream.of("FAILED", "TIMED_OUT", "LOST", "KILLED", "SUCCEEDED")
                            .map(outcome -> new Range(OF_OUTCOME.formatted(outcome), "s.job_id", false)),
                    Stream.of(NEVER_RAN))
            .toList();
    private static final List<Range> LAST =
            List.of(new Range(RAN, "s.last_ended desc, s.job_id desc", true), NEVER_RAN);

    private static final String BY_IDS = "select " + JobStore.COLUMNS
            + " from json_table(:ids, '$[*]' columns (n for ordinality, id bigint path '$')) v"
            + " straight_join job j on j.id = v.id order by v.n";
    /** Jobs read by one statement, as what does not fit is read in vain. */
    private static final int PIECE = 100;

    private static final String STREAKS = """
            select s.job_id, s.result, s.streak, s.streak_since
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join job_stats s on s.job_id = v.id
             where s.result is not null
            """;

    private static final Instant FIRST = Instant.parse("1000-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("9999-12-31T00:00:00Z");

    private JobOrder() {}

    /**
     * @param backwards whether it begins with the latest
     * @param more of the same range; null: there is none
     */
    private record Range(
            String select,
            String order,
            boolean backwards,
            @Nullable String more) {

        Range(String select, String order, boolean backwards) {
            this(select, order, backwards, null);
        }

        String sql(String where, int limit) {
            String end = " order by " + order + " limit " + limit;
            return more == null
                    ? select + where + end
                    : "(" + select + where + end + ") union all (" + more + where + end + ")" + end;
        }
    }

    /** Job, and its place. */
    record PlacedJob(long id, JobPosition place) {}

    /** Returns the next jobs after a place, at most so many. */
    static List<PlacedJob> next(Handle handle, JobFilter filter, int limit) {
        JobPosition after = filter.place();
        List<Range> ranges = switch (filter.sort()) {
            case NEXT -> NEXT;
            case OUTCOME -> OUTCOME;
            case LAST -> LAST;
            case NAME -> throw new IllegalArgumentException("names have an index of their own");
        };
        List<PlacedJob> found = new ArrayList<>();
        for (int i = after == null ? 0 : after.range(); i < ranges.size() && found.size() < limit; i++) {
            JobPosition from = after != null && after.range() == i ? after : null;
            found.addAll(read(handle, ranges.get(i), i, filter, from, limit - found.size()));
        }
        return found;
    }

    /**
     * Definitions of jobs, in order.
     *
     * @param last where the last of those that were asked for stands; null: there is none
     * @param cut whether not all were read, for their size
     */
    record OrderedJobs(List<StoredJob> jobs, @Nullable JobPosition last, boolean cut) {}

    /** Reads as many as may be held in memory at once, at least one. */
    static OrderedJobs read(Handle handle, List<PlacedJob> found, long most) {
        List<StoredJob> jobs = new ArrayList<>();
        JobPosition last = null;
        long weight = 0;
        for (int i = 0; i < found.size(); i += PIECE) {
            List<PlacedJob> piece = found.subList(i, Math.min(found.size(), i + PIECE));
            Query query = handle.createQuery(BY_IDS)
                    .bind("ids", JsonRows.ids(piece.stream().map(PlacedJob::id).toList()));
            SizedRows<StoredJob> read = SizedRows.read(
                    query, JobStore::read, job -> job.stored().text().length(), most - weight);
            jobs.addAll(read.rows());
            weight += read.weight();
            boolean cut = read.cut() || (weight >= most && i + PIECE < found.size());
            long end = cut
                    ? jobs.get(jobs.size() - 1).id()
                    : piece.get(piece.size() - 1).id();
            last = piece.stream()
                    .filter(f -> f.id() == end)
                    .findFirst()
                    .map(PlacedJob::place)
                    .orElse(last);
            if (cut) {
                return new OrderedJobs(jobs, last, true);
            }
        }
        return new OrderedJobs(jobs, last, false);
    }

    /** Returns the streaks of these jobs, of those that ran. */
    static Map<Long, Streak> streaks(Handle handle, Collection<StoredJob> jobs) {
        Map<Long, Streak> streaks = new HashMap<>();
        handle.createQuery(STREAKS)
                .bind("ids", JsonRows.ids(jobs.stream().map(StoredJob::id).toList()))
                .map((row, context) -> streaks.put(
                        row.getLong("job_id"),
                        new Streak(
                                row.getLong("streak"),
                                row.getString("result"),
                                SqlTime.readOrNull(row, "streak_since"))))
                .list();
        return streaks;
    }

    private static List<PlacedJob> read(
            Handle handle, Range range, int index, JobFilter filter, @Nullable JobPosition from, int limit) {
        Conditions where = JobConditions.of(filter, "j");
        Query query = handle.createQuery(range.sql(where.andSql(), limit));
        where.bind(query);
        Instant at = from == null || from.at() == null ? (range.backwards ? END : FIRST) : from.at();
        if (range.select.contains(":at")) {
            query.bind("at", SqlTime.text(at));
        }
        query.bind("id", from != null ? from.row() : range.backwards ? Long.MAX_VALUE : 0);
        return query.map((row, context) -> new PlacedJob(
                        row.getLong("id"),
                        new JobPosition(index, SqlTime.readOrNull(row, "at"), row.getLong("row_id"))))
                .list();
    }
}
