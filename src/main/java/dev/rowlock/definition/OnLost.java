package dev.rowlock.definition;

/** Policy for an occurrence whose node died in the middle of the run. */
public enum OnLost {
    /** The occurrence is attempted again. */
    RERUN,
    /** The occurrence stays lost. */
    FAIL
}
