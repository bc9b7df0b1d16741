package dev.rowlock.job;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a command has written, as far as it is kept: the head, and when there was too much, the tail. Positions count the bytes that the command
 * wrote, kept or not.
 */
public final class CommandOutput {

    public static final CommandOutput NONE = new CommandOutput(0, new byte[0], new byte[0]);

    private final long totalBytes;
    private final byte[] head;
    private final byte[] tail;

    /**
     * @param totalBytes how much the command wrote; what exceeds head and tail was cut between them
     * @param head the arrays are not copied, and must not be changed
     */
    public CommandOutput(long totalBytes, byte[] head, byte[] tail) {
        this.totalBytes = Math.max(totalBytes, (long) head.length + tail.length);
        this.head = head;
        this.tail = tail;
    }

    public long totalBytes() {
        return totalBytes;
    }

    /** What follows a position, with a mark where bytes were cut. A reader goes on from {@link #totalBytes}. */
    public byte[] after(long position) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        if (position < head.length) {
            text.write(head, (int) position, head.length - (int) position);
        }
        long tailStart = totalBytes - tail.length;
        long reached = Math.max(position, head.length);
        if (reached < tailStart) {
            text.writeBytes(mark(tailStart - reached));
            reached = tailStart;
        }
        int skipped = (int) Math.min(tail.length, reached - tailStart);
        text.write(tail, skipped, tail.length - skipped);
        return text.toByteArray();
    }

    private static byte[] mark(long cut) {
        return ("\n[... " + cut + " bytes were cut here ...]\n").getBytes(StandardCharsets.UTF_8);
    }
}
