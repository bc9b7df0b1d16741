package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.TaskIds;
import dev.rowlock.definition.OnLost;
import dev.rowlock.task.Ending;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.history.OriginSql;
import dev.rowlock.task.rule.RecoveryDecision;
import dev.rowlock.task.rule.RecoveryDecision.LossFacts;
import dev.rowlock.task.rule.RecoveryDecision.RecoveryLimits;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.InheritedColumns;
import dev.rowlock.task.store.PauseSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** New attempts at occurrences whose node was lost, as {@link RecoveryDecision} decides. */
final class Recoveries {

    private static final String ROWS = """
            json_table(:rows, '$[*]' columns (
                   id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]', delay bigint path '$[2]',
                   losses int path '$[3]', stops int path '$[4]', new_id bigint path '$[5]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
             where (t.launch_id = v.launch or t.launch_id is null and v.launch is null)
            """;
    /** Condition that it is a part of a broadcast whose node has no session except the one that has lost it. */
    private static final String NODE_GONE = "(" + OriginSql.isPart("t") + """
             and not exists (
               select 1 from session s where s.node = %s and s.state = 'ALIVE' and s.id <> coalesce(t.session_id, '')))
            """.formatted(OriginSql.node("t"));

    private static final String STOPS_OTHERS =
            "(" + OriginSql.isPart("t") + " and json_unquote(json_extract(j.definition, '$.stopOnFailure')) = 'true')";

    private static final String LOST = """
            select t.id, t.replaced_by is not null as replaced, j.on_lost,
                   %1$s as node_gone, %2$s as stops_others,
                   t.losses + 1 as losses,
                   t.stops + (select count(*) from task_history h
                               where h.id = t.id and h.reason like :stopped) as stops
              from %3$s
            """.formatted(NODE_GONE, STOPS_OTHERS, ROWS);

    private static final String INSERT = """
            insert into task (id, job_id, job_version, stripe, fire_time, origin, attempt, cause, not_before, due_at,
                   hold, hold_reason, state, failures, %4$s)
            select v.new_id, t.job_id, j.version, t.stripe, t.fire_time, t.origin, t.attempt + 1, 'RECOVERY',
                   utc_timestamp(3) + interval v.delay microsecond,
                   if(%2$s, null, utc_timestamp(3) + interval v.delay microsecond),
                   %1$s, 'IDLE', t.failures, %5$s
              from %3$s
            """.formatted(
                    HoldStore.pauseValues(PauseSql.HOLDS),
                    PauseSql.HOLDS,
                    ROWS,
                    InheritedColumns.inherited(""),
                    InheritedColumns.inheritedByRecovery("t."));

    private final RecoveryLimits limits;

    Recoveries(int maxLost, Duration backoff) {
        this.limits = new RecoveryLimits(maxLost, backoff);
    }

    /**
     * Lost task.
     *
     * @param stopsOthers whether unstarted tasks of the same broadcast are cancelled if it is not run again
     */
    private record Lost(TaskRef task, boolean stopsOthers, LossFacts facts) {}

    /**
     * Result of recording losses.
     *
     * @param jobs those that lost something
     * @param stopping those of the tasks that stop others
     */
    record RecoveryResult(Set<Long> jobs, Set<Long> stopping) {}

    /**
     * Inserts attempts for the {@code LOST} ones. Call after their history rows are written, before their task rows are
     * deleted.
     */
    RecoveryResult insert(Handle handle, Collection<Ending> endings) {
        List<Ending> lost = Finish.onlyLost(endings);
        if (lost.isEmpty()) {
            return new RecoveryResult(Set.of(), Set.of());
        }
        Set<Long> jobs = new HashSet<>();
        Set<Long> stopping = new HashSet<>();
        List<List<@Nullable Object>> again = new ArrayList<>();
        for (Lost task : read(handle, lost)) {
            jobs.add(task.task.jobId());
            Optional<RecoveryDecision> recovery = RecoveryDecision.of(task.facts, limits);
            if (recovery.isEmpty() && task.stopsOthers) {
                stopping.add(task.task.id());
            }
            recovery.ifPresent(decision -> again.add(row(
                    task.task.id(),
                    task.task.launchText(),
                    Acquire.micros(decision.delay()),
                    task.facts.losses(),
                    task.facts.stops(),
                    TaskIds.next(handle))));
        }
        if (!again.isEmpty()) {
            update(handle, INSERT, "rows", JsonRows.of(again, row -> row));
        }
        return new RecoveryResult(jobs, stopping);
    }

    private static List<Lost> read(Handle handle, List<Ending> lost) {
        Map<Long, TaskRef> tasks = new HashMap<>();
        lost.forEach(ending -> tasks.put(ending.taskId(), ending.task()));
        return handle.createQuery(LOST)
                .bind("rows", JsonRows.of(lost, e -> row(e.taskId(), e.task().launchText())))
                .bind("stopped", Ending.NODE_STOPPED + "%")
                .map((row, context) -> new Lost(
                        Objects.requireNonNull(tasks.get(row.getLong("id"))),
                        row.getBoolean("stops_others"),
                        facts(row)))
                .list();
    }

    /** Reads the facts. A value of {@code onLost} that this version does not understand is no {@code RERUN}. */
    private static LossFacts facts(ResultSet row) throws SQLException {
        OnLost onLost = OnLost.RERUN.name().equals(row.getString("on_lost")) ? OnLost.RERUN : OnLost.FAIL;
        return new LossFacts(
                onLost,
                row.getLong("losses"),
                row.getLong("stops"),
                row.getBoolean("replaced"),
                row.getBoolean("node_gone"));
    }
}
