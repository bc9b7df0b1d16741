package dev.rowlock.task;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Kept output of a command: the head and, if there was too much, the tail. Bytes are as they were written: a character
 * may be cut in two at the edges. Positions count the bytes that the command wrote, kept or not.
 *
 * @param totalBytes how much the command wrote; what exceeds head and tail was cut between them
 * @param head the arrays are not copied, and must not be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record CommandOutput(long totalBytes, byte[] head, byte[] tail) {

    public static final CommandOutput NONE = new CommandOutput(0, new byte[0], new byte[0]);

    public CommandOutput {
        totalBytes = Math.max(totalBytes, (long) head.length + tail.length);
    }

    /** Returns the number of bytes missing between head and tail. */
    public long cutBytes() {
        return totalBytes - head.length - tail.length;
    }

    /** Returns this output with no more than {@code bytes} of either end. */
    public CommandOutput atMost(int bytes) {
        byte[] all = cutBytes() == 0 ? after(0) : head;
        byte[] first = Arrays.copyOf(all, Math.min(bytes, all.length));
        byte[] end = cutBytes() == 0 ? Arrays.copyOfRange(all, first.length, all.length) : tail;
        byte[] last = Arrays.copyOfRange(end, Math.max(0, end.length - bytes), end.length);
        return new CommandOutput(totalBytes, first, last);
    }

    /**
     * Part of an output.
     *
     * @param start the position of its first byte
     * @param end where a reader goes on
     */
    public record Stretch(long start, byte[] bytes, long end) {}

    /** Returns what follows a position, with marks as in {@link #after}. */
    public Stretch marked(long position) {
        return totalBytes > position
                ? new Stretch(position, after(position), totalBytes)
                : new Stretch(position, new byte[0], position);
    }

    /**
     * Returns what follows a position, up to the next cut: bytes as they were written, and nothing else. It begins
     * later if what was there is cut.
     */
    public Stretch unbroken(long position) {
        long tailStart = totalBytes - tail.length;
        if (position < head.length) {
            byte[] bytes = cutBytes() == 0 ? after(position) : Arrays.copyOfRange(head, (int) position, head.length);
            return new Stretch(position, bytes, position + bytes.length);
        }
        long start = Math.max(position, tailStart);
        int skipped = (int) Math.min(tail.length, start - tailStart);
        byte[] bytes = Arrays.copyOfRange(tail, skipped, tail.length);
        return new Stretch(start, bytes, start + bytes.length);
    }

    /** Returns what follows a position, with a mark where bytes were cut. A reader goes on from {@link #totalBytes}. */
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
