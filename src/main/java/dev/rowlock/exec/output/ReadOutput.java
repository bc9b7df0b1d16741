package dev.rowlock.exec.output;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Output of one of Java's processes, read by a thread, as nothing else shows the end of such a stream. */
public final class ReadOutput implements Outflow, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ReadOutput.class);
    private static final int CHUNK = 8 << 10;
    /** Nanoseconds after which written output has been read, if there is no more. */
    private static final long READ_WITHIN = Duration.ofMillis(300).toNanos();

    private final Sink sink;
    private final CompletableFuture<InputStream> stream = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile long askedSince;

    public ReadOutput(Sink sink) {
        this.sink = sink;
    }

    /** Begins to read. Call once: with a stream that is at its end if there is no process. */
    public void begin(InputStream from) {
        stream.complete(from);
    }

    @Override
    public void run() {
        byte[] chunk = new byte[CHUNK];
        try (InputStream in = stream.join()) {
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                if (!closed) {
                    sink.take(ByteBuffer.wrap(chunk, 0, n));
                }
            }
        } catch (IOException e) {
            LOG.debug("The stream of what a command writes broke", e);
        } finally {
            end.complete(null);
        }
    }

    @Override
    public CompletableFuture<Void> end() {
        return end;
    }

    @Override
    public boolean hasUnread() {
        long now = System.nanoTime();
        if (askedSince == 0) {
            askedSince = now;
        }
        return !end.isDone() && now - askedSince < READ_WITHIN;
    }

    @Override
    public void close() {
        closed = true;
    }
}
