package dev.rowlock.access.signin;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metadata and signing keys published by the provider. They are fetched when somebody signs in, and again after an
 * hour; keys also when a token names an unknown one.
 */
final class Discovery {

    private static final Logger log = LoggerFactory.getLogger(Discovery.class);

    private static final int MILLIS = 5_000;
    private static final int LARGEST = 1 << 20;
    private static final Duration FRESH = Duration.ofHours(1);

    /** Time after a failure of the provider during which further calls fail at once. */
    private static final Duration LEFT_ALONE = Duration.ofSeconds(2);

    private static final long KEYS_FRESH_MILLIS = 300_000;
    private static final long BETWEEN_KEYS_MILLIS = 10_000;

    private final URI issuer;
    private final ClientID client;
    private final LongSupplier nanoTime;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable DiscoveredProvider known;
    private volatile @Nullable DiscoveryFailure failure;

    /** @param tokens checks who signed an ID token, for whom, and until when */
    record DiscoveredProvider(OIDCProviderMetadata metadata, IDTokenValidator tokens, long readNanos) {}

    private record DiscoveryFailure(String message, long atNanos) {}

    Discovery(URI issuer, String clientId, LongSupplier nanoTime) {
        this.issuer = issuer;
        this.client = new ClientID(clientId);
        this.nanoTime = nanoTime;
    }

    /** @throws ProviderUnavailable it does not answer, and never did */
    DiscoveredProvider known() {
        DiscoveredProvider seen = known;
        if (seen != null && !isOlder(seen.readNanos(), FRESH)) {
            return seen;
        }
        try {
            return asked();
        } catch (ProviderUnavailable e) {
            if (seen == null) {
                throw e;
            }
            log.warn("{}; what it said of itself before is still believed", e.getMessage());
            return seen;
        }
    }

    /** Returns the metadata, fetched by one thread while others wait for it, within limits. */
    private DiscoveredProvider asked() {
        if (!isMyTurn()) {
            throw new ProviderUnavailable("the identity provider " + issuer + " does not answer");
        }
        try {
            DiscoveredProvider seen = known;
            DiscoveryFailure failed = failure;
            if (seen != null && !isOlder(seen.readNanos(), FRESH)) {
                return seen;
            }
            if (failed != null && !isOlder(failed.atNanos(), LEFT_ALONE)) {
                throw new ProviderUnavailable(failed.message());
            }
            return resolved();
        } catch (ProviderUnavailable e) {
            failure = new DiscoveryFailure(String.valueOf(e.getMessage()), nanoTime.getAsLong());
            throw e;
        } finally {
            asking.unlock();
        }
    }

    private boolean isMyTurn() {
        try {
            return asking.tryLock(2L * MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private DiscoveredProvider resolved() {
        OIDCProviderMetadata metadata;
        try {
            metadata = OIDCProviderMetadata.resolve(new Issuer(issuer), Discovery::limit);
        } catch (IOException | GeneralException e) {
            throw new ProviderUnavailable("the identity provider " + issuer + " does not tell of itself under"
                    + " /.well-known/openid-configuration: " + e.getMessage());
        }
        requireSafe("authorization_endpoint", metadata.getAuthorizationEndpointURI());
        requireSafe("token_endpoint", metadata.getTokenEndpointURI());
        requireSafe("jwks_uri", metadata.getJWKSetURI());
        DiscoveredProvider fresh =
                new DiscoveredProvider(metadata, validator(metadata.getJWKSetURI()), nanoTime.getAsLong());
        known = fresh;
        return fresh;
    }

    /** Limits the time to wait for an answer, and follows no redirect. */
    static void limit(HTTPRequest request) {
        request.setConnectTimeout(MILLIS);
        request.setReadTimeout(MILLIS);
        request.setFollowRedirects(false);
    }

    private void requireSafe(String what, @Nullable URI endpoint) {
        if (endpoint == null) {
            throw new ProviderUnavailable("the identity provider " + issuer + " names no " + what);
        }
        if (!"https".equals(endpoint.getScheme()) && "https".equals(issuer.getScheme())) {
            throw new ProviderUnavailable("the " + what + " of the identity provider " + issuer + " is not https");
        }
    }

    /**
     * Creates the validator of ID tokens. It accepts neither {@code none} nor symmetric signatures, whatever a token
     * claims.
     */
    private IDTokenValidator validator(URI keys) {
        Set<JWSAlgorithm> accepted = new HashSet<>(JWSAlgorithm.Family.RSA);
        accepted.addAll(JWSAlgorithm.Family.EC);
        try {
            // No cache that is refreshed ahead: it would have threads of its own.
            JWKSource<SecurityContext> source = JWKSourceBuilder.create(
                            keys.toURL(), new DefaultResourceRetriever(MILLIS, MILLIS, LARGEST))
                    .cache(KEYS_FRESH_MILLIS, MILLIS)
                    .refreshAheadCache(false)
                    .rateLimited(BETWEEN_KEYS_MILLIS)
                    .build();
            return new IDTokenValidator(
                    new Issuer(issuer), client, new JWSVerificationKeySelector<>(accepted, source), null);
        } catch (MalformedURLException e) {
            throw new ProviderUnavailable("the jwks_uri of the identity provider " + issuer + " is no URL: " + keys);
        }
    }

    private boolean isOlder(long readNanos, Duration age) {
        return nanoTime.getAsLong() - readNanos > age.toNanos();
    }
}
