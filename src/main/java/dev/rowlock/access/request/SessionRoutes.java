package dev.rowlock.access.request;

import static dev.rowlock.access.Reach.NONE;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Admission;
import dev.rowlock.access.Caller;
import dev.rowlock.access.Grant;
import dev.rowlock.access.Permission;
import dev.rowlock.access.TooManyAttempts;
import dev.rowlock.access.signin.SignIns;
import dev.rowlock.access.signin.SignedIn;
import dev.rowlock.access.signin.SignedIn.SignInMethod;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Cookies;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.RequestIds;
import dev.rowlock.http.SignInCheck;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes that sign in with a token, tell who is signed in, and sign out. */
public record SessionRoutes(Admission tokens, SignIns signIns, SignInCheck check) {

    private static final Logger log = LoggerFactory.getLogger(SessionRoutes.class);
    private static final String PATH = "/session";
    private static final int LARGEST_BODY = 4096;
    private static final Map<String, String> CHALLENGE = Map.of("WWW-Authenticate", "Bearer realm=\"rowlock\"");

    /** @param signedInBy {@code BEARER}: not signed in at all, but sends a token with each request */
    private record SignInView(
            String name,
            String role,
            @Nullable List<String> namespaces,
            String signedInBy,
            @Nullable Instant signedInAt,
            @Nullable Instant expiresAt,
            @Nullable String csrfToken) {}

    /** Returns whether the request is a sign-in of somebody not known yet. */
    public static boolean isSignIn(Context ctx) {
        return ctx.method().equals(HandlerType.POST) && ctx.path().equals("/api/v1" + PATH);
    }

    public void register(Endpoints endpoints) {
        Permission needs = Permission.of(VIEWER, NONE);
        endpoints.anybody(HandlerType.POST, PATH, this::signIn);
        endpoints.api(HandlerType.GET, PATH, needs, Set.of(), (ctx, p) -> show(ctx));
        endpoints.api(HandlerType.DELETE, PATH, needs, Set.of(), (ctx, p) -> signOut(ctx));
    }

    private void signIn(Context ctx) {
        SignInCheck.requireOwnPage(ctx);
        String token = token(Json.object(ctx, LARGEST_BODY, List.of(Json.PLAIN)));
        Optional<Caller> who = grant(ctx, token).map(grant -> Callers.by(ctx, grant));
        @Nullable
        String cookie = who.flatMap(known -> signIns.begin(known, token)).orElse(null);
        if (who.isEmpty() || cookie == null) {
            failed(ctx, "the token is not valid");
            throw new ApiProblem(401, "the token is not valid", CHALLENGE);
        }
        endOf(ctx);
        log.info("{} has signed in from {}", who.get().name(), who.get().address());
        Cookies.SESSION.set(ctx, cookie, signIns.longest());
        Json.answer(ctx, 200, Json.tree(view(signIns.find(cookie).orElseThrow())));
    }

    private Optional<Grant> grant(Context ctx, String token) {
        try {
            return tokens.find(token, ctx.req().getRemoteAddr());
        } catch (TooManyAttempts e) {
            failed(ctx, "too many wrong tokens came from there");
            throw e;
        }
    }

    private void failed(Context ctx, String why) {
        signIns.refused(SignInMethod.TOKEN, why, ctx.req().getRemoteAddr(), RequestIds.of(ctx));
    }

    private static String token(ObjectNode sent) {
        for (Iterator<String> names = sent.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!name.equals("token")) {
                throw ApiProblem.of(422, name, "is not a field here; there is only token");
            }
        }
        JsonNode token = sent.path("token");
        if (!token.isTextual() || token.asText().isBlank()) {
            throw ApiProblem.of(422, "token", "is missing: send the token to sign in with, as text");
        }
        return token.asText().strip();
    }

    private void show(Context ctx) {
        Caller caller = Callers.of(ctx);
        SignInView bearer = new SignInView(
                caller.name(), caller.role().word(), names(caller.namespaces()), "BEARER", null, null, null);
        Json.answer(
                ctx,
                200,
                Json.tree(check.find(ctx)
                        .filter(s -> !hasToken(ctx))
                        .map(this::view)
                        .orElse(bearer)));
    }

    private SignInView view(SignedIn found) {
        Grant grant = found.grant();
        return new SignInView(
                grant.name(),
                grant.role().word(),
                names(grant.namespaces()),
                found.way().name(),
                found.since(),
                found.expiresAt(),
                found.csrfToken());
    }

    private static @Nullable List<String> names(Set<String> namespaces) {
        return namespaces.isEmpty() ? null : List.copyOf(new TreeSet<>(namespaces));
    }

    private void signOut(Context ctx) {
        Json.requireEmpty(ctx);
        if (hasToken(ctx)) {
            throw new ApiProblem(
                    409,
                    "this request bears a token, so nobody is signed in who could sign out; send the cookie alone");
        }
        endOf(ctx);
        Cookies.SESSION.clear(ctx);
        ctx.status(204);
    }

    private static boolean hasToken(Context ctx) {
        return ctx.header("Authorization") != null;
    }

    /** Signs out the person whose cookie came with this request. */
    private void endOf(Context ctx) {
        @Nullable String cookie = Cookies.SESSION.of(ctx);
        if (cookie != null) {
            signIns.find(cookie).ifPresent(found -> signIns.end(cookie, Callers.by(ctx, found.grant())));
        }
    }
}
