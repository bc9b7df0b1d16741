package dev.rowlock.task.transition;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.SqlErrors;
import dev.rowlock.task.Ending;
import dev.rowlock.task.rule.WakeDecision.FreedResource;
import dev.rowlock.task.store.GroupSlots;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.Waiters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recording of what a session lost, within the transaction that ends it. What history refuses is set aside, behind a
 * savepoint, so that one such row delays neither expiry nor a new session.
 */
public final class Losses {

    private static final Logger log = LoggerFactory.getLogger(Losses.class);
    private static final String SAVEPOINT = "savepoint before_losses";
    private static final String BACK = "rollback to savepoint before_losses";
    private static final String SET_ASIDE = """
            update task
               set state = 'IDLE', launch_id = null, session_id = null, due_at = null,
                      hold = 'ERROR', hold_reason = coalesce(:why, hold_reason)
             where id = :id
            """;

    private final Handle handle;
    private final Finish finish;
    private final @Nullable String node;

    /**
     * Records losses in this transaction.
     *
     * @param node name for history if the session's row is gone; null: unknown
     */
    public Losses(Handle handle, Finish finish, @Nullable String node) {
        this.handle = handle;
        this.finish = finish;
        this.node = node;
    }

    public void record(Collection<Ending> lost) {
        if (lost.isEmpty()) {
            return;
        }
        handle.execute(SAVEPOINT);
        try {
            finish.recordIn(handle, lost, node);
        } catch (RuntimeException e) {
            if (!SqlErrors.isOfData(e)) {
                throw e; // of the server: no row is to blame, and all of it is tried again
            }
            handle.execute(BACK);
            if (lost.size() == 1) {
                Ending ending = lost.iterator().next();
                log.error("the database refuses {}", ending, e);
                setAside(ending.taskId(), HoldStore.error("its loss cannot be recorded: " + e.getMessage()));
            } else {
                halves(lost).forEach(this::record);
            }
        }
    }

    /** Sets aside a task whose row already notes the error. */
    public void setAside(long task) {
        setAside(task, null);
    }

    private void setAside(long task, @Nullable String why) {
        update(handle, SET_ASIDE, "why", why, "id", task);
        GroupSlots.free(handle, List.of(task));
        Waiters.wakeBehind(handle, List.of(task), FreedResource.RUN);
        Asides.note(handle, List.of(task));
    }

    private static List<List<Ending>> halves(Collection<Ending> endings) {
        List<Ending> all = new ArrayList<>(endings);
        return List.of(all.subList(0, all.size() / 2), all.subList(all.size() / 2, all.size()));
    }
}
