package dev.rowlock.task.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Hold.Trait;
import dev.rowlock.task.store.FireDecisions.Decided;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jdbi.v3.core.Handle;

/**
 * Holds of tasks, {@code task.hold} and, for people, {@code task.hold_reason}: one statement, and fragments of others.
 */
public final class HoldStore {

    private static final int LENGTH = 200;

    /** Reason of {@link Hold#PAUSE}; how long, and why, is in the version of the job. */
    private static final String JOB_IS_PAUSED = "the job is paused";

    /** Condition on {@code task t}: it waits by its job's policy. */
    public static final String BY_POLICY = "t.hold in " + Hold.listOf(Trait.POLICY);

    /** Assignments to {@code task t}: its job's pause holds it. */
    public static final String PAUSED = "t.hold = '%s', t.hold_reason = '%s'".formatted(Hold.PAUSE, JOB_IS_PAUSED);

    /** Kind and reason of {@code task t} as one text; null: nothing holds it. */
    public static final String TEXT = text("t.hold", "t.hold_reason");

    /** Transition prepared → idle, held: the task is to wait for something other than its time. */
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
            """.formatted(text("v.hold", "v.reason"));

    private HoldStore() {}

    /** Holds these prepared tasks, which wait by the policies of their jobs. */
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
                                reason(Objects.requireNonNull(d.decision().reason())),
                                SqlTime.textOrNull(d.decision().until()))));
        if (held != tasks.size()) {
            throw new IllegalStateException("held " + held + " of " + tasks.size() + " locked tasks");
        }
    }

    /**
     * Returns values for {@code hold} and {@code hold_reason} of a new row: its job's pause holds it on this condition.
     */
    public static String pauseValues(String condition) {
        return "if(%1$s, '%2$s', null), if(%1$s, '%3$s', null)".formatted(condition, Hold.PAUSE, JOB_IS_PAUSED);
    }

    /** Returns assignments to {@code task t}: its job's pause holds it on this condition, else nothing does. */
    public static String pauseAssignments(String condition) {
        return "t.hold = if(%1$s, '%2$s', null), t.hold_reason = if(%1$s, '%3$s', null)"
                .formatted(condition, Hold.PAUSE, JOB_IS_PAUSED);
    }

    /** Returns a condition on {@code task t}: it is held by this kind. */
    public static String is(Hold kind) {
        return "t.hold = '" + kind + "'";
    }

    /** Returns kind and reason as one text, from the expressions of both. */
    static String text(String kind, String reason) {
        return "concat(lower(%s), coalesce(concat(': ', nullif(%s, '%s')), ''))".formatted(kind, reason, JOB_IS_PAUSED);
    }

    /** Returns kind and reason of a hold as one text. */
    public static String text(Hold kind, String reason) {
        return kind.name().toLowerCase(Locale.ROOT) + ": " + reason(reason);
    }

    /** Returns the reason of {@link Hold#ERROR}: one line of printable ASCII, so that it can always be stored. */
    public static String error(String what) {
        return reason(what.lines().findFirst().orElse("").replaceAll("[^ -~]", "?"));
    }

    /** Returns a reason for people, cut so that kind and reason fit into one column, too. */
    public static String reason(String reason) {
        int most = LENGTH - "OVERLAP: ".length();
        return reason.codePointCount(0, reason.length()) <= most
                ? reason
                : reason.substring(0, reason.offsetByCodePoints(0, most));
    }
}
