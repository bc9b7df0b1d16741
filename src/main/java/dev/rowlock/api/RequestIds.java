package dev.rowlock.api;

import io.javalin.http.Context;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name of a request in answers and the audit: that which the client gave it, if it is well formed, or our own. */
final class RequestIds {

    private static final String HEADER = "X-Request-Id";
    private static final String ID = "rowlock.request-id";
    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._:/+=-]{1,64}");

    private RequestIds() {}

    /** Names the request, and says so in its answer. */
    static void give(Context ctx) {
        @Nullable String sent = ctx.header(HEADER);
        String id = sent != null && WELL_FORMED.matcher(sent).matches()
                ? sent
                : UUID.randomUUID().toString();
        ctx.attribute(ID, id);
        ctx.header(HEADER, id);
    }

    static String of(Context ctx) {
        String id = ctx.attribute(ID);
        if (id == null) {
            throw new IllegalStateException(ctx.path() + " was reached without a request id");
        }
        return id;
    }
}
