package dev.rowlock.definition;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Order of a list of jobs. */
public enum JobSort {
    /** Namespace and name. */
    NAME,
    /** Next run, earliest first; jobs that will not run by themselves last. */
    NEXT,
    /** Outcome of the last run, failures first; jobs that never ran last. */
    OUTCOME,
    /** End of the last run, latest first; jobs that never ran last. */
    LAST;

    /** Words that people write. */
    public static final List<String> WORDS =
            Arrays.stream(values()).map(JobSort::word).toList();

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
