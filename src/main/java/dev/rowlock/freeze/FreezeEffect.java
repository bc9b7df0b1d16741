package dev.rowlock.freeze;

/** Effect of a freeze on what comes due while it is in force. */
public enum FreezeEffect {
    /** It waits until the freeze is over. */
    HOLD,
    /** It ends as {@code SKIPPED}. */
    SKIP;

    /** Returns the effect of this name; {@link #HOLD}, which loses nothing, for one of a later version. */
    public static FreezeEffect read(String name) {
        return name.equals(SKIP.name()) ? SKIP : HOLD;
    }
}
