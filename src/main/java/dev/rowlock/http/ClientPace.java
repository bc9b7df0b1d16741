package dev.rowlock.http;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch over the client of every request: one that sends its body too slowly gets 408, and the connection of one that
 * does not read its answer is closed, even in the middle of a read or a write. The server's idle timeout is no bound,
 * as one byte now and then is enough for it. Nor is its handler of minimum data rates: that looks only when something
 * moves, and counts the bytes of all requests together.
 */
public final class ClientPace extends Handler.Wrapper {

    private static final Logger log = LoggerFactory.getLogger(ClientPace.class);

    private final Patience patience;

    public ClientPace(Patience patience, Handler handler) {
        super(handler);
        this.patience = patience;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        HttpConnections.serves(request);
        EndPoint client = request.getConnectionMetaData().getConnection().getEndPoint();
        Body body = new Body(request, client);
        return super.handle(body, new PacedResponse(body, response, client), callback);
    }

    /** Returns whether a body could not be read because its client was too slow. */
    static boolean wasTooSlow(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Body that grants time only for what has arrived: one that sends nothing is not waited for as long as it might
     * have sent much. Nor can time be saved up: whoever sends much at once and then stops is waited for no longer than
     * others.
     */
    private final class Body extends Request.Wrapper {

        private final EndPoint client;
        private final long idle;
        private long endNanos;
        private boolean awaited;

        Body(Request request, EndPoint client) {
            super(request);
            this.client = client;
            this.idle = client.getIdleTimeout();
        }

        @Override
        public Content.Chunk read() {
            if (awaited && leftNanos() <= 0) {
                client.setIdleTimeout(idle);
                return Content.Chunk.from(new TimeoutException("the body came too slowly"));
            }
            Content.Chunk chunk = super.read();
            if (awaited && chunk != null && chunk.hasRemaining()) {
                endNanos = Math.min(
                        endNanos + patience.nanosFor(chunk.remaining()),
                        System.nanoTime() + patience.grace().toNanos());
            }
            return chunk;
        }

        @Override
        public void demand(Runnable whenThere) {
            if (!awaited) {
                awaited = true;
                endNanos = System.nanoTime() + patience.grace().toNanos();
            }
            client.setIdleTimeout(Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNanos())));
            super.demand(Invocable.from(Invocable.getInvocationType(whenThere), () -> {
                client.setIdleTimeout(idle);
                whenThere.run();
            }));
        }

        private long leftNanos() {
            return endNanos - System.nanoTime();
        }
    }

    /**
     * Answer whose every write has a grace period, and more time for each byte, whether a thread waits for it or not.
     */
    private final class PacedResponse extends Response.Wrapper {

        private final EndPoint client;

        PacedResponse(Request request, Response response, EndPoint client) {
            super(request, response);
            this.client = client;
        }

        @Override
        public void write(boolean last, @Nullable ByteBuffer bytes, Callback callback) {
            int length = bytes == null ? 0 : bytes.remaining();
            Scheduler.Task end = getRequest()
                    .getComponents()
                    .getScheduler()
                    .schedule(() -> cutOff(length), patience.forBytes(length).toMillis(), TimeUnit.MILLISECONDS);
            super.write(last, bytes, Callback.from(end::cancel, callback));
        }

        private void cutOff(int length) {
            log.info(
                    "{} {}: the client has not read {} bytes within {} s; its connection is closed",
                    getRequest().getMethod(),
                    getRequest().getHttpURI().getPath(),
                    length,
                    patience.forBytes(length).toSeconds());
            client.close();
        }
    }
}
