package dev.rowlock.job;

/**
 * The claim of one session to one task: {@code <session id>-<counter>}, given at prepare or takeover and never reused. Every later write
 * to the task is guarded by it.
 */
public record LaunchId(String text) {

    public static LaunchId of(String sessionId, long counter) {
        return new LaunchId(sessionId + "-" + counter);
    }

    @Override
    public String toString() {
        return text;
    }
}
