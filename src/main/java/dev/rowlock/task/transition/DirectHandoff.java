package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.FeatureLevel;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.JobAtVersion;
import dev.rowlock.task.store.PauseSql;
import dev.rowlock.task.store.TaskColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Transition idle and held → prepared, in the transaction that ends what was in the way: for the session that executed
 * it, which need not scan for it. Whether it starts is decided when it is fired, as of all that is prepared.
 */
final class DirectHandoff {

    /** Query with the conditions of {@link Acquire}: of the present version, and not paused. */
    private static final String TAKEABLE = """
            select %s,
                   s.node, s.labels, s.state = 'ALIVE' and not s.drained as takes_work
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id and j.version = t.job_version
              straight_join session s on s.id = :session
             where t.state = 'IDLE' and (%s or %s) and not %s and %s
            """.formatted(
                    TaskColumns.OF_TASK,
                    HoldStore.is(Hold.OVERLAP),
                    HoldStore.is(Hold.GROUP),
                    PauseSql.HOLDS,
                    FeatureLevel.MET);

    private static final String PREPARE = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.state = 'PREPARED', t.launch_id = v.launch, t.session_id = :session,
                   t.prepared_at = utc_timestamp(3), t.due_at = utc_timestamp(3), t.hold = null, t.hold_reason = null
             where t.state = 'IDLE'
            """;

    private DirectHandoff() {}

    private record Takeable(Task task, CandidateNode node) {}

    /**
     * Gives the session those of these tasks that it may run, under their stripe rows.
     *
     * @return those; none if the session is gone
     */
    static List<Task> to(Taker taker, Handle handle, Collection<Long> tasks) {
        if (tasks.isEmpty()) {
            return List.of();
        }
        List<Task> taken = query(handle, TAKEABLE, "ids", JsonRows.ids(tasks), "session", taker.session())
                .map((row, context) -> takeable(row, taker))
                .list()
                .stream()
                .filter(task -> takes(taker, task))
                .map(Takeable::task)
                .toList();
        if (!taken.isEmpty()) {
            prepare(handle, taker.session(), taken);
        }
        return taken;
    }

    private static boolean takes(Taker taker, Takeable found) {
        Selector selector = taker.selectors().get(found.task.selector());
        return selector != null
                && found.node.takes(selector)
                && taker.understands().test(new JobAtVersion(found.task.jobId(), found.task.version()));
    }

    private static void prepare(Handle handle, String session, List<Task> taken) {
        String rows =
                JsonRows.of(taken, task -> row(task.id(), task.ref().held().text()));
        int prepared = update(handle, PREPARE, "rows", rows, "session", session);
        if (prepared != taken.size()) {
            throw new IllegalStateException("prepared " + prepared + " of " + taken.size() + " locked tasks");
        }
    }

    private static Takeable takeable(ResultSet row, Taker taker) throws SQLException {
        Task task = TaskColumns.read(row);
        return new Takeable(
                task.prepared(taker.launches().get(), taker.session(), taker.now(), task.priority()),
                new CandidateNode(row.getString("node"), JsonRows.texts(row, "labels"), row.getBoolean("takes_work")));
    }
}
