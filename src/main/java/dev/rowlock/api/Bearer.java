package dev.rowlock.api;

import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** The token of a request. */
final class Bearer {

    private static final String SCHEME = "Bearer ";

    private Bearer() {}

    /** Null: the request has none, or something else instead. */
    static @Nullable String token(Context ctx) {
        String sent = ctx.header("Authorization");
        boolean bearer = sent != null && sent.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return bearer ? sent.substring(SCHEME.length()).strip() : null;
    }
}
