package dev.rowlock.task.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.TaskIds;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Ending;
import dev.rowlock.task.rule.Expansion;
import dev.rowlock.task.rule.Expansion.BroadcastPart;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.EligibleNodes.Everywhere;
import dev.rowlock.task.store.FireDecisions.Decided;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Expansion of occurrences of a broadcast, which end themselves, into one task for each node. */
final class Expanding {

    private static final String INSERT =
            """
            insert into task (id, job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, hold,
                   hold_reason, waited_for, queued_at, state, %s)
            select v.new_id, t.job_id, t.job_version, t.stripe, t.fire_time, v.origin, 1, t.cause,
                   if(v.reason is null, utc_timestamp(3), v.until), if(v.reason is null, null, 'OVERLAP'),
                   v.reason, concat('overlap: ', v.reason), if(v.reason is null, null, utc_timestamp(3)), 'IDLE', %s
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]',
                     origin varchar(80) character set utf8mb4 path '$[2]', selector int path '$[3]',
                     reason varchar(200) character set utf8mb4 path '$[4]',
                     until varchar(23) character set ascii path '$[5]', new_id bigint path '$[6]')) v
              straight_join task t force index (primary) on t.id = v.id
             where t.state = 'PREPARED' and t.launch_id = v.launch
             order by v.id, v.origin
            """.formatted(InheritedColumns.inherited(""), InheritedColumns.inheritedByPart("t."));

    private Expanding() {}

    /**
     * Expands these occurrences. Call before their rows are deleted.
     *
     * @param everywhere nodes of each
     * @return their ends
     */
    static List<Ending> expand(Handle handle, List<Decided> occurrences, Map<Long, Everywhere> everywhere) {
        if (occurrences.isEmpty()) {
            return List.of();
        }
        Map<Selector, Integer> ids = selectors(handle, occurrences, everywhere);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<Ending> endings = new ArrayList<>();
        for (Decided d : occurrences) {
            Everywhere there = Objects.requireNonNull(everywhere.get(d.claim().id()));
            Expansion expansion = Expansion.of(
                    d.claim().id(),
                    d.row().task().origin(),
                    there.nodes(),
                    Objects.requireNonNull(d.claim().policy().broadcast()));
            for (BroadcastPart part : expansion.parts()) {
                rows.add(row(
                        d.claim().id(),
                        d.claim().held().text(),
                        part.origin().text(),
                        ids.get(there.selector().on(part.node())),
                        part.waits() == null ? null : HoldStore.reason(part.waits()),
                        SqlTime.textOrNull(d.decision().until()),
                        TaskIds.next(handle)));
            }
            endings.add(Ending.without(d.claim().task().ref(), Outcome.EXPANDED, expansion.reason()));
        }
        int inserted = update(handle, INSERT, "rows", JsonRows.of(rows, row -> row));
        if (inserted != rows.size()) {
            throw new IllegalStateException("made " + inserted + " of " + rows.size() + " tasks of a broadcast");
        }
        return endings;
    }

    private static Map<Selector, Integer> selectors(
            Handle handle, List<Decided> occurrences, Map<Long, Everywhere> everywhere) {
        Set<Selector> selectors = new HashSet<>();
        for (Decided d : occurrences) {
            Everywhere there = Objects.requireNonNull(everywhere.get(d.claim().id()));
            there.nodes().forEach(node -> selectors.add(there.selector().on(node.name())));
        }
        return SelectorStore.idsOf(handle, selectors);
    }
}
