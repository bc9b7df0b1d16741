package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.store.task.FireDecisions.Decided;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;

/** Prepared → idle, held: what is to wait for something else than its time. */
final class Holding {

    private static final String HOLD = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]',
                     hold varchar(10) character set ascii path '$[2]',
                     reason varchar(200) character set utf8mb4 path '$[3]',
                     until varchar(23) character set ascii path '$[4]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.state = 'IDLE', t.launch_id = null, t.session_id = null, t.prepared_at = null,
                   t.due_at = v.until, t.hold = v.hold, t.hold_reason = v.reason, t.waited_for = %s,
                   t.queued_at = coalesce(t.queued_at, utc_timestamp(3))
             where t.state = 'PREPARED' and t.launch_id = v.launch
            """.formatted(Holds.text("v.hold", "v.reason"));

    private Holding() {}

    static void hold(Handle handle, List<Decided> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        int held = update(
                handle,
                HOLD,
                "rows",
                JsonRows.of(
                        tasks,
                        d -> row(
                                d.claim().id(),
                                d.claim().held().text(),
                                Objects.requireNonNull(d.decision().hold()).name(),
                                Holds.reason(Objects.requireNonNull(d.decision().reason())),
                                SqlTime.textOrNull(d.decision().until()))));
        if (held != tasks.size()) {
            throw new IllegalStateException("held " + held + " of " + tasks.size() + " locked tasks");
        }
    }
}
