package dev.rowlock.exec.output;

/**
 * Limits on the output that is kept.
 *
 * @param maxBytes bound of one launch's file while it runs; a fast writer may pass it for a second
 * @param headBytes how much of the beginning is kept for storage
 * @param tailBytes how much of the end is kept for storage
 */
public record OutputLimits(long maxBytes, int headBytes, int tailBytes) {

    public static final OutputLimits DEFAULT = new OutputLimits(16 << 20, 64 << 10, 64 << 10);

    public OutputLimits {
        if (headBytes < 0 || tailBytes < 0) {
            throw new IllegalArgumentException(
                    "output head and tail must not be negative, but are " + headBytes + " and " + tailBytes);
        }
        if (maxBytes < 2L * (headBytes + (long) tailBytes) || maxBytes < 64 << 10) {
            throw new IllegalArgumentException("output.max-bytes is " + maxBytes
                    + "; it must be at least 65536 and twice what is kept of head and tail together (" + headBytes
                    + " + " + tailBytes
                    + ")");
        }
    }
}
