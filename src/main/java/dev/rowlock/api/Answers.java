package dev.rowlock.api;

import io.javalin.http.Context;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writing of answers, each with one call, so that the client has a bounded time for all of it ({@link ClientPace}). */
final class Answers {

    private static final Logger log = LoggerFactory.getLogger(Answers.class);

    /** Bytes of an answer that the server keeps, and writes without a thread that waits. */
    static final int SMALL = 8 << 10;

    private Answers() {}

    /**
     * Writes a whole answer. No thread waits for the client of a small one: else whoever sends requests and reads no
     * answers could hold all threads, those that answer for the health of the node too.
     */
    static void whole(Context ctx, byte[] text) {
        if (text.length > SMALL) {
            ctx.res().setContentLength(text.length);
        } // else without its length, which the server adds: it would write at once what it knows to be all
        write(ctx, text);
    }

    private static void write(Context ctx, byte[] text) {
        try {
            ctx.res().getOutputStream().write(text);
        } catch (IOException e) {
            log.debug("{} {}: the client went away: {}", ctx.method(), ctx.path(), e.toString());
        }
    }

    /** The same, of an answer that no client makes large: no thread ever waits for it. */
    static void small(Context ctx, byte[] text) {
        if (text.length >= SMALL) {
            ctx.res().setBufferSize(text.length + 1);
        }
        write(ctx, text);
    }

    /** Writes more of an answer that goes on, such as a stream of events; {@code IOException}: nobody reads it. */
    static void more(Context ctx, byte[] bytes) throws IOException {
        boolean goesOn = ctx.res().isCommitted();
        if (!goesOn) {
            ctx.res().setContentLength(bytes.length);
        }
        ctx.res().getOutputStream().write(bytes);
        if (goesOn) {
            ctx.res().flushBuffer();
        }
    }
}
