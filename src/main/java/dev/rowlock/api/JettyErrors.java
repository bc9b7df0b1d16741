package dev.rowlock.api;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** What the server itself refuses, before any endpoint is asked: malformed requests, headers that are too large. */
final class JettyErrors extends ErrorHandler {

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        String detail = message == null || message.isEmpty() ? "the request cannot be understood" : message;
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problems.TYPE);
        response.write(true, ByteBuffer.wrap(Problems.body(new ApiProblem(code, detail))), callback);
    }
}
