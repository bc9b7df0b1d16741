package dev.rowlock.node;

/** Step of one loop. It decides little, returns what it did, and leaves time and threads to others. */
public interface Step {

    /** Does one pass. An exception means that it failed as a whole and is to be retried. */
    Pass runOnce();

    /** Ends, after the last pass, what the passes have left to others. */
    default void end() {}
}
