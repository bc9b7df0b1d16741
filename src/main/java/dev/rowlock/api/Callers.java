package dev.rowlock.api;

import dev.rowlock.access.Caller;
import dev.rowlock.access.Grant;
import dev.rowlock.access.TokenCheck;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How a request becomes a {@link Caller}: by the token in its header. */
final class Callers {

    private static final String CALLER = "rowlock.caller";
    private static final Map<String, String> CHALLENGE = Map.of("WWW-Authenticate", "Bearer realm=\"rowlock\"");

    private final TokenCheck tokens;
    private final Predicate<String> refusedHere;

    /** @param refusedHere whether a token that is not the cluster's is the one in this node's settings */
    Callers(TokenCheck tokens, Predicate<String> refusedHere) {
        this.tokens = tokens;
        this.refusedHere = refusedHere;
    }

    /** Who sent this request; only where {@link #identify} was called before, which is all of the API. */
    static Caller of(Context ctx) {
        Caller caller = ctx.attribute(CALLER);
        if (caller == null) {
            throw new IllegalStateException(ctx.path() + " was reached without a caller");
        }
        return caller;
    }

    /**
     * Finds out who sends this request, for {@link #of}.
     *
     * @throws ApiProblem 401: nobody that is known
     */
    void identify(Context ctx) {
        String sent = ctx.header("Authorization");
        @Nullable String token = bearer(sent);
        Optional<Grant> grant = token == null ? Optional.empty() : tokens.find(token);
        if (grant.isEmpty()) {
            throw new ApiProblem(401, refusal(sent, token == null ? "" : token), CHALLENGE);
        }
        ctx.attribute(CALLER, Caller.of(grant.get(), ctx.req().getRemoteAddr(), RequestIds.of(ctx)));
    }

    private static @Nullable String bearer(@Nullable String sent) {
        return sent != null && sent.regionMatches(true, 0, "Bearer ", 0, 7)
                ? sent.substring(7).strip()
                : null;
    }

    private String refusal(@Nullable String sent, String token) {
        if (sent == null) {
            return "a token is needed: Authorization: Bearer TOKEN";
        }
        return refusedHere.test(token)
                ? "this is the admin.token of this node's settings, but the cluster has another one: use the cluster's"
                        + " token, or make this one the cluster's with \"scripts/rowlock admin-token replace\" on this"
                        + " node"
                : "the token is not valid; expected is Authorization: Bearer TOKEN";
    }
}
