package dev.rowlock.task.query;

import dev.rowlock.task.store.HoldStore;

/**
 * Wait for a slot: of a task that is due and that nothing holds. It is not stored, but computed where it is read, once
 * for a statement, from the executing tasks.
 */
final class SlotWait {

    /** Reason that all nodes are full; null, unless all nodes that take work are. */
    private static final String ALL_TAKEN = """
            (select if(min(n.executing >= n.capacity), concat('no node has a free slot: ', group_concat(
                       concat(n.node, ' (', n.executing, ' of ', n.capacity, ')')
                       order by n.node separator ', ')), null)
               from (select s.node, s.capacity,
                            (select count(*) from task e force index (held)
                              where e.session_id = s.id and e.state = 'EXECUTING') as executing
                       from session s
                      where s.state = 'ALIVE' and not s.drained and not s.stopping) n)""";

    /** Reason of {@code task t}: what holds it, or that it has been waiting for a slot. */
    static final String REASON = reason("t.state in ('IDLE', 'PREPARED') and ");
    /** Reason of a cursor {@code job_next t}. */
    static final String REASON_OF_CURSOR = reason("");

    private SlotWait() {}

    private static String reason(String waits) {
        return "coalesce(%s, if(%st.due_at < utc_timestamp(3) - interval 1 second,\n%s, null))"
                .formatted(HoldStore.TEXT, waits, ALL_TAKEN);
    }
}
