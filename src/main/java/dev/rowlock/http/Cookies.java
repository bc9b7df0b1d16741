package dev.rowlock.http;

import io.javalin.http.Context;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Cookies: that of a signed-in person, and that which a browser keeps during a sign-in elsewhere. Scripts can read
 * neither. Under TLS, which a proxy may terminate for this server, their names show that no other host has set them and
 * that they never went over the network in plain text.
 */
public enum Cookies {
    /** Cookie of a signed-in person, not sent with requests that another site has caused. */
    SESSION("rowlock", "Strict"),
    /**
     * Cookie of a sign-in in progress, sent also with the request by which the identity provider sends the browser
     * back.
     */
    BEGUN("rowlock-signin", "Lax");

    private final String word;
    private final String sameSite;

    Cookies(String word, String sameSite) {
        this.word = word;
        this.sameSite = sameSite;
    }

    public @Nullable String of(Context ctx) {
        return ctx.cookie(name(ctx));
    }

    public void set(Context ctx, String value, Duration maxAge) {
        String secure = isSecure(ctx) ? "; Secure" : "";
        ctx.res()
                .addHeader(
                        "Set-Cookie",
                        name(ctx) + "=" + value + "; Path=/; Max-Age=" + maxAge.toSeconds() + "; HttpOnly; SameSite="
                                + sameSite + secure);
    }

    public void clear(Context ctx) {
        set(ctx, "", Duration.ZERO);
    }

    private String name(Context ctx) {
        return isSecure(ctx) ? "__Host-" + word : word;
    }

    /** Returns whether the client speaks TLS. A forged header only makes the forger's own cookie useless. */
    private static boolean isSecure(Context ctx) {
        return ctx.req().isSecure() || "https".equalsIgnoreCase(ctx.header("X-Forwarded-Proto"));
    }
}
