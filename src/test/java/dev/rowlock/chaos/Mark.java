package dev.rowlock.chaos;

import java.time.Instant;

/**
 * A line that a command has written about itself.
 *
 * @param uptimeMillis on the scale of {@code /proc/uptime}, in steps of ten
 * @param exitCode of an {@code END}; otherwise -1
 * @param run the key of the run by hand that differs from its job, followed by {@code +} if its command does; {@code -}:
 *     it is none
 * @param edition which definition of the job this is; {@code -}: one that does not say
 * @param line which line of its schedule says that it has fired it; {@code -}: one that does not say
 * @param schedule the text of that line, with {@code _} for blanks; {@code -}: none
 */
record Mark(
        Kind kind,
        String job,
        Instant fireTime,
        int attempt,
        String cause,
        String node,
        String session,
        String launch,
        long task,
        long uptimeMillis,
        long pid,
        int exitCode,
        String run,
        String edition,
        String line,
        String schedule) {

    /** What the line is about. */
    enum Kind {
        START,
        /** Half a second of a long command, or of a child of it, has gone by. */
        TICK,
        /** A process that wants to outlive its command has begun. */
        CHILD,
        END
    }

    private static final int WORDS = 16;

    static Mark parse(String line) {
        String[] word = line.split(" ", -1);
        if (word.length != WORDS) {
            throw new IllegalStateException("a mark must have " + WORDS + " words: '" + line + "'");
        }
        return new Mark(
                Kind.valueOf(word[0]),
                word[1],
                Instant.parse(word[2]),
                Integer.parseInt(word[3]),
                word[4],
                word[5],
                word[6],
                word[7],
                Long.parseLong(word[8]),
                Long.parseLong(word[9].replace(".", "")) * 10,
                Long.parseLong(word[10]),
                word[11].equals("-") ? -1 : Integer.parseInt(word[11]),
                word[12],
                word[13],
                word[14],
                word[15]);
    }
}
