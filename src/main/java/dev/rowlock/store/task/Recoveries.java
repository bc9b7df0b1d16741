package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.job.OnLost;
import dev.rowlock.policy.RecoveryDecision;
import dev.rowlock.store.history.Ending;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** New attempts for occurrences whose node was lost, where {@link RecoveryDecision} makes them. */
final class Recoveries {

    private static final String ROWS = """
            json_table(:rows, '$[*]' columns (
                   id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]', delay bigint path '$[2]',
                   losses int path '$[3]', stops int path '$[4]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
             where (t.launch_id = v.launch or t.launch_id is null and v.launch is null)
            """;
    /** By the task, as history may have been purged since, and by history, where nodes of version 0.1 count alone. */
    private static final String LOST = """
            select t.id, t.job_id, t.launch_id, t.replaced_by is not null as replaced, j.on_lost,
                   greatest(t.losses + 1,
                            (select count(*) from task_history h
                              where h.namespace = j.namespace and h.job = j.name and h.fire_time = t.fire_time
                                and h.job_id = t.job_id and h.origin = t.origin and h.outcome = 'LOST')) as losses,
                   greatest(t.stops + (select count(*) from task_history h
                                        where h.id = t.id and h.reason like :stopped),
                            (select count(*) from task_history h
                              where h.namespace = j.namespace and h.job = j.name and h.fire_time = t.fire_time
                                and h.job_id = t.job_id and h.origin = t.origin and h.outcome = 'LOST'
                                and h.reason like :stopped)) as stops
              from %s
            """.formatted(ROWS);

    private static final String INSERT =
            """
            insert into task (job_id, job_version, shard, fire_time, origin, attempt, cause, due_at, waits_for, state,
                   failures, %4$s)
            select t.job_id, j.version, t.shard, t.fire_time, t.origin, t.attempt + 1, 'RECOVERY',
                   if(%2$s, null, utc_timestamp(3) + interval v.delay microsecond),
                   if(%2$s, '%1$s', null), 'IDLE', t.failures, %5$s
              from %3$s
            """.formatted(Holds.PAUSED, Pause.HOLDS, ROWS, Again.inherited(""), Again.inheritedByRecovery("t."));

    private final RecoveryDecision.Limits limits;

    Recoveries(int maxLost, Duration backoff) {
        this.limits = new RecoveryDecision.Limits(maxLost, backoff);
    }

    private record Lost(long task, long job, @Nullable String launch, RecoveryDecision.Facts facts) {}

    /**
     * For those that are {@code LOST}: after their history rows are written, before their task rows go.
     *
     * @return the jobs that lost something
     */
    Set<Long> insert(Handle handle, Collection<Ending> endings) {
        List<Ending> lost = Finish.onlyLost(endings);
        if (lost.isEmpty()) {
            return Set.of();
        }
        Set<Long> jobs = new HashSet<>();
        List<List<@Nullable Object>> again = new ArrayList<>();
        for (Lost task : read(handle, lost)) {
            jobs.add(task.job);
            RecoveryDecision.of(task.facts, limits)
                    .ifPresent(decision -> again.add(row(
                            task.task,
                            task.launch,
                            Acquire.micros(decision.delay()),
                            task.facts.losses(),
                            task.facts.stops())));
        }
        if (!again.isEmpty()) {
            update(handle, INSERT, "rows", JsonRows.of(again, row -> row));
        }
        return jobs;
    }

    private static List<Lost> read(Handle handle, List<Ending> lost) {
        return handle.createQuery(LOST)
                .bind(
                        "rows",
                        JsonRows.of(
                                lost,
                                e -> row(
                                        e.taskId(),
                                        e.launch() == null ? null : e.launch().text())))
                .bind("stopped", Ending.NODE_STOPPED + "%")
                .map((row, context) ->
                        new Lost(row.getLong("id"), row.getLong("job_id"), row.getString("launch_id"), facts(row)))
                .list();
    }

    /** A value of {@code onLost} that this version does not understand is no {@code RERUN}. */
    private static RecoveryDecision.Facts facts(ResultSet row) throws SQLException {
        OnLost onLost = OnLost.RERUN.name().equals(row.getString("on_lost")) ? OnLost.RERUN : OnLost.FAIL;
        return new RecoveryDecision.Facts(
                onLost, row.getLong("losses"), row.getLong("stops"), row.getBoolean("replaced"));
    }
}
