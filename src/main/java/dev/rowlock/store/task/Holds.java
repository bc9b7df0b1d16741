package dev.rowlock.store.task;

import dev.rowlock.job.Hold;

/** Fragments of statements about what holds a task: {@code task.hold} and, for people, {@code task.hold_reason}. */
final class Holds {

    private static final int LENGTH = 200;

    /** The reason of {@link Hold#PAUSE}; how long, and why, stands in the version of the job. */
    private static final String JOB_IS_PAUSED = "the job is paused";

    /** A condition on {@code task t}: it waits by its job's policy. */
    static final String BY_POLICY = "t.hold in ('%s', '%s', '%s')".formatted(Hold.OVERLAP, Hold.GROUP, Hold.NODE);

    /** Assignments to {@code task t}: its job's pause holds it. */
    static final String PAUSED = "t.hold = '%s', t.hold_reason = '%s'".formatted(Hold.PAUSE, JOB_IS_PAUSED);

    /** Kind and reason of {@code task t} as one text; null: nothing holds it. */
    static final String TEXT = text("t.hold", "t.hold_reason");

    private Holds() {}

    /** Values for {@code hold} and {@code hold_reason} of a new row: its job's pause holds it on this condition. */
    static String pauseValues(String condition) {
        return "if(%1$s, '%2$s', null), if(%1$s, '%3$s', null)".formatted(condition, Hold.PAUSE, JOB_IS_PAUSED);
    }

    /** Assignments to {@code task t}: its job's pause holds it on this condition, else nothing does. */
    static String pauseAssignments(String condition) {
        return "t.hold = if(%1$s, '%2$s', null), t.hold_reason = if(%1$s, '%3$s', null)"
                .formatted(condition, Hold.PAUSE, JOB_IS_PAUSED);
    }

    /** A condition on {@code task t}. */
    static String is(Hold kind) {
        return "t.hold = '" + kind + "'";
    }

    /** Kind and reason as one text, from the expressions of both. */
    static String text(String kind, String reason) {
        return "concat(lower(%s), coalesce(concat(': ', nullif(%s, '%s')), ''))".formatted(kind, reason, JOB_IS_PAUSED);
    }

    /** The reason of {@link Hold#ERROR}: one line of printable ASCII, so that it can always be stored. */
    static String error(String what) {
        return reason(what.lines().findFirst().orElse("").replaceAll("[^ -~]", "?"));
    }

    /** A reason for people, cut so that kind and reason together can be kept, too. */
    static String reason(String reason) {
        int most = LENGTH - "OVERLAP: ".length();
        return reason.codePointCount(0, reason.length()) <= most
                ? reason
                : reason.substring(0, reason.offsetByCodePoints(0, most));
    }
}
