package dev.rowlock.task.transition;

import dev.rowlock.db.InList;
import dev.rowlock.db.TaskIds;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.TaskHistory.NotRun;
import dev.rowlock.task.rule.PassedOver;
import dev.rowlock.task.rule.Placement;
import dev.rowlock.task.rule.Span;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.store.TaskRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Inserts of the rows that moving cursors makes: the occurrences that they stood at and further ones, prepared, and
 * those that are skipped at once.
 */
final class AcquiredRows {

    /** Beginning of the statement, as text: parameters, ten for each row, would cost this node more than the server. */
    private static final String COLUMNS = "insert into task (id, job_id, job_version, stripe, fire_time,"
            + " next_fire_time, attempt, cause, state, launch_id, session_id, prepared_at, due_at";
    /** Insert of rows without terms of their jobs: they take the defaults of those columns, as each value costs. */
    private static final String INSERT = COLUMNS + ") values ";

    private static final String INSERT_WITH_TERMS =
            COLUMNS + ", jitter_ms, priority, group_name, selector, needs) values ";

    private AcquiredRows() {}

    /**
     * Inserts the rows of those whose cursors have moved, and returns all that is prepared.
     *
     * @param inTheWay of what is skipped behind each task: another task of its job that executes, or the task itself
     */
    static List<Task> insert(
            Handle handle, String session, List<Acquisition> taken, Instant now, Map<Long, Long> inTheWay) {
        List<Task> result = new ArrayList<>();
        List<AcquiredRow> rows = new ArrayList<>();
        List<AcquiredRow> passed = new ArrayList<>();
        List<NotRun> skipped = new ArrayList<>();
        for (Acquisition a : taken) {
            Task task = a.task();
            if (!task.cursor()) {
                result.add(task.prepared(
                        a.launch(),
                        session,
                        task.due(),
                        task.priorityIn(a.terms().priority())));
                continue;
            }
            Task first = occurrence(a, task.id(), task.fireTime(), a.nextFireTime(), task.due());
            rows.add(new AcquiredRow(first.prepared(a.launch(), session, first.due(), first.priority()), a.terms()));
            for (int i = 0; i < a.further().size(); i++) {
                Acquisition.Further further = a.further().get(i);
                Task behind = occurrence(handle, a, further.fireTime(), a.nextFireTimeAfter(i));
                Task next = behind.prepared(further.launch(), session, behind.due(), behind.priority());
                rows.add(new AcquiredRow(next, a.terms()));
            }
            Span span = a.passed();
            if (span != null) {
                Task over = occurrence(handle, a, span.first(), a.nextCursor());
                passed.add(new AcquiredRow(over, a.terms()));
                skipped.add(skipped(over.id(), task.id(), span, Objects.requireNonNull(inTheWay.get(task.id()))));
            }
        }
        rows.forEach(row -> result.add(row.task));
        rows.addAll(passed);
        insertRows(handle, session, rows, now);
        TaskRows.end(handle, skipped);
        return result;
    }

    /** Returns an occurrence behind that of the cursor, with a new id. */
    private static Task occurrence(Handle handle, Acquisition from, Instant fireTime, @Nullable Instant next) {
        Instant due = fireTime.plus(from.terms().jitter());
        return occurrence(from, TaskIds.next(handle), fireTime, next, due);
    }

    private static Task occurrence(Acquisition from, long id, Instant fireTime, @Nullable Instant next, Instant due) {
        Terms terms = from.terms();
        return from.task().occurrence(id, fireTime, next, due, terms.jitter(), terms.priority());
    }

    /** Returns the end of a skipped occurrence, which becomes history like all others, with an id of its own. */
    private static NotRun skipped(long id, long behind, Span span, long inTheWay) {
        String reason = PassedOver.reason(behind, inTheWay, span.count());
        return new NotRun(id, Outcome.SKIPPED, reason, null, span.count(), span.last(), null).supersededBy(inTheWay);
    }

    private static void insertRows(Handle handle, String session, List<AcquiredRow> rows, Instant now) {
        boolean plain = rows.stream().allMatch(AcquiredRow::isPlain);
        String by = InList.text(session);
        Map<Instant, String> times = new HashMap<>(); // many jobs are due at the same
        String preparedAt = InList.time(now);
        InList.insert(handle, plain ? INSERT : INSERT_WITH_TERMS, rows, row -> {
            Task task = row.task;
            LaunchId launch = task.launch();
            Instant next = task.nextFireTime();
            String values = "(" + task.id() + "," + task.jobId() + "," + task.version() + "," + task.stripe() + ","
                    + times.computeIfAbsent(task.fireTime(), InList::time) + ","
                    + (next == null ? "null" : times.computeIfAbsent(next, InList::time)) + ",1,'SCHEDULE',"
                    + (launch == null
                            ? "'IDLE',null,null,null,"
                            : "'PREPARED'," + InList.text(launch.text()) + "," + by + "," + preparedAt + ",")
                    + times.computeIfAbsent(task.due(), InList::time);
            return values + (plain ? ")" : "," + row.terms() + ")");
        });
    }

    /** Task to be inserted; idle when it has no launch id. */
    private record AcquiredRow(Task task, Terms of) {

        boolean isPlain() {
            return task.selector() == Placement.ANY && task.needs() == 0 && of.equals(Terms.PLAIN);
        }

        /** Returns the values of the further columns. */
        String terms() {
            return of.jitter().toMillis() + "," + of.priority() + ","
                    + (of.group() == null ? "null" : InList.text(of.group())) + "," + task.selector() + ","
                    + task.needs();
        }
    }
}
