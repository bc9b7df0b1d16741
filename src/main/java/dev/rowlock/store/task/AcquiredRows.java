package dev.rowlock.store.task;

import dev.rowlock.db.SqlTime;
import dev.rowlock.job.LaunchId;
import dev.rowlock.policy.Placement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** The rows that are made when tasks are acquired: further occurrences, prepared too, and the new cursors. */
final class AcquiredRows {

    private static final String ROWS = """
            insert into task (job_id, job_version, shard, fire_time, next_fire_time, attempt, cause, state, launch_id,
                   session_id, prepared_at, cursor_of, due_at%s)
            values (:job, :version, :shard, :fireTime, :next, 1, 'SCHEDULE', :state, :launch, :session, :preparedAt,
                   :cursorOf, %s)
            """;
    /** For rows without terms of their jobs: these are the defaults of the columns, and each value costs. */
    private static final String INSERT = ROWS.formatted("", ":fireTime");

    private static final String INSERT_WITH_TERMS = ROWS.formatted(
            ", jitter_ms, priority, group_name, selector", ":due, :jitter, :priority, :group, :selector");

    private AcquiredRows() {}

    /** Makes the new rows of these acquisitions; answers all that is prepared. */
    static List<PreparedTask> insert(Handle handle, String session, List<Acquisition> taken, Instant now) {
        List<PreparedTask> result = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        for (Acquisition a : taken) {
            result.add(prepared(a, a.task().id(), a.task().dueAt(), a.launch()));
            for (int i = 0; i < a.further().size(); i++) {
                Acquisition.Further further = a.further().get(i);
                rows.add(new Row(a, further.fireTime(), a.nextFireTimeAfter(i), further.launch()));
            }
        }
        List<Row> cursors = taken.stream()
                .filter(a -> a.task().cursor() && a.nextCursor() != null)
                .map(a -> new Row(a, Objects.requireNonNull(a.nextCursor()), null, null))
                .toList();
        List<Row> all = new ArrayList<>(rows);
        all.addAll(cursors);
        if (all.isEmpty()) {
            return result;
        }
        List<Long> ids = insertRows(handle, session, all, now);
        for (int i = 0; i < rows.size(); i++) {
            Row r = rows.get(i);
            result.add(prepared(r.from, ids.get(i), r.dueAt(), Objects.requireNonNull(r.launch)));
        }
        return result;
    }

    private static PreparedTask prepared(Acquisition from, long id, Instant dueAt, LaunchId launch) {
        Candidate job = from.task();
        return new PreparedTask(
                id,
                job.jobId(),
                job.version(),
                job.shard(),
                dueAt,
                launch,
                from.terms().priority(),
                job.selector());
    }

    private static List<Long> insertRows(Handle handle, String session, List<Row> rows, Instant now) {
        boolean plain = rows.stream().allMatch(Row::isPlain);
        PreparedBatch batch = handle.prepareBatch(plain ? INSERT : INSERT_WITH_TERMS);
        for (Row r : rows) {
            boolean prepared = r.launch != null;
            batch.bind("job", r.job().jobId())
                    .bind("version", r.job().version())
                    .bind("shard", r.job().shard())
                    .bind("fireTime", SqlTime.text(r.fireTime))
                    .bind("next", SqlTime.textOrNull(r.next))
                    .bind("state", prepared ? "PREPARED" : "IDLE")
                    .bind("launch", r.launch == null ? null : r.launch.text())
                    .bind("session", prepared ? session : null)
                    .bind("preparedAt", prepared ? SqlTime.text(now) : null)
                    .bind("cursorOf", prepared ? null : r.job().jobId());
            if (!plain) {
                batch.bind("due", SqlTime.text(r.dueAt()))
                        .bind("jitter", r.from.terms().jitter().toMillis())
                        .bind("priority", r.from.terms().priority())
                        .bind("group", r.from.terms().group())
                        .bind("selector", r.job().selector());
            }
            batch.add();
        }
        List<Long> ids = batch.executePreparedBatch("id").mapTo(Long.class).list();
        if (ids.size() != rows.size()) {
            throw new IllegalStateException("inserted " + rows.size() + " tasks but was told " + ids.size() + " ids");
        }
        return ids;
    }

    /** A task to be inserted; idle and with the cursor when it has no launch id. */
    private record Row(
            Acquisition from,
            Instant fireTime,
            @Nullable Instant next,
            @Nullable LaunchId launch) {

        Candidate job() {
            return from.task();
        }

        boolean isPlain() {
            return job().selector() == Placement.ANY && from.terms().equals(Acquisition.Terms.PLAIN);
        }

        Instant dueAt() {
            return fireTime.plus(from.terms().jitter());
        }
    }
}
