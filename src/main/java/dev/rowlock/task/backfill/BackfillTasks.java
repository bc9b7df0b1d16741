package dev.rowlock.task.backfill;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.TaskIds;
import dev.rowlock.definition.JobKey;
import dev.rowlock.task.Ending;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.backfill.BackfillQueries.FireTimeState;
import dev.rowlock.task.backfill.BackfillRequest.FireTimeOrder;
import dev.rowlock.task.backfill.BackfillRows.WaitingTime;
import dev.rowlock.task.history.TaskHistory;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.FeatureLevel;
import dev.rowlock.task.store.SelectorStore;
import dev.rowlock.task.store.Waits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Backfills of one job, under its stripe row. */
public final class BackfillTasks {

    private static final String INSERT = """
            insert into backfill (job_id, namespace, job, from_at, until_at, only_which, run_order, parallel, priority,
                   fire_times, asked_by, created_at)
            values (:jobId, :namespace, :job, :from, :until, :only, :order, :parallel, :priority, :fireTimes, :by, :now)
            """;
    private static final String INSERT_TIMES = """
            insert into backfill_time (backfill_id, fire_time, task_id)
            select :backfill, cast(v.fire_time as datetime(3)), v.task
              from json_table(:rows, '$[*]' columns (
                     fire_time varchar(23) character set ascii path '$[0]', task bigint path '$[1]')) v
            """;
    private static final String ONE =
            "select " + BackfillRows.COLUMNS + " from backfill b where b.id = :id and b.job_id = :job for update";
    private static final String NEXT = """
            select w.fire_time, w.task_id from backfill_time w force index (by_turn)
             where w.backfill_id = :id and not w.made order by w.fire_time %s limit :most
            """;
    private static final String MAKE = """
            insert into task (id, job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, state,
                   selector, priority, group_name, needs)
            select v.id, :job, :version, :stripe, cast(v.fire_time as datetime(3)), :origin, 1, 'BACKFILL', :due,
                   'IDLE', :selector, :priority, :group, %s
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', fire_time varchar(23) character set ascii path '$[1]')) v
            """.formatted(FeatureLevel.POLICIES);
    private static final String MADE = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', fire_time varchar(23) character set ascii path '$[1]')) v
              straight_join backfill_time w force index (primary)
                on w.backfill_id = :id and w.fire_time = cast(v.fire_time as datetime(3))
               set w.made = true
            """;
    private static final String END = """
            update backfill b set b.ended_at = :now
             where b.id = :id and b.ended_at is null and not exists (
                   select 1 from backfill_time w force index (by_turn) where w.backfill_id = :id and not w.made)
            """;
    private static final String CANCEL = """
            update backfill set cancelled_at = :now, cancelled_by = :by
             where id = :id and cancelled_at is null
            """;
    /** Fire times that are written, or end, with one statement. */
    private static final int TOGETHER = 500;

    private final Handle handle;
    private final JobTerms job;
    private final Instant now;

    /**
     * Job as new tasks take it.
     *
     * @param group null: none
     */
    public record JobTerms(
            long id, int version, Selector nodes, @Nullable String group) {}

    public BackfillTasks(Handle handle, JobTerms job, Instant now) {
        this.handle = handle;
        this.job = job;
        this.now = now;
    }

    /**
     * Stores a request with its fire times, and returns its id.
     *
     * @param until the end of its period
     * @param by null: nobody who is known
     */
    public long insert(BackfillRequest asked, Instant until, JobKey key, List<Instant> times, @Nullable String by) {
        long id = handle.createUpdate(INSERT)
                .bind("jobId", job.id())
                .bind("namespace", key.namespace())
                .bind("job", key.name())
                .bind("from", SqlTime.text(asked.from()))
                .bind("until", SqlTime.text(until))
                .bind("only", asked.only().name())
                .bind("order", asked.order().name())
                .bind("parallel", asked.parallel())
                .bind("priority", asked.priority())
                .bind("fireTimes", times.size())
                .bind("by", by)
                .bind("now", SqlTime.text(now))
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Long.class)
                .one();
        for (int from = 0; from < times.size(); from += TOGETHER) {
            List<Instant> part = times.subList(from, Math.min(times.size(), from + TOGETHER));
            Iterator<Long> ids = TaskIds.next(handle, part.size()).iterator();
            update(
                    handle,
                    INSERT_TIMES,
                    "backfill",
                    id,
                    "rows",
                    JsonRows.of(part, time -> row(SqlTime.text(time), ids.next())));
        }
        return id;
    }

    /** Returns and locks a backfill of the job of which fire times wait. */
    public Optional<Backfill> open(long id) {
        return find(id).filter(backfill -> backfill.endedAt() == null);
    }

    /** Returns and locks a backfill of the job. */
    public Optional<Backfill> find(long id) {
        return query(handle, ONE, "id", id, "job", job.id())
                .map((row, context) -> BackfillRows.read(row))
                .findOne();
    }

    /** Returns the states of these fire times, as they stay until the transaction ends. */
    public List<FireTimeState> states(JobKey key, List<Instant> fireTimes) {
        return BackfillQueries.states(handle, job.id(), key, fireTimes);
    }

    /** Makes due tasks of the next fire times of a backfill, which {@link #open} has returned. */
    public int makeNext(Backfill backfill, int most) {
        List<WaitingTime> next = next(backfill, most);
        if (!next.isEmpty()) {
            make(backfill, next, now);
        }
        end(backfill);
        return next.size();
    }

    /** Notes that somebody cancels a backfill. */
    public void cancel(Backfill backfill, @Nullable String by) {
        update(handle, CANCEL, "now", SqlTime.text(now), "by", by, "id", backfill.id());
    }

    /**
     * Ends some of the fire times that wait as cancelled, as rows of history.
     *
     * @param live the live tasks of the job: those of the backfill that have not started are ended, too
     * @return whether there may be more
     */
    public boolean endWaiting(Backfill backfill, Collection<Task> live, String reason) {
        List<TaskRef> ended = new ArrayList<>();
        live.stream()
                .filter(backfill::has)
                .filter(task -> !task.isExecuting() && !task.started())
                .forEach(task -> ended.add(task.ref()));
        List<WaitingTime> next = next(backfill, TOGETHER);
        if (!next.isEmpty()) {
            make(backfill, next, null);
            next.forEach(time ->
                    ended.add(new TaskRef(time.task(), job.id(), job.version(), Locks.stripeOf(job.id()), null)));
        }
        if (!ended.isEmpty()) {
            TaskHistory.record(
                    handle,
                    ended.stream()
                            .map(task -> Ending.cancelled(task, now, reason))
                            .toList(),
                    "");
            Waits.forget(handle, ended.stream().map(TaskRef::id).toList());
        }
        end(backfill);
        return next.size() == TOGETHER;
    }

    private List<WaitingTime> next(Backfill backfill, int most) {
        return query(
                        handle,
                        NEXT.formatted(backfill.order() == FireTimeOrder.OLDEST_FIRST ? "asc" : "desc"),
                        "id",
                        backfill.id(),
                        "most",
                        most)
                .map((row, context) -> WaitingTime.read(row))
                .list();
    }

    /** @param due null: they are to end at once */
    private void make(Backfill backfill, List<WaitingTime> times, @Nullable Instant due) {
        String rows = JsonRows.of(times, time -> row(time.task(), SqlTime.text(time.fireTime())));
        handle.createUpdate(MAKE)
                .bind("job", job.id())
                .bind("version", job.version())
                .bind("stripe", Locks.stripeOf(job.id()))
                .bind("origin", backfill.origin().text())
                .bind("due", SqlTime.textOrNull(due))
                .bind("selector", SelectorStore.idOf(handle, job.nodes()))
                .bind("priority", backfill.priority())
                .bind("group", job.group())
                .bind("rows", rows)
                .execute();
        update(handle, MADE, "rows", rows, "id", backfill.id());
    }

    private void end(Backfill backfill) {
        update(handle, END, "now", SqlTime.text(now), "id", backfill.id());
    }
}
