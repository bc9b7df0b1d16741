package dev.rowlock.access.request;

import dev.rowlock.http.Answers;
import dev.rowlock.http.ApiProblem;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pages that a browser shows between the identity provider and the page that was asked for. */
final class SignInPages {

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">%s
            <title>Rowlock: sign in</title>
            <h1>%s</h1>
            <p>%s</p>
            <p><a href="%s">%s</a></p>
            </html>
            """;

    private SignInPages() {}

    /** Sets strict headers: the address has a code in it, and nothing is to be framed, run or loaded. */
    static void secure(Context ctx) {
        ctx.header("Referrer-Policy", "no-referrer");
        ctx.header("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'");
    }

    /**
     * Goes on by a page of our own. A redirect would still count as caused by the provider's site, and the cookie that
     * was just set would not be sent.
     *
     * @param path of this server
     */
    static void goOn(Context ctx, String path) {
        String safe = escaped(path);
        String refresh = "\n<meta http-equiv=\"refresh\" content=\"0; url=" + safe + "\">";
        html(ctx, 200, PAGE.formatted(refresh, "You are signed in", "", safe, "Go on"));
    }

    /** @throws ApiProblem to whoever is no browser */
    static void refuse(Context ctx, int status, String why, Map<String, String> headers) {
        @Nullable String accepted = ctx.header("Accept");
        if (accepted == null || !accepted.contains("text/html")) {
            throw new ApiProblem(status, why, headers);
        }
        headers.forEach(ctx::header);
        String text = escaped(Character.toUpperCase(why.charAt(0)) + why.substring(1) + ".");
        html(ctx, status, PAGE.formatted("", "You are not signed in", text, "/signin/oidc", "Sign in again"));
    }

    private static void html(Context ctx, int status, String page) {
        ctx.status(status).contentType("text/html; charset=utf-8");
        Answers.whole(ctx, page.getBytes(StandardCharsets.UTF_8));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
