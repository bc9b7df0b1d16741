package dev.rowlock.exec.output;

import dev.rowlock.secret.Masking;
import dev.rowlock.secret.Masks;
import dev.rowlock.task.CommandOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Output of a command with secrets, masked. Its positions count what is shown, so that followers can go on where they
 * were: what was read once keeps its place. For one thread at a time.
 */
final class MaskedOutput {

    private static final byte[] WITHHELD = ("rowlock: this output is not shown: its command had secrets, and the daemon"
                    + " that could have masked them died\n")
            .getBytes(StandardCharsets.UTF_8);

    private final OutputLimits limits;
    /** Values to mask; null: not known, or not yet. */
    private @Nullable Masks masks;
    /** Output that was read while the command ran; null: nobody asked. */
    private @Nullable HeadAndTail followed;
    /** Position where the output ended; negative: it goes on. */
    private long end = -1;

    MaskedOutput(OutputLimits limits) {
        this.limits = limits;
    }

    /**
     * Extent of the output on the disk. Bytes are counted as the command wrote them.
     *
     * @param size of the file
     * @param removed bytes that were taken out behind the head
     * @param headEnd up to where nothing is ever taken out
     */
    record Extent(Path path, long size, long removed, long headEnd) {

        long total() {
            return removed + size;
        }

        boolean isCut() {
            return removed > 0;
        }

        /** Returns where the cut ends. */
        long cutEnd() {
            return headEnd + removed;
        }
    }

    void set(Masks secrets) {
        masks = secrets;
    }

    /** Returns a text without the secrets. */
    String mask(String text) {
        if (masks == null) {
            return Masks.MASK;
        }
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Masking masking = masks.begin(shown::write);
        masking.feed(text.getBytes(StandardCharsets.UTF_8));
        masking.end();
        return shown.toString(StandardCharsets.UTF_8);
    }

    /** Returns the output so far. A possible beginning of a secret is withheld until it is certain. */
    CommandOutput read(Extent file) throws IOException {
        if (masks == null) {
            return file.size() == 0 ? CommandOutput.NONE : new CommandOutput(0, WITHHELD, new byte[0]);
        }
        if (end >= 0) {
            return followed == null ? whole(masks, file) : followed.shown();
        }
        followed = followed == null ? new HeadAndTail(masks, limits) : followed;
        followed.advance(file, file.total());
        return followed.shown();
    }

    /** Ends the output with the command: what else is written belongs to nobody. */
    CommandOutput end(Extent file) throws IOException {
        if (masks == null) {
            return CommandOutput.NONE; // it was never started
        }
        if (end < 0) {
            end = file.total();
            if (followed != null) {
                followed.advance(file, end);
                followed.end();
            }
        }
        return read(file);
    }

    private CommandOutput whole(Masks known, Extent file) throws IOException {
        HeadAndTail window = new HeadAndTail(known, limits);
        window.advance(file, Math.min(end, file.total()));
        window.end();
        return window.shown();
    }

    /** Head and tail as they are shown. */
    private static final class HeadAndTail {

        private final Masking masking;
        private final int headBytes;
        private final ByteArrayOutputStream head = new ByteArrayOutputStream();
        private final byte[] tail;
        private int inTail;
        private int tailNext;
        /** Set if some bytes were not read. */
        private boolean gapped;
        /** Number of the command's bytes that were read or left out. */
        private long reached;

        private long shown;

        HeadAndTail(Masks masks, OutputLimits limits) {
            this.masking = masks.begin(this::write);
            this.headBytes = limits.headBytes();
            this.tail = new byte[limits.tailBytes()];
        }

        void advance(Extent file, long total) throws IOException {
            if (total <= reached) {
                return; // nothing is new, or there is no file
            }
            try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ)) {
                long first = file.isCut() ? Math.min(file.headEnd(), total) : total;
                take(channel, 0, reached, Math.min(headBytes, first));
                long next = Math.max(reached, total - tail.length);
                if (file.isCut()) {
                    take(channel, 0, next, first);
                    next = Math.max(next, file.cutEnd());
                }
                take(channel, file.removed(), next, total);
            }
        }

        /** @param removed by how much these bytes have moved forward in the file */
        private void take(FileChannel channel, long removed, long from, long to) throws IOException {
            if (from >= to) {
                return;
            }
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(to - from));
            while (bytes.hasRemaining() && channel.read(bytes, from - removed + bytes.position()) >= 0) {}
            if (from > reached) {
                masking.gap();
                shown += from - reached;
                gapped = true;
                inTail = 0;
            }
            masking.feed(Arrays.copyOf(bytes.array(), bytes.position()));
            reached = from + bytes.position();
        }

        void end() {
            masking.end();
        }

        private void write(byte[] bytes, int from, int length) {
            shown += length;
            int toHead = gapped ? 0 : Math.min(length, headBytes - head.size());
            head.write(bytes, from, toHead);
            int last = Math.min(length - toHead, tail.length);
            for (int i = from + length - last; i < from + length; i++) {
                tail[tailNext] = bytes[i];
                tailNext = (tailNext + 1) % tail.length;
            }
            inTail = Math.min(tail.length, inTail + length - toHead);
        }

        CommandOutput shown() {
            byte[] last = new byte[inTail];
            for (int i = 0; i < inTail; i++) {
                last[i] = tail[Math.floorMod(tailNext - inTail + i, tail.length)];
            }
            return new CommandOutput(shown, head.toByteArray(), last);
        }
    }
}
