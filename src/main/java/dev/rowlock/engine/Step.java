package dev.rowlock.engine;

/** One round of one loop. It decides little, says what it did, and leaves time and threads to others, so that a test can drive it by hand. */
public interface Step {

    /** Does one round. An exception means that the round failed as a whole and is to be tried again. */
    Pass runOnce();
}
