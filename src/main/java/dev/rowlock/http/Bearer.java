package dev.rowlock.http;

import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** Bearer token of a request. */
public final class Bearer {

    private static final String SCHEME = "Bearer ";

    private Bearer() {}

    /** Returns the token; null if the request has none. */
    public static @Nullable String token(Context ctx) {
        String sent = ctx.header("Authorization");
        boolean bearer = sent != null && sent.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return bearer ? sent.substring(SCHEME.length()).strip() : null;
    }
}
