package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.alert.QuietSuccess;
import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.store.RunFeed.FeedState;
import dev.rowlock.alert.store.RunFeed.RunPosition;
import dev.rowlock.alert.store.RunFeed.RunRow;
import dev.rowlock.db.InList;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.history.OriginSql;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Reader of runs in the order of their ends, but for successes that say nothing: on a busy cluster these are nearly
 * all, and looking at each would cost more than all other parts of alerting.
 */
final class NextRuns {

    /** Condition on {@code task_history h}, read by its index of ends. */
    private static final String IN_SPAN = """
            h.ended_at >= :at and h.ended_at <= :untilAt
               and (h.ended_at > :at or h.id > :id) and (h.ended_at < :untilAt or h.id <= :untilId)
            """;
    /** Query that reads entries of an index alone. */
    private static final String END = """
            select h.ended_at, h.id from task_history h force index (by_ended_at)
             where %s
             order by h.ended_at, h.id limit 1 offset :before
            """.formatted(IN_SPAN);
    /** Query of runs; late ones are read when they are counted, and not before. */
    private static final String NEXT = "select " + RunFeed.COLUMNS + """
                   , u.task_id is not null or l.task_id is not null as late
              from task_history h force index (by_ended_at)
              left join task_uncounted u on u.task_id = h.id
              left join alert_late l on l.task_id = h.id
              %3$s
             where
            """ + IN_SPAN + """
               and %4$s
             order by h.ended_at, h.id limit :most
            """;
    /** Condition of runs that may raise an alert, or close one that is stored. */
    private static final String TELLING = """
            (h.outcome <> 'SUCCEEDED' or %s
                or h.duration_ms < :atLeast or h.duration_ms >= :longest
                or h.started_at > h.fire_time + interval :deadline * 1000 microsecond
                or (select 1 from alert a force index (by_subject)
                     where a.subject = convert(concat('job:', h.job_id) using utf8mb4) collate utf8mb4_bin
                       and a.closed_at is null limit 1) is not null)
            """.formatted(OriginSql.isPart("h"));
    /** Condition of runs that may close an alert that is not stored yet, as the run that raises it is read with it. */
    private static final String SUCCESSES_OF = "(h.outcome = 'SUCCEEDED' and h.job_id in (%s))";

    /** Factor by which more rows are read at once if a success says nothing. */
    private static final int QUIET = 4;

    private NextRuns() {}

    /**
     * Batch that is read together.
     *
     * @param rows in the order of their ends; successes of which no rule tells are left out
     * @param end up to where nothing else is to be read; null: there was nothing
     */
    record RunBatch(List<RunRow> rows, @Nullable RunPosition end, boolean more) {

        private static final RunBatch NOTHING = new RunBatch(List.of(), null, false);
    }

    /**
     * Reads the next rows in the order of their ends.
     *
     * @param late what is looked at with them
     */
    static RunBatch next(Handle handle, FeedState from, RuleBook book, List<RunRow> late, int most) {
        RunPosition counted = from.counted();
        if (counted == null || !counted.isAfter(from.readAt(), from.readId())) {
            return RunBatch.NOTHING;
        }
        boolean all = from.pings(); // of each success, too
        int atOnce = all ? most : most * QUIET;
        RunPosition far = end(handle, from, counted, atOnce);
        RunPosition until = far == null ? counted : far;
        boolean labels = book.asksForLabels();
        Query next = rows(handle, RunFeed.text(NEXT, labels, all, all ? "true" : TELLING), from, until, most);
        List<RunRow> rows = (all ? next : bind(next, book.quiet()))
                .map((row, context) -> RunFeed.read(row))
                .list();
        if (rows.isEmpty() && late.isEmpty()) {
            return new RunBatch(rows, until, far != null);
        }
        boolean full = rows.size() == most;
        RunPosition end = full ? rows.get(most - 1).position() : until;
        if (!all) {
            String successes = RunFeed.text(NEXT, labels, false, successesOf(rows, late));
            rows = withSuccesses(handle, rows, successes, from, end, atOnce);
        }
        return new RunBatch(rows, end, full || far != null);
    }

    /** Returns where so many rows end; null if there are fewer. */
    private static @Nullable RunPosition end(Handle handle, FeedState from, RunPosition counted, int rows) {
        return span(query(handle, END, "before", rows - 1), from, counted)
                .map((row, context) -> new RunPosition(SqlTime.read(row, "ended_at"), row.getLong("id")))
                .findOne()
                .orElse(null);
    }

    private static String successesOf(List<RunRow> rows, List<RunRow> late) {
        return SUCCESSES_OF.formatted(InList.ids(Stream.concat(rows.stream(), late.stream())
                .map(row -> row.run().job())
                .distinct()
                .toList()));
    }

    private static List<RunRow> withSuccesses(
            Handle handle, List<RunRow> rows, String successes, FeedState from, RunPosition end, int most) {
        Map<Long, RunRow> byTask = new HashMap<>();
        rows.forEach(row -> byTask.put(row.run().task(), row));
        rows(handle, successes, from, end, most)
                .map((row, context) -> RunFeed.read(row))
                .forEach(row -> byTask.put(row.run().task(), row));
        return byTask.values().stream()
                .sorted(Comparator.comparing((RunRow row) -> row.run().endedAt())
                        .thenComparing(row -> row.run().task()))
                .toList();
    }

    private static Query rows(Handle handle, String statement, FeedState from, RunPosition until, int most) {
        return span(query(handle, statement, "most", most), from, until);
    }

    private static Query span(Query query, FeedState from, RunPosition until) {
        return query.bind("at", SqlTime.text(from.readAt()))
                .bind("id", from.readId())
                .bind("untilAt", SqlTime.text(until.at()))
                .bind("untilId", until.id());
    }

    private static Query bind(Query query, QuietSuccess quiet) {
        return query.bind("atLeast", millis(quiet.atLeast()))
                .bind("longest", millis(quiet.below()))
                .bind("deadline", millis(quiet.deadline()));
    }

    /** Returns null for no duration: compared with that, nothing is less or more. */
    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }
}
