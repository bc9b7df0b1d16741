package dev.rowlock.store.task;

import dev.rowlock.db.Listed;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.policy.PassedOver;
import dev.rowlock.policy.Placement;
import dev.rowlock.policy.Span;
import dev.rowlock.policy.Terms;
import dev.rowlock.store.history.TaskHistory.NotRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The rows that are made when tasks are acquired: further occurrences, prepared too, or skipped at once, and the new
 * cursors.
 */
final class AcquiredRows {

    /** As text: a statement of parameters, ten for each row, would cost this node more than the server. */
    private static final String COLUMNS = "insert into task (job_id, job_version, stripe, fire_time, next_fire_time,"
            + " attempt, cause, state, launch_id, session_id, prepared_at, cursor_of, due_at";
    /** For rows without terms of their jobs: the others have the defaults of their columns, and each value costs. */
    private static final String INSERT = COLUMNS + ") values ";

    private static final String INSERT_WITH_TERMS = COLUMNS + ", jitter_ms, priority, group_name, selector) values ";

    private AcquiredRows() {}

    /**
     * Makes the new rows of these acquisitions; answers all that is prepared.
     *
     * @param inTheWay of what is skipped behind each task: another task of its job that executes, or the task itself
     */
    static List<PreparedTask> insert(
            Handle handle, String session, List<Acquisition> taken, Instant now, Map<Long, Long> inTheWay) {
        List<PreparedTask> result = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        for (Acquisition a : taken) {
            result.add(prepared(a, a.task().id(), a.task().fireTime(), a.task().dueAt(), a.launch()));
            for (int i = 0; i < a.further().size(); i++) {
                Acquisition.Further further = a.further().get(i);
                rows.add(new Row(a, further.fireTime(), a.nextFireTimeAfter(i), further.launch(), false));
            }
        }
        List<Row> passed = taken.stream()
                .flatMap(a -> Stream.ofNullable(a.passed())
                        .map(span -> new Row(a, span.first(), a.nextCursor(), null, false)))
                .toList();
        List<Row> all = new ArrayList<>(rows);
        all.addAll(passed);
        taken.stream()
                .filter(a -> a.task().cursor() && a.nextCursor() != null)
                .forEach(a -> all.add(new Row(a, Objects.requireNonNull(a.nextCursor()), null, null, true)));
        if (all.isEmpty()) {
            return result;
        }
        List<Long> ids = insertRows(handle, session, all, now);
        for (int i = 0; i < rows.size(); i++) {
            Row r = rows.get(i);
            result.add(prepared(r.from, ids.get(i), r.fireTime(), r.dueAt(), Objects.requireNonNull(r.launch)));
        }
        skip(handle, passed, ids.subList(rows.size(), rows.size() + passed.size()), inTheWay);
        return result;
    }

    /** They become history as all others do, with an id of their own. */
    private static void skip(Handle handle, List<Row> passed, List<Long> ids, Map<Long, Long> inTheWay) {
        List<NotRun> skipped = new ArrayList<>();
        for (int i = 0; i < passed.size(); i++) {
            Acquisition by = passed.get(i).from;
            Span span = Objects.requireNonNull(by.passed());
            long task = by.task().id();
            long other = Objects.requireNonNull(inTheWay.get(task));
            skipped.add(new NotRun(
                            ids.get(i),
                            Outcome.SKIPPED,
                            PassedOver.reason(task, other, span.count()),
                            null,
                            span.count(),
                            span.last(),
                            null)
                    .supersededBy(other));
        }
        TaskRows.end(handle, skipped);
    }

    private static PreparedTask prepared(Acquisition from, long id, Instant fireTime, Instant dueAt, LaunchId launch) {
        Candidate job = from.task();
        return new PreparedTask(
                id,
                job.jobId(),
                job.version(),
                job.stripe(),
                fireTime,
                dueAt,
                launch,
                from.terms().priority(),
                job.selector());
    }

    private static List<Long> insertRows(Handle handle, String session, List<Row> rows, Instant now) {
        boolean plain = rows.stream().allMatch(Row::isPlain);
        String by = Listed.text(session);
        Map<Instant, String> times = new HashMap<>(); // many jobs are due at the same
        String preparedAt = Listed.time(now);
        return Listed.insert(handle, plain ? INSERT : INSERT_WITH_TERMS, rows, row -> {
            Candidate job = row.job();
            String fireTime = times.computeIfAbsent(row.fireTime, Listed::time);
            String values = "(" + job.jobId() + "," + job.version() + "," + job.stripe() + "," + fireTime + ","
                    + (row.next == null ? "null" : times.computeIfAbsent(row.next, Listed::time)) + ",1,'SCHEDULE',"
                    + (row.launch == null
                            ? "'IDLE',null,null,null," + (row.cursor ? job.jobId() : "null") + ","
                            : "'PREPARED'," + Listed.text(row.launch.text()) + "," + by + "," + preparedAt + ",null,");
            return values + (plain ? fireTime + ")" : row.terms() + ")");
        });
    }

    /** A task to be inserted; idle when it has no launch id. */
    private record Row(
            Acquisition from,
            Instant fireTime,
            @Nullable Instant next,
            @Nullable LaunchId launch,
            boolean cursor) {

        Candidate job() {
            return from.task();
        }

        boolean isPlain() {
            return job().selector() == Placement.ANY && from.terms().equals(Terms.PLAIN);
        }

        /** Due, and what follows it in the columns. */
        String terms() {
            Terms terms = from.terms();
            return Listed.time(dueAt()) + "," + terms.jitter().toMillis() + "," + terms.priority() + ","
                    + (terms.group() == null ? "null" : Listed.text(terms.group())) + "," + job().selector();
        }

        Instant dueAt() {
            return fireTime.plus(from.terms().jitter());
        }
    }
}
