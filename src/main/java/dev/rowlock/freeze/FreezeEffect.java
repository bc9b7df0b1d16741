package dev.rowlock.freeze;

/** Effect of a freeze on what comes due while it is in force. */
public enum FreezeEffect {
    /** It waits until the freeze is over. */
    HOLD,
    /** It ends as {@code SKIPPED}. */
    SKIP
}
