package dev.rowlock.http;

import dev.rowlock.access.Admission;
import dev.rowlock.access.Caller;
import dev.rowlock.access.Grant;
import dev.rowlock.db.DatabaseUnavailable;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Identification of a request's {@link Caller}: by the token in its header, otherwise by the cookie of a signed-in
 * person.
 */
public final class Callers {

    private static final String CALLER = "rowlock.caller";
    private static final String STILL = "rowlock.caller.still";
    private static final Map<String, String> CHALLENGE = Map.of("WWW-Authenticate", "Bearer realm=\"rowlock\"");

    private final Admission tokens;
    private final SignInCheck signIns;
    private final Predicate<String> refusedHere;

    /** @param refusedHere whether a token that is not the cluster's is the one in this node's settings */
    public Callers(Admission tokens, SignInCheck signIns, Predicate<String> refusedHere) {
        this.tokens = tokens;
        this.signIns = signIns;
        this.refusedHere = refusedHere;
    }

    /** Returns who sent this request, identified earlier by {@link #identify}, as in all of the API. */
    public static Caller of(Context ctx) {
        Caller caller = ctx.attribute(CALLER);
        if (caller == null) {
            throw new IllegalStateException(ctx.path() + " was reached without a caller");
        }
        return caller;
    }

    /** Refuses a query whose parameter {@code namespace} names one that the caller may not see. */
    public static void requireNamespace(Context ctx, Parameters parameters) {
        String namespace = parameters.text("namespace");
        if (namespace != null) {
            of(ctx).requireNamespace(namespace);
        }
    }

    /**
     * Identifies the sender of this request, for {@link #of}.
     *
     * @throws ApiProblem 401: nobody that is known; 403: somebody who is signed in may not have meant to
     */
    public void identify(Context ctx) {
        String sent = ctx.header("Authorization");
        @Nullable String token = Bearer.token(ctx);
        if (sent == null && signIns.enter(ctx)) {
            return;
        }
        String address = ctx.req().getRemoteAddr();
        Optional<Grant> grant = token == null ? Optional.empty() : tokens.find(token, address);
        if (token == null || grant.isEmpty()) {
            throw new ApiProblem(401, refusal(sent, token == null ? "" : token), CHALLENGE);
        }
        Grant granted = grant.get();
        BooleanSupplier isStill = () -> tokens.isStill(token, granted);
        enter(ctx, granted, isStill);
    }

    /** @param isStill whether what was granted to this caller still is */
    static void enter(Context ctx, Grant granted, BooleanSupplier isStill) {
        ctx.attribute(CALLER, by(ctx, granted));
        ctx.attribute(STILL, isStill);
    }

    /** Returns the holder of a grant, as the sender of this request. */
    public static Caller by(Context ctx, Grant granted) {
        return Caller.of(granted, ctx.req().getRemoteAddr(), RequestIds.of(ctx));
    }

    /**
     * Returns whether the caller may still do what it was admitted for; long answers ask before each part. While the
     * database is away this is unknown, and there is nothing new to tell anyway.
     */
    public static boolean isStillIn(Context ctx) {
        BooleanSupplier isStill = ctx.attribute(STILL);
        try {
            return isStill != null && isStill.getAsBoolean();
        } catch (DatabaseUnavailable e) {
            return true;
        }
    }

    private String refusal(@Nullable String sent, String token) {
        if (sent == null) {
            return "a token is needed: Authorization: Bearer TOKEN; or sign in: POST /api/v1/session";
        }
        return refusedHere.test(token)
                ? "this is the admin.token of this node's settings, but the cluster has another one: use the cluster's"
                        + " token, or make this one the cluster's with \"scripts/rowlock admin-token replace\" on this"
                        + " node"
                : "the token is not valid; expected is Authorization: Bearer TOKEN";
    }
}
