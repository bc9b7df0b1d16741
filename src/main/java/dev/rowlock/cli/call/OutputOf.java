package dev.rowlock.cli.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Reply;
import dev.rowlock.cli.client.Unreachable;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Copy of what a task writes to standard output. It asks by position, in bytes, so that whatever breaks, no byte is
 * missed and none comes twice.
 */
public final class OutputOf {

    private static final int AT_ONCE = 64 * 1024;
    /** A node that is restarted is back by then. */
    public static final int TRIES = 30;

    private final Remote command;
    private final long id;
    private final ByteSink sink;
    private final byte[] some = new byte[AT_ONCE];
    private long position;
    private long end;
    private int failures;

    /** Destination of the bytes. */
    @FunctionalInterface
    public interface ByteSink {
        void write(byte[] bytes, int length);
    }

    public OutputOf(Remote command, long id) {
        this(command, id, (bytes, length) -> command.around().out().write(bytes, 0, length));
    }

    public OutputOf(Remote command, long id, ByteSink sink) {
        this.command = command;
        this.id = id;
        this.sink = sink;
    }

    /** Returns how many bytes were copied. */
    public long position() {
        return position;
    }

    /** Copies what there is by now; returns the task if it has ended and all of it was copied, else null. */
    public @Nullable JsonNode advance() {
        long before = position;
        try {
            stretch(false);
            JsonNode task = command.ask(Ask.get("/tasks/{}", id));
            failures = 0;
            return hasEnded(task, position == before) ? task : null;
        } catch (Unreachable e) {
            again(e, true);
            return null;
        }
    }

    /**
     * Returns when all was copied that there is.
     *
     * @param follow whether to wait until the task has ended
     * @return the task as it was then
     */
    public JsonNode copy(boolean follow) {
        while (true) {
            long before = position;
            try {
                stretch(follow);
                JsonNode task = command.ask(Ask.get("/tasks/{}", id));
                failures = 0;
                boolean all = follow ? hasEnded(task, position == before) : position >= end || position == before;
                if (all || command.around().out().checkError()) {
                    return task;
                }
            } catch (Unreachable e) {
                again(e, follow);
            }
        }
    }

    /** Returns true if all has come: what was written last is stored a moment after the end. */
    private boolean hasEnded(JsonNode task, boolean nothingCame) {
        return task.path("state").asText().equals("ENDED")
                && (nothingCame || position >= task.path("outputBytes").asLong());
    }

    /** Copies one answer: it has no gap, and ends where there is one. */
    private void stretch(boolean follow) {
        Ask ask = Ask.get("/tasks/{}/output", id).with("from", position).with("follow", follow ? true : null);
        try (Reply reply = command.client().send(ask)) {
            long from = number(reply.header("Output-Position"));
            end = number(reply.header("Output-End"));
            if (from > position) {
                mark(from - position);
                position = from;
            }
            copy(reply.body());
        } catch (SocketTimeoutException e) {
            if (!follow) {
                throw new Unreachable("the output of task " + id + " does not come: " + e.getMessage(), e);
            } // it only writes nothing
        } catch (IOException e) {
            throw new Unreachable("the output of task " + id + " broke off after " + position + " bytes: " + e, e);
        }
    }

    private static long number(@Nullable String header) {
        return header == null ? 0 : Long.parseLong(header);
    }

    private void copy(InputStream output) throws IOException {
        int n = output.read(some);
        while (n >= 0) {
            sink.write(some, n);
            position += n;
            n = command.around().out().checkError() ? -1 : output.read(some); // it flushes, too
        }
    }

    private void mark(long cut) {
        byte[] text = ("\n[... " + cut + " bytes were cut here ...]\n").getBytes(StandardCharsets.UTF_8);
        sink.write(text, text.length);
    }

    public static void rest() {
        try {
            new CountDownLatch(1).await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a node", e);
        }
    }

    private void again(Unreachable e, boolean follow) {
        failures++;
        if (!follow || failures > TRIES) {
            throw e;
        }
        if (failures == 1) {
            command.say(e.getMessage() + "; trying again");
        }
        rest();
    }
}
