package dev.rowlock.task.history;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Conditions;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskFilter.TaskPosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Rows of history that stand for several fire times, found by any time that they cover. Writing such a row notes it
 * here, in the same transaction.
 *
 * <p>Spans of about the same length lie together, by their beginning: of those shorter than {@code 2^scale} seconds,
 * one that covers a time can only have begun within that many seconds before.
 */
public final class Spans {

    static final String COLUMNS = "scale, fire_time, task_id, last_fire_time, namespace, job, outcome, ended_at";
    static final String SPAN = """
            select length(bin(timestampdiff(second, fire_time, last_fire_time))), fire_time, id, last_fire_time,
                   namespace, job, outcome,
                   ended_at
              from task_history
            """;
    private static final String NOTE =
            "insert into task_span (" + COLUMNS + ") " + SPAN + " where id in (<ids>) and last_fire_time > fire_time";
    /** Query that reads them one by one, a row of each: a {@code group by} reads all rows on MariaDB. */
    private static final String SCALES = """
            select v.n from json_table(:scales, '$[*]' columns (n int path '$')) v
             where (select 1 from task_span s where s.scale = v.n limit 1) is not null
            """;

    private static final String ALL_SCALES =
            "[" + IntStream.rangeClosed(1, 38).mapToObj(String::valueOf).collect(Collectors.joining(",")) + "]";

    /** Bound on rows of each length that are looked at, where matches may be rare. */
    private static final int LOOKED_AT = 1_000;

    private Spans() {}

    /** Notes rows of history that were just written, and may stand for several fire times. */
    public static void note(Handle handle, Collection<Long> ids) {
        if (!ids.isEmpty()) {
            handle.createUpdate(NOTE).bindList("ids", List.copyOf(ids)).execute();
        }
    }

    /**
     * Returns a query of rows of history that begin before {@code since} and reach to it or beyond, newest first.
     *
     * @param select of rows of {@code task_history t}
     * @param floor rows before it are not looked at; null: all are
     * @return empty if there can be none
     */
    public static Optional<Query> covering(
            Handle handle, String select, TaskFilter filter, Instant since, @Nullable TaskPosition floor) {
        Conditions where = conditions(filter, since);
        if (floor != null) {
            where.add("s.fire_time >= :floorTime", "floorTime", SqlTime.text(floor.fireTime()));
            where.add("(s.fire_time > :floorTime or s.task_id >= :floorId)", "floorId", floor.id());
        }
        List<String> branches = new ArrayList<>();
        if (filter.job() != null) {
            branches.add(branch(select, "by_job", where.sql(), filter.limit()));
        } else {
            for (String range : ranges(handle, since)) {
                branches.add(branch(select, "primary", where.sql() + " and " + range, filter.limit()));
            }
        }
        return joined(handle, branches, where, filter.limit());
    }

    /**
     * Returns the position at which a bounded number of each length has been looked at; empty: there are fewer, or
     * those of a single job.
     */
    public static Optional<TaskPosition> floor(Handle handle, TaskFilter filter, Instant since) {
        Conditions where = new Conditions();
        where.add("s.fire_time < :since", "since", SqlTime.text(since));
        addAfter(where, filter);
        List<String> branches = new ArrayList<>();
        for (String range : filter.job() == null ? ranges(handle, since) : List.<String>of()) {
            branches.add("(select s.fire_time, s.task_id as id from task_span s force index (primary)" + where.sql()
                    + " and " + range + " order by s.fire_time desc, s.task_id desc limit 1 offset " + (LOOKED_AT - 1)
                    + ")");
        }
        return joined(handle, branches, where, 1)
                .flatMap(query -> query.map(
                                (row, context) -> new TaskPosition(SqlTime.read(row, "fire_time"), row.getLong("id")))
                        .findOne());
    }

    private static Optional<Query> joined(Handle handle, List<String> branches, Conditions where, int limit) {
        if (branches.isEmpty()) {
            return Optional.empty();
        }
        Query query = handle.createQuery(
                branches.size() == 1
                        ? branches.get(0)
                        : String.join(" union all ", branches) + " order by fire_time desc, id desc limit " + limit);
        where.bind(query);
        return Optional.of(query);
    }

    /** Returns the conditions for those of each length that can reach so far. */
    private static List<String> ranges(Handle handle, Instant since) {
        return query(handle, SCALES, "scales", ALL_SCALES).mapTo(Integer.class).stream()
                .map(scale -> "s.scale = " + scale + " and s.fire_time >= '" + earliest(since, scale) + "'")
                .toList();
    }

    private static String earliest(Instant since, int scale) {
        return SqlTime.text(since.minusSeconds(Math.min(1L << scale, since.getEpochSecond())));
    }

    private static Conditions conditions(TaskFilter filter, Instant since) {
        Conditions where = new Conditions();
        where.add("s.fire_time < :since and s.last_fire_time >= :since", "since", SqlTime.text(since));
        where.add("s.namespace = :namespace", "namespace", filter.namespace());
        where.add("s.job = :job", "job", filter.job());
        Outcome outcome = filter.outcome();
        where.add("s.outcome = :outcome", "outcome", outcome == null ? null : outcome.name());
        FurtherConditions.add(where, filter);
        addAfter(where, filter);
        return where;
    }

    private static void addAfter(Conditions where, TaskFilter filter) {
        TaskPosition after = filter.after();
        if (after != null) {
            where.add("s.fire_time <= :afterTime", "afterTime", SqlTime.text(after.fireTime()));
            where.add("(s.fire_time < :afterTime or s.task_id < :afterId)", "afterId", after.id());
        }
    }

    private static String branch(String select, String index, String where, int limit) {
        String from = "from task_span s force index (" + index
                + ") straight_join task_history t force index (primary) on t.id = s.task_id";
        return "(" + select.replace("from task_history t", from) + where
                + " order by s.fire_time desc, s.task_id desc limit " + limit + ")";
    }
}
