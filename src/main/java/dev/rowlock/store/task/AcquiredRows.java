package dev.rowlock.store.task;

import dev.rowlock.db.Listed;
import dev.rowlock.db.TaskIds;
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
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are made when cursors move on: the occurrences that they stood at and further ones, prepared, and those
 * that are skipped at once.
 */
final class AcquiredRows {

    /** As text: a statement of parameters, ten for each row, would cost this node more than the server. */
    private static final String COLUMNS = "insert into task (id, job_id, job_version, stripe, fire_time,"
            + " next_fire_time, attempt, cause, state, launch_id, session_id, prepared_at, due_at";
    /** For rows without terms of their jobs: the others have the defaults of their columns, and each value costs. */
    private static final String INSERT = COLUMNS + ") values ";

    private static final String INSERT_WITH_TERMS =
            COLUMNS + ", jitter_ms, priority, group_name, selector, needs) values ";

    private AcquiredRows() {}

    /**
     * Makes the rows of those whose cursors have moved; answers all that is prepared.
     *
     * @param inTheWay of what is skipped behind each task: another task of its job that executes, or the task itself
     */
    static List<PreparedTask> insert(
            Handle handle, String session, List<Acquisition> taken, Instant now, Map<Long, Long> inTheWay) {
        List<PreparedTask> result = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        List<Row> passed = new ArrayList<>();
        for (Acquisition a : taken) {
            if (!a.task().cursor()) {
                result.add(
                        prepared(a, a.task().id(), a.task().fireTime(), a.task().dueAt(), a.launch()));
                continue;
            }
            rows.add(new Row(a, a.task().id(), a.task().fireTime(), a.task().dueAt(), a.nextFireTime(), a.launch()));
            for (int i = 0; i < a.further().size(); i++) {
                Acquisition.Further further = a.further().get(i);
                rows.add(row(handle, a, further.fireTime(), a.nextFireTimeAfter(i), further.launch()));
            }
            Span span = a.passed();
            if (span != null) {
                passed.add(row(handle, a, span.first(), a.nextCursor(), null));
            }
        }
        rows.stream()
                .map(r -> prepared(r.from, r.id, r.fireTime, r.dueAt, Objects.requireNonNull(r.launch)))
                .forEach(result::add);
        rows.addAll(passed);
        insertRows(handle, session, rows, now);
        skip(handle, passed, inTheWay);
        return result;
    }

    /** Of an occurrence behind that of the cursor, which gets an id now. */
    private static Row row(
            Handle handle, Acquisition from, Instant fireTime, @Nullable Instant next, @Nullable LaunchId launch) {
        Instant dueAt = fireTime.plus(from.terms().jitter());
        return new Row(from, TaskIds.next(handle), fireTime, dueAt, next, launch);
    }

    /** They become history as all others do, with an id of their own. */
    private static void skip(Handle handle, List<Row> passed, Map<Long, Long> inTheWay) {
        List<NotRun> skipped = new ArrayList<>();
        for (Row row : passed) {
            Span span = Objects.requireNonNull(row.from.passed());
            long task = row.from.task().id();
            long other = Objects.requireNonNull(inTheWay.get(task));
            skipped.add(new NotRun(
                            row.id,
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

    private static void insertRows(Handle handle, String session, List<Row> rows, Instant now) {
        boolean plain = rows.stream().allMatch(Row::isPlain);
        String by = Listed.text(session);
        Map<Instant, String> times = new HashMap<>(); // many jobs are due at the same
        String preparedAt = Listed.time(now);
        Listed.insert(handle, plain ? INSERT : INSERT_WITH_TERMS, rows, row -> {
            Candidate job = row.from.task();
            String values = "(" + row.id + "," + job.jobId() + "," + job.version() + "," + job.stripe() + ","
                    + times.computeIfAbsent(row.fireTime, Listed::time) + ","
                    + (row.next == null ? "null" : times.computeIfAbsent(row.next, Listed::time)) + ",1,'SCHEDULE',"
                    + (row.launch == null
                            ? "'IDLE',null,null,null,"
                            : "'PREPARED'," + Listed.text(row.launch.text()) + "," + by + "," + preparedAt + ",")
                    + times.computeIfAbsent(row.dueAt, Listed::time);
            return values + (plain ? ")" : "," + row.terms() + ")");
        });
    }

    /** A task to be inserted; idle when it has no launch id. */
    private record Row(
            Acquisition from,
            long id,
            Instant fireTime,
            Instant dueAt,
            @Nullable Instant next,
            @Nullable LaunchId launch) {

        boolean isPlain() {
            return from.task().selector() == Placement.ANY
                    && from.task().needs() == 0
                    && from.terms().equals(Terms.PLAIN);
        }

        /** What follows in the columns. */
        String terms() {
            Terms terms = from.terms();
            return terms.jitter().toMillis() + "," + terms.priority() + ","
                    + (terms.group() == null ? "null" : Listed.text(terms.group())) + ","
                    + from.task().selector() + "," + from.task().needs();
        }
    }
}
