package dev.rowlock.job;

/** Why a live task is kept waiting. Setting or lifting one kind never touches another. */
public enum Hold {
    /** Its job is paused. */
    PAUSE,
    /** Another task of its job comes first. */
    OVERLAP,
    /** Its group has no free slot. */
    GROUP,
    /** No node may run it, or none has room for it. */
    NODE,
    /**
     * The database refuses what is to be written of it. It is tried again by itself, or at once by an edit or a call.
     */
    ERROR
}
