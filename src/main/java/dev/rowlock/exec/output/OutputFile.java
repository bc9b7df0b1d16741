package dev.rowlock.exec.output;

import dev.rowlock.secret.Masks;
import dev.rowlock.task.CommandOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** File to which the output of one command is appended. Thread-safe. */
public final class OutputFile implements Outflow.Sink {

    /** Longest message of a gate, in bytes. */
    private static final int BRIEF = 2048;

    /** Time for the output to be appended, if the disk is slow. */
    private static final long IN_WITHIN = Duration.ofSeconds(10).toNanos();

    private static final int CHUNK = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(OutputFile.class);

    final Path path;
    private final OutputLimits limits;
    /** Bytes that were taken out of the middle, so that what follows has moved forward. */
    private long removed;

    /** Open file; null: it was not created, or the command has ended. */
    private @Nullable FileChannel file;
    /** Last bytes that found no room. */
    private byte[] unwritten = {};

    /** Source of the output. */
    private volatile Outflow outflow = Outflow.NONE;

    private volatile long overSince = Long.MAX_VALUE;
    private boolean discarded;
    private boolean wanting;
    /** Masked view; null: the command has no secrets. */
    private final @Nullable MaskedOutput masked;

    public OutputFile(Path path, OutputLimits limits) {
        this(path, limits, false);
    }

    /** @param masked whether nothing of it may be shown until it is known what to mask */
    public OutputFile(Path path, OutputLimits limits, boolean masked) {
        this.path = path;
        this.limits = limits;
        this.masked = masked ? new MaskedOutput(limits) : null;
    }

    /** Creates the file, readable by the daemon alone. Call once, on a thread that may hang with the disk. */
    void create() throws IOException {
        FileChannel made = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        synchronized (this) {
            file = made;
            if (discarded) { // its start was given up meanwhile
                close();
            }
        }
    }

    /** Appends bytes; without a file, or room in it, they are lost. */
    @Override
    public synchronized void take(ByteBuffer bytes) {
        try {
            FileChannel to = file;
            while (to != null && bytes.hasRemaining()) {
                to.write(bytes);
            }
        } catch (IOException e) {
            wanting = true;
            LOG.debug("Output cannot be appended to {}: {}", path, e.toString());
        }
        if (bytes.hasRemaining()) {
            unwritten = new byte[Math.min(bytes.remaining(), BRIEF)];
            bytes.position(bytes.limit() - unwritten.length).get(unwritten);
        }
    }

    /** Sets the source. */
    public void follow(Outflow from) {
        outflow = from;
    }

    /**
     * Returns whether all output of an ended command was taken: processes that have escaped may go on writing forever.
     */
    public boolean isAllIn(long now) {
        overSince = Math.min(overSince, now);
        boolean late = now - overSince >= IN_WITHIN;
        if (outflow.hasUnread() && !late) {
            return false;
        }
        if (late) {
            lacksRoom();
        }
        outflow.close();
        return true;
    }

    /** Returns a future that completes when nobody can write any more and all was taken. */
    public CompletableFuture<Void> end() {
        return outflow.end();
    }

    /** Sets the values to mask; from now on the output may be read. */
    public synchronized void mask(Masks masks) {
        Objects.requireNonNull(masked).set(masks);
    }

    /** Takes out the middle if the file has outgrown its bound; half of the bound is left as tail. */
    synchronized void bound() {
        try {
            long size = size();
            if (!discarded && size > limits.maxBytes()) {
                long length = size - limits.headBytes() - limits.maxBytes() / 2;
                takeOut(limits.headBytes(), length);
                removed += length;
            }
        } catch (IOException e) {
            LOG.warn("The output in {} cannot be kept within {} bytes: {}", path, limits.maxBytes(), e.toString());
        }
    }

    /** Moves what follows the cut forward. Nobody appends meanwhile. */
    private void takeOut(long from, long length) throws IOException {
        try (FileChannel all = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
            long to = from;
            while (all.read(chunk.clear(), to + length) > 0) {
                chunk.flip();
                while (chunk.hasRemaining()) {
                    to += all.write(chunk, to);
                }
            }
            all.truncate(to);
        }
    }

    /** Notes that the disk was full while the command ran: some of its output may be missing. */
    synchronized void lacksRoom() {
        wanting = true;
    }

    /** Returns a complaint for people; null if all was written, as far as is known. */
    public synchronized @Nullable String complaint() {
        return wanting ? "output may be missing: the disk was full" : null;
    }

    /** Ends the output with the command. Returns the number of bytes, as they are shown. */
    public synchronized long totalBytes() {
        close();
        if (masked == null) {
            return removed + size();
        }
        try {
            return masked.end(extent()).totalBytes();
        } catch (IOException e) {
            LOG.warn("The output in {} cannot be read: {}", path, e.toString());
            return 0;
        }
    }

    private MaskedOutput.Extent extent() {
        return new MaskedOutput.Extent(path, size(), removed, limits.headBytes());
    }

    synchronized CommandOutput read() {
        if (masked != null) {
            return readMasked(masked);
        }
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = file.size();
            byte[] head = read(file, 0, Math.min(limits.headBytes(), size));
            long tailFrom = Math.max(head.length, size - limits.tailBytes());
            byte[] tail = read(file, tailFrom, size - tailFrom);
            long total = removed + size;
            return new CommandOutput(total, head, tail);
        } catch (NoSuchFileException e) {
            return CommandOutput.NONE;
        } catch (IOException e) {
            LOG.warn("The output in {} cannot be read: {}", path, e.toString());
            return CommandOutput.NONE;
        }
    }

    private CommandOutput readMasked(MaskedOutput output) {
        try {
            return output.read(extent());
        } catch (IOException e) {
            LOG.warn("The output in {} cannot be read: {}", path, e.toString());
            return CommandOutput.NONE;
        }
    }

    /** Returns a text that quotes the output, masked. */
    public synchronized String shown(String text) {
        return masked == null ? text : masked.mask(text);
    }

    /** Returns the last lines that were written, not masked, whether there was room for them or not. */
    public synchronized String last() {
        byte[] kept = {};
        try (FileChannel written = FileChannel.open(path, StandardOpenOption.READ)) {
            long from = Math.max(0, written.size() - BRIEF);
            kept = read(written, from, written.size() - from);
        } catch (IOException e) { // not ours
            LOG.debug("The output in {} is not read: {}", path, e.toString());
        }
        return new String(kept, StandardCharsets.UTF_8) + new String(unwritten, StandardCharsets.UTF_8);
    }

    synchronized void discard() {
        discarded = true;
        close();
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("The output in {} cannot be deleted: {}", path, e.toString());
        }
    }

    private void close() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            wanting = true;
        } finally {
            file = null;
        }
    }

    private long size() {
        return path.toFile().length(); // 0 if there is none
    }

    private static byte[] read(FileChannel file, long from, long length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(length));
        while (buffer.hasRemaining() && file.read(buffer, from + buffer.position()) >= 0) {}
        return Arrays.copyOf(buffer.array(), buffer.position());
    }
}
