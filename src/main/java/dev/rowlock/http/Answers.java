package dev.rowlock.http;

import io.javalin.http.Context;
import java.io.IOException;
import org.eclipse.jetty.io.EofException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writing of answers, each in one call, so that the client has a bounded time for all of it ({@link ClientPace}). */
public final class Answers {

    private static final Logger log = LoggerFactory.getLogger(Answers.class);

    /** Size in bytes below which the server buffers an answer, and writes it without a waiting thread. */
    public static final int SMALL = 8 << 10;

    private Answers() {}

    /**
     * Writes a whole answer. No thread waits for the client of a small one: otherwise clients that send requests and
     * read no answers could hold all threads, also those that answer health checks.
     */
    public static void whole(Context ctx, byte[] text) {
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

    /** Writes a whole answer that no client can make large: no thread ever waits for it. */
    static void small(Context ctx, byte[] text) {
        if (text.length >= SMALL) {
            ctx.res().setBufferSize(text.length + 1);
        }
        write(ctx, text);
    }

    /**
     * Writes more of a continuing answer, such as a stream of events. Throws {@code IOException} if nobody reads it.
     */
    public static void more(Context ctx, byte[] bytes) throws IOException {
        boolean goesOn = ctx.res().isCommitted();
        if (!goesOn) {
            ctx.res().setContentLength(bytes.length);
        }
        ctx.res().getOutputStream().write(bytes);
        if (goesOn) {
            ctx.res().flushBuffer();
        }
    }

    /** Writes more of such an answer, as long as the token of whoever follows it works. */
    public static void moreWhileIn(Context ctx, byte[] bytes) throws IOException {
        if (!Callers.isStillIn(ctx)) {
            throw new EofException("the token of whoever follows this works no longer");
        }
        more(ctx, bytes);
    }
}
