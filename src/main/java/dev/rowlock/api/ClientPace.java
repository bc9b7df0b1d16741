package dev.rowlock.api;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the client of a request to a pace while the node keeps memory for its body or its answer. The server's idle
 * timeout is no bound, as one byte now and then is enough for it, and nothing reads its minimum data rates.
 */
final class ClientPace {

    private static final Logger log = LoggerFactory.getLogger(ClientPace.class);
    private static final int AT_ONCE = 16 << 10;

    /** What the server keeps until an endpoint is done, and then writes without a thread that waits. */
    static final int SMALL = 8 << 10;

    private static final String ATTRIBUTE = ClientPace.class.getName();

    private final Patience patience;
    private final EndPoint client;
    private final Scheduler scheduler;

    private ClientPace(Context ctx, Patience patience) {
        var connection =
                ServletContextRequest.getServletContextRequest(ctx.req()).getConnectionMetaData();
        this.patience = patience;
        this.client = connection.getConnection().getEndPoint();
        this.scheduler = connection.getConnector().getScheduler();
    }

    /** To be called once for each request, before its endpoint. */
    static void set(Context ctx, Patience patience) {
        ctx.attribute(ATTRIBUTE, new ClientPace(ctx, patience));
    }

    static ClientPace of(Context ctx) {
        return Objects.requireNonNull(ctx.attribute(ATTRIBUTE), "no client pace was set");
    }

    /** Where a body goes; it may wait for its place there. */
    @FunctionalInterface
    interface Sink {
        void write(byte[] bytes, int n) throws IOException;
    }

    /**
     * Copies up to so many bytes of what the client sends, and answers how many there were; 408 if it is too slow. Time
     * is only given for what has come: one that sends nothing is not waited for as long as it might have sent much. Nor
     * can it be saved: whoever sends much at once and then stops is waited for no longer than others.
     */
    int copy(InputStream sent, int most, Sink to) throws IOException {
        long idle = client.getIdleTimeout();
        long since = System.nanoTime();
        long end = since + patience.grace().toNanos();
        int copied = 0;
        try {
            byte[] some = new byte[AT_ONCE];
            for (int n = 0; n >= 0 && copied < most; copied += Math.max(0, n)) {
                awaitNext(since, end);
                n = sent.read(some, 0, Math.min(some.length, most - copied));
                if (n > 0) {
                    long come = System.nanoTime();
                    end = Math.min(
                            end + patience.nanosFor(n), come + patience.grace().toNanos());
                    client.setIdleTimeout(idle);
                    to.write(some, n);
                    end += System.nanoTime() - come; // the client is not what was waited for
                }
            }
            return copied;
        } catch (IOException e) {
            awaitNext(since, end); // it may be the reason
            throw e;
        } finally {
            client.setIdleTimeout(idle);
        }
    }

    /** Lets the next read wait until then. */
    private void awaitNext(long since, long end) {
        long now = System.nanoTime();
        long left = TimeUnit.NANOSECONDS.toMillis(end - now);
        if (left <= 0) {
            throw new ApiProblem(
                    408,
                    "the body did not arrive within " + TimeUnit.NANOSECONDS.toSeconds(now - since)
                            + " s; send it faster",
                    Map.of("Connection", "close"));
        }
        client.setIdleTimeout(left);
    }

    /**
     * Writes a whole answer. No thread waits for the client of a small one: else whoever sends requests and reads no
     * answers could hold all threads, those that answer for the health of the node too.
     */
    static void answer(Context ctx, byte[] text) {
        try {
            if (text.length <= SMALL) {
                // Without its length, which the server adds: it would write at once what it knows to be all.
                ctx.res().getOutputStream().write(text);
            } else {
                of(ctx).write(ctx, text);
            }
        } catch (IOException e) {
            log.debug("{} {}: the client went away: {}", ctx.method(), ctx.path(), e.toString());
        }
    }

    /** Writes an answer, or more of it; the connection of a client that takes too long to read it is closed. */
    void write(Context ctx, byte[] answer) throws IOException {
        Duration limit = patience.forBytes(answer.length);
        Scheduler.Task end = scheduler.schedule(
                () -> {
                    log.info(
                            "{} {}: the client has not read {} bytes within {} s; its connection is closed",
                            ctx.method(),
                            ctx.path(),
                            answer.length,
                            limit.toSeconds());
                    client.close();
                },
                limit.toMillis(),
                TimeUnit.MILLISECONDS);
        try {
            boolean goesOn = ctx.res().isCommitted();
            if (!goesOn) {
                ctx.res().setContentLength(answer.length);
            }
            ctx.res().getOutputStream().write(answer);
            if (goesOn) {
                ctx.res().flushBuffer();
            }
        } finally {
            end.cancel();
        }
    }
}
