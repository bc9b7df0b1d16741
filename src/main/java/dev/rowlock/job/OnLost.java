package dev.rowlock.job;

/** What happens to an occurrence whose node died in the middle of the run. */
public enum OnLost {
    /** It is attempted again. */
    RERUN,
    /** It stays lost. */
    FAIL
}
