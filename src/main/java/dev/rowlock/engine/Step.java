package dev.rowlock.engine;

/** One pass of one loop. It decides little, says what it did, and leaves time and threads to others. */
public interface Step {

    /** Does one pass. An exception means that it failed as a whole and is to be tried again. */
    Pass runOnce();

    /** Ends what the passes have left to others, after the last one. */
    default void end() {}
}
