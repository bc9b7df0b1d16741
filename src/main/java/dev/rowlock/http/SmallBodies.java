package dev.rowlock.http;

import java.io.ByteArrayOutputStream;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the beginning of each body before the request is served: while a client sends it, however slowly, it holds
 * neither a thread nor any share, and its connection may be closed in favour of others. Most bodies are no longer than
 * that. The bytes are copied, as otherwise a single byte would keep a network buffer.
 */
public final class SmallBodies extends Handler.Wrapper {

    /** Bytes read of each body: there may be as many as connections. */
    static final int MOST = 8 << 10;

    private static final String ATTRIBUTE = SmallBodies.class.getName();

    /** Methods that change something: none of that is done before the request has arrived whole. */
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH", "DELETE");

    /**
     * Beginning of a body.
     *
     * @param isWhole false: the rest has yet to be read
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Beginning(byte[] bytes, boolean isWhole) {}

    /** Returns the beginning that was read of a request's body; null if nothing was, or there is no body. */
    static @Nullable Beginning of(jakarta.servlet.ServletRequest request) {
        return (Beginning) request.getAttribute(ATTRIBUTE);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!isExpected(request)) {
            return super.handle(request, response, callback);
        }
        new Arriving(request, response, callback).run();
        return true;
    }

    /**
     * Returns whether a body is expected. The server decodes only chunked transfers; others are refused where the
     * request is served.
     */
    private static boolean isExpected(Request request) {
        String coding = request.getHeaders().get(HttpHeader.TRANSFER_ENCODING);
        boolean isThere = coding == null ? request.getLength() > 0 : coding.equalsIgnoreCase("chunked");
        return isThere && WITH_BODY.contains(request.getMethod());
    }

    /** Body of one request, read whenever some of it arrives. */
    private final class Arriving implements Invocable.Task {

        private final Request request;
        private final Response response;
        private final Callback callback;
        private final ByteArrayOutputStream read = new ByteArrayOutputStream(256);
        private boolean awaited;

        Arriving(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
        }

        @Override
        public void run() {
            while (read.size() <= MOST) {
                Content.@Nullable Chunk chunk = request.read();
                if (chunk == null) {
                    awaited = true;
                    request.demand(this);
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    refuse(chunk.getFailure());
                    return;
                }
                read.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
                boolean isWhole = chunk.isLast();
                chunk.release();
                if (isWhole) {
                    serve(true);
                    return;
                }
            }
            serve(false);
        }

        /**
         * Serves the request, on another thread than the one notified of the last bytes, which would be notified of the
         * next ones, too.
         */
        private void serve(boolean isWhole) {
            request.setAttribute(ATTRIBUTE, new Beginning(read.toByteArray(), isWhole));
            if (awaited) {
                request.getComponents().getExecutor().execute(this::serve);
            } else {
                serve();
            }
        }

        private void serve() {
            try {
                if (!SmallBodies.super.handle(request, response, callback)) {
                    Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
                }
            } catch (Exception e) {
                Response.writeError(request, response, callback, e);
            }
        }

        private void refuse(Throwable failure) {
            if (ClientPace.wasTooSlow(failure)) {
                Response.writeError(request, response, callback, HttpStatus.REQUEST_TIMEOUT_408, RequestBody.TOO_SLOW);
            } else {
                Response.writeError(
                        request,
                        response,
                        callback,
                        HttpStatus.BAD_REQUEST_400,
                        "the body did not arrive whole: " + failure.getMessage());
            }
        }

        @Override
        public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
        }
    }
}
