package dev.rowlock.schedule;

/** Rule for local times that a clock change skips or repeats. */
public enum DaylightSaving {
    /**
     * cronie's rule: a schedule with fixed minute and hour fires a skipped local time at the jump, and a repeated one
     * the first time; one whose minute or hour field starts with {@code *} follows the wall clock.
     */
    SHIFT,
    /** Skipped local times do not fire, repeated ones fire twice. */
    PLAIN
}
