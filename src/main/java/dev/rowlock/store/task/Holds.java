package dev.rowlock.store.task;

import dev.rowlock.job.Hold;
import java.util.Locale;

/**
 * What holds a task is one text, {@code task.waits_for}: the kind and, after a colon, the reason. Statements write it,
 * and read {@code hold} and {@code hold_reason}, which the schema derives from it. Nodes of version 0.1 know the text
 * alone.
 */
final class Holds {

    private static final int LENGTH = 200;

    /** The text of {@link Hold#PAUSE}; without a reason, because nodes of version 0.1 compare all of it. */
    static final String PAUSED = text(Hold.PAUSE);

    /** A condition on {@code task t}: it waits by its job's policy. */
    static final String BY_POLICY = "t.hold in ('%s', '%s', '%s')".formatted(Hold.OVERLAP, Hold.GROUP, Hold.NODE);

    private Holds() {}

    /** A condition on {@code task t}. */
    static String is(Hold kind) {
        return "t.hold = '" + kind + "'";
    }

    /** The text of {@link Hold#ERROR}: one line of printable ASCII, so that it can always be stored. */
    static String error(String what) {
        String line = what.lines().findFirst().orElse("").replaceAll("[^ -~]", "?");
        String text = text(Hold.ERROR) + ": " + line;
        return text.length() <= LENGTH ? text : text.substring(0, LENGTH);
    }

    /** The text of a kind with a reason for people. */
    static String text(Hold kind, String reason) {
        String text = text(kind) + ": " + reason;
        return text.codePointCount(0, text.length()) <= LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LENGTH));
    }

    private static String text(Hold kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
