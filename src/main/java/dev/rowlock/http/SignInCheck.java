package dev.rowlock.http;

import dev.rowlock.access.signin.SignIns;
import dev.rowlock.access.signin.SignedIn;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lookup of the signed-in person by the cookie of a request. A browser adds the cookie to whatever a page asks it to
 * send, so a request that changes something has to prove that a page of this server sent it.
 */
public final class SignInCheck {

    static final String HEADER = "X-CSRF-Token";

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final SignIns signIns;

    public SignInCheck(SignIns signIns) {
        this.signIns = signIns;
    }

    /**
     * Returns the signed-in person whose cookie the request has, if any.
     *
     * @throws ApiProblem 403: it changes something, and another site may have caused it
     */
    public Optional<SignedIn> find(Context ctx) {
        @Nullable String cookie = Cookies.SESSION.of(ctx);
        Optional<SignedIn> found = cookie == null ? Optional.empty() : signIns.find(cookie);
        if (found.isPresent() && !READING.contains(ctx.method().name())) {
            requireOwnPage(ctx);
            requireToken(ctx, found.get().csrfToken());
        }
        return found;
    }

    /** Admits the signed-in person who sent this request; returns false if there is none. */
    boolean enter(Context ctx) {
        Optional<SignedIn> found = find(ctx);
        found.ifPresent(signedIn -> Callers.enter(
                ctx,
                signedIn.grant(),
                () -> signIns.find(String.valueOf(Cookies.SESSION.of(ctx)))
                        .filter(now -> now.grant().equals(signedIn.grant()))
                        .isPresent()));
        return found.isPresent();
    }

    /** @throws ApiProblem 403: the browser says that the page of another site has sent it */
    public static void requireOwnPage(Context ctx) {
        @Nullable String site = ctx.header("Sec-Fetch-Site");
        @Nullable String origin = ctx.header("Origin");
        @Nullable String host = ctx.header("Host");
        // A proxy may have changed the host, so what the browser has compared by itself counts first.
        boolean own = site == null
                ? origin == null
                        || (host != null
                                && origin.replaceFirst("^https?://", "").equalsIgnoreCase(host))
                : site.equals("same-origin");
        if (!own) {
            throw new ApiProblem(
                    403,
                    "the page of another site has sent this ("
                            + (site == null ? "Origin: " + origin : "Sec-Fetch-Site: " + site)
                            + "), and whoever is signed in did not ask for it; use a page of this server, or send a"
                            + " token instead of the cookie: Authorization: Bearer TOKEN");
        }
    }

    private static void requireToken(Context ctx, String expected) {
        @Nullable String sent = ctx.header(HEADER);
        if (sent == null
                || !MessageDigest.isEqual(
                        sent.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8))) {
            throw new ApiProblem(
                    403,
                    (sent == null ? "the header " + HEADER + " is missing" : "the header " + HEADER + " is not right")
                            + ": a request that changes something and comes with the cookie has to send the csrfToken"
                            + " of GET /api/v1/session in it");
        }
    }
}
