package dev.rowlock.access.signin;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import dev.rowlock.access.Grant;
import dev.rowlock.access.signin.Discovery.DiscoveredProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Authorization code flow with PKCE; the ID token is the only proof of identity. */
final class OpenIdConnect implements IdentityProvider {

    private static final Logger log = LoggerFactory.getLogger(OpenIdConnect.class);

    private static final String AGAIN = "; begin the sign-in again";

    private final ProviderSettings settings;
    private final BegunSignIn.Keeper keeper;
    private final Discovery discovery;
    private final Claims claims;

    OpenIdConnect(ProviderSettings settings, BegunSignIn.Keeper keeper, Discovery discovery) {
        this.settings = settings;
        this.keeper = keeper;
        this.discovery = discovery;
        this.claims = new Claims(settings);
    }

    @Override
    public Begun begin(String returnTo) {
        OIDCProviderMetadata metadata = discovery.known().metadata();
        BegunSignIn begun = new BegunSignIn(
                new State().getValue(), new Nonce().getValue(), new CodeVerifier().getValue(), returnTo);
        URI location = new AuthenticationRequest.Builder(
                        ResponseType.CODE, scope(), new ClientID(settings.clientId()), settings.redirect())
                .endpointURI(metadata.getAuthorizationEndpointURI())
                .state(new State(begun.state()))
                .nonce(new Nonce(begun.nonce()))
                .codeChallenge(new CodeVerifier(begun.verifier()), CodeChallengeMethod.S256)
                .build()
                .toURI();
        return new Begun(location, keeper.close(begun));
    }

    private Scope scope() {
        Scope scope = new Scope(settings.scopes().toArray(String[]::new));
        scope.add("openid");
        return scope;
    }

    @Override
    public FinishedSignIn finish(String query, String kept) {
        BegunSignIn begun = keeper.open(kept)
                .orElseThrow(() -> SignInRefused.unproven(
                        "this sign-in was not begun in this browser, or more than ten minutes ago" + AGAIN));
        AuthorizationCode code = code(query, begun);
        JWTClaimsSet proven = proven(code, begun);
        String name = claims.name(proven);
        List<String> groups = claims.groups(proven);
        Grant grant = settings.grant(name, groups).orElseThrow(() -> {
            log.info("{} has signed in at {} and has no role here; groups: {}", name, settings.issuer(), groups);
            return SignInRefused.withoutRole(claims.withoutRole(name, proven));
        });
        return new FinishedSignIn(grant, begun.returnTo());
    }

    /** Returns the authorization code that the browser brought back, if it belongs to the sign-in that was begun. */
    private AuthorizationCode code(String query, BegunSignIn begun) {
        AuthenticationResponse answer;
        try {
            answer = AuthenticationResponseParser.parse(URI.create(settings.redirect() + "?" + query));
        } catch (ParseException | IllegalArgumentException e) {
            throw SignInRefused.unproven("what the identity provider sent back cannot be read" + AGAIN);
        }
        if (answer.getState() == null || !isSame(answer.getState().getValue(), begun.state())) {
            throw SignInRefused.unproven(
                    "the state that came back is not that of the sign-in which was begun in this" + " browser" + AGAIN);
        }
        if (answer.getIssuer() != null
                && !answer.getIssuer().getValue().equals(settings.issuer().toString())) {
            throw SignInRefused.unproven("another identity provider has answered than was asked" + AGAIN);
        }
        if (!answer.indicatesSuccess()) {
            throw SignInRefused.unproven("the identity provider has refused: "
                    + said(answer.toErrorResponse().getErrorObject()) + AGAIN);
        }
        return answer.toSuccessResponse().getAuthorizationCode();
    }

    private static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the claims of an ID token that the provider signed, for this client and this sign-in. */
    private JWTClaimsSet proven(AuthorizationCode code, BegunSignIn begun) {
        DiscoveredProvider known = discovery.known();
        JWT token = redeemed(known.metadata(), code, begun);
        try {
            JWTClaimsSet valid =
                    known.tokens().validate(token, new Nonce(begun.nonce())).toJWTClaimsSet();
            Object party = valid.getClaim("azp");
            if (party != null && !party.equals(settings.clientId())) {
                throw new BadJWTException("it was made for " + party);
            }
            return valid;
        } catch (KeySourceException e) {
            throw new ProviderUnavailable("the keys of the identity provider cannot be had: " + e.getMessage());
        } catch (BadJOSEException | JOSEException | ParseException e) {
            log.warn("an ID token of {} is refused: {}", settings.issuer(), e.getMessage());
            throw SignInRefused.unproven(
                    "the ID token of the identity provider is not accepted: " + e.getMessage() + AGAIN);
        }
    }

    private JWT redeemed(OIDCProviderMetadata metadata, AuthorizationCode code, BegunSignIn begun) {
        TokenRequest asked = new TokenRequest.Builder(
                        metadata.getTokenEndpointURI(),
                        authentication(metadata.getTokenEndpointAuthMethods()),
                        new AuthorizationCodeGrant(code, settings.redirect(), new CodeVerifier(begun.verifier())))
                .build();
        try {
            HTTPRequest request = asked.toHTTPRequest();
            Discovery.limit(request);
            TokenResponse answer = OIDCTokenResponseParser.parse(request.send());
            if (!answer.indicatesSuccess()) {
                ErrorObject error = answer.toErrorResponse().getErrorObject();
                log.warn("{} gives no token for a code: {}", settings.issuer(), said(error));
                throw SignInRefused.unproven("the identity provider gives no token: " + said(error) + AGAIN);
            }
            JWT token = ((OIDCTokenResponse) answer.toSuccessResponse())
                    .getOIDCTokens()
                    .getIDToken();
            if (token == null) {
                throw new ProviderUnavailable("the identity provider answers without an ID token");
            }
            return token;
        } catch (IOException | ParseException e) {
            throw new ProviderUnavailable("the identity provider does not give out tokens at "
                    + metadata.getTokenEndpointURI() + ": " + e.getMessage());
        }
    }

    private ClientAuthentication authentication(@Nullable List<ClientAuthenticationMethod> possible) {
        ClientID id = new ClientID(settings.clientId());
        Secret secret = new Secret(settings.clientSecret());
        boolean post = possible != null
                && possible.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST)
                && !possible.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
        return post ? new ClientSecretPost(id, secret) : new ClientSecretBasic(id, secret);
    }

    private static String said(@Nullable ErrorObject error) {
        if (error == null || error.getCode() == null) {
            return "it does not say why";
        }
        return error.getDescription() == null ? error.getCode() : error.getCode() + ", " + error.getDescription();
    }
}
