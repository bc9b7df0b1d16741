package dev.rowlock.access;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stored token, as far as needed to recognize it; the token itself is never stored.
 *
 * @param tokenId its public part; null: it has none, as that of {@code admin}
 * @param hash SHA-256 in lower-case hex
 * @param namespaces that it is limited to; empty: all
 * @param expiresInMicros from when it was read, by the database's clock; null: never
 * @param previousHash of the token before the last rotation; null: that one does not work
 * @param previousInMicros how much longer that one works
 */
public record StoredToken(
        String name,
        @Nullable String tokenId,
        String hash,
        String role,
        Set<String> namespaces,
        @Nullable Long expiresInMicros,
        @Nullable String previousHash,
        long previousInMicros) {

    public StoredToken {
        namespaces = Set.copyOf(namespaces);
    }
}
