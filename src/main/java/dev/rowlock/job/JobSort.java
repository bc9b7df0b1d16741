package dev.rowlock.job;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** In which order jobs are listed. */
public enum JobSort {
    /** By namespace and name. */
    NAME,
    /** What runs next first; what is not going to run by itself last. */
    NEXT,
    /** By how the last run ended, failures first; what never ran last. */
    OUTCOME,
    /** What ended last first; what never ran last. */
    LAST;

    /** As people write them. */
    public static final List<String> WORDS =
            Arrays.stream(values()).map(JobSort::word).toList();

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
