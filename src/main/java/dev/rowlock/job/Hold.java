package dev.rowlock.job;

/** Why a live task does not go on although its time may have come. Setting or lifting one kind never touches another. */
public enum Hold {
    /** Its job is paused. */
    PAUSE,
    /** The database refuses what is to be written of it. It is tried again by itself; an edit of its job, or a call, does so at once. */
    ERROR
}
