package dev.rowlock.definition;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Policy for an occurrence that is due while the job is still executing. */
public enum Overlap {
    /** The occurrence is not run, and recorded as skipped. */
    SKIP,
    /** The occurrence waits for the other to end. */
    QUEUE,
    /** Both occurrences run. */
    ALLOW,
    /** The other occurrence is killed first. */
    REPLACE;

    /** Returns the policy of this name; {@link #SKIP}, the default, for none or one of a later version. */
    public static Overlap read(@Nullable String name) {
        return Arrays.stream(values())
                .filter(overlap -> overlap.name().equals(name))
                .findFirst()
                .orElse(SKIP);
    }
}
