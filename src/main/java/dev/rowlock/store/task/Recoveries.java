package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;

import dev.rowlock.db.JsonRows;
import dev.rowlock.store.history.Ending;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * New attempts for occurrences whose node was lost, where their job wants them. Losses to a node that was stopped do not count against the limit:
 * it keeps a command that kills its nodes from killing all of them, and a command that outlasts a restart or two does not. They have a limit of
 * their own, as a command may stop its node in an orderly way too.
 */
final class Recoveries {

    private static final String INSERT = """
            insert into task (job_id, job_version, shard, fire_time, origin, attempt, cause, due_at, waits_for, state)
            select lost.job_id, lost.version, lost.shard, lost.fire_time, lost.origin, lost.attempt + 1, 'RECOVERY',
                   if(lost.held, null,
                      utc_timestamp(3) + interval if(lost.times - lost.stops <= 1, 0,
                                                     floor(:backoff * pow(2, lost.times - lost.stops - 2))) microsecond),
                   if(lost.held, '%s', null), 'IDLE'
              from (select t.job_id, j.version, t.shard, t.fire_time, t.origin, t.attempt,
                           %s as held,
                           (select count(*) from task_history h
                             where h.namespace = j.namespace and h.job = j.name and h.fire_time = t.fire_time
                               and h.job_id = t.job_id and h.origin = t.origin and h.outcome = 'LOST') as times,
                           (select count(*) from task_history h
                             where h.namespace = j.namespace and h.job = j.name and h.fire_time = t.fire_time
                               and h.job_id = t.job_id and h.origin = t.origin and h.outcome = 'LOST'
                               and h.reason like :stopped) as stops
                      from json_table(:rows, '$[*]' columns (
                             id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]')) v
                      straight_join task t force index (primary) on t.id = v.id
                      straight_join job j on j.id = t.job_id
                     where (t.launch_id = v.launch or t.launch_id is null and v.launch is null)
                       and json_unquote(json_extract(j.definition, '$.onLost')) = 'RERUN') lost
             where lost.times - lost.stops <= :maxLost and :maxLost > 0 and lost.stops <= :maxStops
            """.formatted(Pause.REASON, Pause.HOLDS);

    /** The most reruns of what nodes had to end because they were stopped. */
    static final int MOST_STOPS = 10;

    private final int maxLost;
    private final Duration backoff;

    Recoveries(int maxLost, Duration backoff) {
        this.maxLost = maxLost;
        this.backoff = backoff;
    }

    /** For those of the endings that are {@code LOST}: after their history rows are written, before their task rows go. */
    void insert(Handle handle, Collection<Ending> endings) {
        List<Ending> lost = Finish.onlyLost(endings);
        if (lost.isEmpty()) {
            return;
        }
        handle.createUpdate(INSERT)
                .bind(
                        "rows",
                        JsonRows.of(
                                lost,
                                e -> row(
                                        e.taskId(),
                                        e.launch() == null ? null : e.launch().text())))
                .bind("backoff", Acquire.micros(backoff))
                .bind("maxLost", maxLost)
                .bind("maxStops", MOST_STOPS)
                .bind("stopped", Ending.NODE_STOPPED + "%")
                .execute();
    }
}
