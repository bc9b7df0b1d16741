package dev.rowlock.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Check of the caller who reads metrics with the token made for that, which opens nothing else. It is in the settings,
 * so the check works while the database is away. API tokens are not checked here.
 */
public final class MetricsToken implements Predicate<@Nullable String> {

    private final boolean open;
    private final byte @Nullable [] hash;

    /**
     * @param open whether everybody may
     * @param token null: nobody has one
     */
    public MetricsToken(boolean open, @Nullable String token) {
        this.open = open;
        this.hash = token == null ? null : hash(token);
    }

    /** Compares in constant time. */
    @Override
    public boolean test(@Nullable String sent) {
        return open || (sent != null && hash != null && MessageDigest.isEqual(hash, hash(sent)));
    }

    /** Returns the message for callers without access to metrics. */
    public String refusal() {
        return hash == null
                ? "a token is needed: Authorization: Bearer TOKEN, with one of the API that is not limited to"
                        + " namespaces; or set metrics.token (ROWLOCK_METRICS_TOKEN), or metrics.access to open"
                : "a token is needed: Authorization: Bearer TOKEN, with metrics.token of the settings, or one of the"
                        + " API that is not limited to namespaces";
    }

    private static byte[] hash(String token) {
        return TokenText.hash(token).getBytes(StandardCharsets.US_ASCII);
    }
}
