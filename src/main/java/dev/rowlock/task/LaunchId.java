package dev.rowlock.task;

/**
 * Claim of one session to one task, {@code <session id>-<counter>}, never reused. It guards every later write to the
 * task.
 */
public record LaunchId(String text) {

    /**
     * Returns the id of a claim.
     *
     * @param counter never used before by that session
     */
    public static LaunchId of(String sessionId, long counter) {
        return new LaunchId(sessionId + "-" + counter);
    }

    @Override
    public String toString() {
        return text;
    }
}
