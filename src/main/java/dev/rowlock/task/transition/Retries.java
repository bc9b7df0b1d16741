package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.TaskIds;
import dev.rowlock.definition.Retry;
import dev.rowlock.task.Ending;
import dev.rowlock.task.FollowUp;
import dev.rowlock.task.rule.RetryDecision;
import dev.rowlock.task.rule.RetryDecision.FailureFacts;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.InheritedColumns;
import dev.rowlock.task.store.PauseSql;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** New attempts at occurrences that failed, as {@link RetryDecision} decides. */
final class Retries {

    /** Failures that may be retried; a task that was being replaced has failed for good. */
    private static final String FAILURES = """
            select t.id, t.failures + 1 as failures
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
             where t.launch_id = v.launch and t.replaced_by is null
            """;

    private static final String INSERT = """
            insert into task (id, job_id, job_version, stripe, fire_time, origin, attempt, cause, not_before, due_at,
                   hold, hold_reason, state, failures, %4$s)
            select v.new_id, t.job_id, j.version, t.stripe, t.fire_time, t.origin, t.attempt + 1, 'RETRY',
                   coalesce(v.ended_at, utc_timestamp(3)) + interval v.delay microsecond,
                   if(%2$s, null, coalesce(v.ended_at, utc_timestamp(3)) + interval v.delay microsecond),
                   %1$s, 'IDLE', t.failures + 1, %3$s
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]',
                     delay bigint path '$[2]', ended_at varchar(23) character set ascii path '$[3]',
                     new_id bigint path '$[4]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
             where t.launch_id = v.launch
            """.formatted(
                    HoldStore.pauseValues(PauseSql.HOLDS),
                    PauseSql.HOLDS,
                    InheritedColumns.inherited("t."),
                    InheritedColumns.inherited(""));

    private Retries() {}

    /**
     * Inserts retries for those of the endings that are worth one. Call before their task rows are deleted.
     *
     * @return the tasks that are retried
     */
    static Set<Long> insert(Handle handle, Collection<Ending> endings) {
        Map<Long, Ending> failed = new HashMap<>();
        endings.stream().filter(e -> retry(e) != null).forEach(e -> failed.put(e.taskId(), e));
        if (failed.isEmpty()) {
            return Set.of();
        }
        Set<Long> tried = new HashSet<>();
        List<List<@Nullable Object>> again = new ArrayList<>();
        for (FailureFacts facts : read(handle, failed.values())) {
            Ending ending = Objects.requireNonNull(failed.get(facts.task()));
            RetryDecision.of(facts, Objects.requireNonNull(retry(ending))).ifPresent(decision -> {
                tried.add(ending.taskId());
                again.add(row(
                        ending.taskId(),
                        launch(ending),
                        Acquire.micros(decision.delay()),
                        SqlTime.textOrNull(ending.endedAt()),
                        TaskIds.next(handle)));
            });
        }
        if (!again.isEmpty()) {
            update(handle, INSERT, "rows", JsonRows.of(again, row -> row));
        }
        return tried;
    }

    private static @Nullable Retry retry(Ending ending) {
        @Nullable FollowUp followUp = ending.followUp();
        return followUp == null ? null : followUp.retry();
    }

    private static List<FailureFacts> read(Handle handle, Collection<Ending> failed) {
        return handle.createQuery(FAILURES)
                .bind("rows", JsonRows.of(failed, e -> row(e.taskId(), launch(e))))
                .map((row, context) -> new FailureFacts(row.getLong("id"), row.getLong("failures")))
                .list();
    }

    private static String launch(Ending ending) {
        return Objects.requireNonNull(ending.launch()).text();
    }
}
