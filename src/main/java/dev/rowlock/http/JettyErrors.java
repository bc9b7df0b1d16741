package dev.rowlock.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Error pages for what the server itself refuses before any endpoint: malformed requests, oversized headers. */
public final class JettyErrors extends ErrorHandler {

    @Override
    public boolean errorPageForMethod(String method) {
        return true; // else only those of GET, HEAD and POST say what is wrong
    }

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
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        // It may be an answer to HEAD, with a body that is then taken for the beginning of the next answer.
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
        response.write(true, ByteBuffer.wrap(Problems.body(new ApiProblem(code, detail))), callback);
    }
}
