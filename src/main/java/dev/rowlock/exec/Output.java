package dev.rowlock.exec;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What is kept of a launch's output: its first and its last bytes, as they were written (no character set is assumed, and a character
 * may be cut in two at the edges). If nothing was cut, all of it is in {@code head} and {@code tail} read one after the other.
 *
 * @param totalBytes all bytes written, kept or not
 * @param cutBytes bytes missing between head and tail
 */
@SuppressWarnings("ArrayRecordComponent")
public record Output(long totalBytes, long cutBytes, byte[] head, byte[] tail) {

    static final Output NONE = new Output(0, 0, new byte[0], new byte[0]);

    /** The same with no more than {@code bytes} of either end. */
    public Output atMost(int bytes) {
        byte[] all = cutBytes == 0 ? joined() : head;
        byte[] first = Arrays.copyOf(all, Math.min(bytes, all.length));
        byte[] end = cutBytes == 0 ? Arrays.copyOfRange(all, first.length, all.length) : tail;
        byte[] last = Arrays.copyOfRange(end, Math.max(0, end.length - bytes), end.length);
        return new Output(totalBytes, totalBytes - first.length - last.length, first, last);
    }

    /** Head and tail as one text, with a line between them that says how many bytes are missing, if any are. */
    public byte[] joined() {
        ByteArrayOutputStream all = new ByteArrayOutputStream(head.length + tail.length + 64);
        all.writeBytes(head);
        if (cutBytes > 0) {
            all.writeBytes(("\n[rowlock: " + cutBytes + " bytes cut]\n").getBytes(StandardCharsets.UTF_8));
        }
        all.writeBytes(tail);
        return all.toByteArray();
    }
}
