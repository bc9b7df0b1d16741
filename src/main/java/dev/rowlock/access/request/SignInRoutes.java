package dev.rowlock.access.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Crowded;
import dev.rowlock.access.Shares;
import dev.rowlock.access.signin.IdentityProvider;
import dev.rowlock.access.signin.IdentityProvider.FinishedSignIn;
import dev.rowlock.access.signin.ProviderUnavailable;
import dev.rowlock.access.signin.SignInRefused;
import dev.rowlock.access.signin.SignIns;
import dev.rowlock.access.signin.SignedIn.SignInMethod;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Cookies;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.http.RequestIds;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes of a sign-in by an identity provider: there and back. Browsers get pages, programs get problems. */
public record SignInRoutes(SignIns signIns, @Nullable IdentityProvider provider, Shares waiting) {

    private static final Logger log = LoggerFactory.getLogger(SignInRoutes.class);

    /** Path of this server: with a second slash or a backslash at its beginning it would lead to another one. */
    private static final Pattern OWN_PATH = Pattern.compile("/(?!/)[A-Za-z0-9._~!$&'()*+,;=:@%/?#-]{0,1000}");

    /** Number of threads that may wait for the provider, which may hang. */
    private static final int AT_ONCE = 32;

    private static final Set<String> BEGIN = Set.of("return");
    private static final Duration TO_SIGN_IN = Duration.ofSeconds(IdentityProvider.SECONDS_TO_SIGN_IN);

    public SignInRoutes(SignIns signIns, @Nullable IdentityProvider provider) {
        this(signIns, provider, new Shares("sign-ins that wait for the identity provider", AT_ONCE));
    }

    public void register(Endpoints endpoints) {
        endpoints.open("/signin", this::ways);
        endpoints.open("/signin/oidc", BEGIN, ctx -> guarded(ctx, this::begin));
        endpoints.open("/signin/callback", ctx -> guarded(ctx, this::finish));
    }

    private interface ProviderHandler {
        void handle(Context ctx, IdentityProvider provider);
    }

    /** Answers with the ways to sign in. */
    private void ways(Context ctx) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.putArray("ways").add("TOKEN");
        if (provider != null) {
            node.withArray("ways").add("OIDC");
        }
        Json.answer(ctx, 200, node);
    }

    @SuppressWarnings("try") // the share is held, not used
    private void guarded(Context ctx, ProviderHandler handler) {
        SignInPages.secure(ctx);
        if (provider == null) {
            throw new ApiProblem(404, "there is no identity provider to sign in with: oidc.issuer is not set");
        }
        try (Shares.Share share = waiting.take(Shares.ofAddress(ctx.req().getRemoteAddr()))) {
            handler.handle(ctx, provider);
        } catch (Crowded e) {
            SignInPages.refuse(ctx, e.isOwn() ? 429 : 503, String.valueOf(e.getMessage()), Map.of("Retry-After", "1"));
        } catch (SignInRefused e) {
            signIns.refused(
                    SignInMethod.OIDC, String.valueOf(e.getMessage()), ctx.req().getRemoteAddr(), RequestIds.of(ctx));
            SignInPages.refuse(ctx, e.isKnown() ? 403 : 400, String.valueOf(e.getMessage()), Map.of());
        } catch (ProviderUnavailable e) {
            log.warn("nobody can sign in by OpenID Connect: {}", e.getMessage());
            SignInPages.refuse(ctx, 503, e.getMessage() + "; try again", Map.of("Retry-After", "5"));
        }
    }

    private void begin(Context ctx, IdentityProvider asked) {
        Parameters parameters = new Parameters(ctx);
        parameters.allowOnly(BEGIN);
        @Nullable String sent = parameters.text("return");
        if (sent != null && !OWN_PATH.matcher(sent).matches()) {
            throw ApiProblem.of(400, "return", "must be a path of this server, such as /jobs");
        }
        IdentityProvider.Begun begun = asked.begin(sent == null ? "/" : sent);
        Cookies.BEGUN.set(ctx, begun.kept(), TO_SIGN_IN);
        ctx.status(302).header("Location", begun.location().toString());
    }

    /** Finishes a sign-in. Whatever comes of it, the provider's answer is of no use a second time. */
    private void finish(Context ctx, IdentityProvider asked) {
        @Nullable String kept = Cookies.BEGUN.of(ctx);
        Cookies.BEGUN.clear(ctx);
        @Nullable String query = ctx.queryString();
        FinishedSignIn done = asked.finish(query == null ? "" : query, kept == null ? "" : kept);
        String name = done.grant().name();
        log.info(
                "{} has signed in from {} as {}",
                name,
                ctx.req().getRemoteAddr(),
                done.grant().role().word());
        Cookies.SESSION.set(ctx, signIns.begin(Callers.by(ctx, done.grant())), signIns.longest());
        SignInPages.goOn(ctx, done.returnTo());
    }
}
