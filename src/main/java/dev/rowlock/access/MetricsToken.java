package dev.rowlock.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may read metrics: whoever has their own token, which opens nothing else. It is in the settings, so that it can be
 * checked while the database is away. Tokens of the API are not looked at here.
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

    /** Takes as long for a token that is nearly right as for any other. */
    @Override
    public boolean test(@Nullable String sent) {
        return open || (sent != null && hash != null && MessageDigest.isEqual(hash, hash(sent)));
    }

    /** What those are told who may not. */
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
