package dev.rowlock.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Snapshot of all tokens. */
final class KnownTokens {

    private final long readNanos;
    private final Map<String, KnownToken> byId = new HashMap<>();
    /** Tokens without a public id: that of {@code admin}. */
    private final List<KnownToken> others = new ArrayList<>();

    /** @param readNanos when they were asked for */
    KnownTokens(List<StoredToken> tokens, long readNanos) {
        this.readNanos = readNanos;
        for (StoredToken token : tokens) {
            // A role that a later version knows is none here: better to refuse than to let in too far.
            Role.of(token.role()).ifPresent(role -> add(token, role));
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    private record KnownToken(
            Grant grant, byte[] hash, @Nullable Long expiresInMicros, byte[] previousHash, long previousInMicros) {

        boolean matches(byte[] other, long ageMicros) {
            if (expiresInMicros != null && ageMicros >= expiresInMicros) {
                return false;
            }
            // Both are compared, so that the time tells nothing of which one it was.
            boolean current = MessageDigest.isEqual(hash, other);
            boolean previous = MessageDigest.isEqual(previousHash, other) && ageMicros < previousInMicros;
            return current || previous;
        }
    }

    long readNanos() {
        return readNanos;
    }

    /**
     * Returns what a token grants at a time.
     *
     * @param id its public part; null: it has none
     */
    Optional<Grant> find(@Nullable String id, byte[] hash, long nanos) {
        long ageMicros = TimeUnit.NANOSECONDS.toMicros(nanos - readNanos);
        @Nullable KnownToken named = id == null ? null : byId.get(id);
        if (named != null && named.matches(hash, ageMicros)) {
            return Optional.of(named.grant());
        }
        return others.stream()
                .filter(known -> known.matches(hash, ageMicros))
                .map(KnownToken::grant)
                .findFirst();
    }

    private void add(StoredToken token, Role role) {
        KnownToken known = new KnownToken(
                new Grant(token.name(), role, token.namespaces()),
                bytes(token.hash()),
                token.expiresInMicros(),
                token.previousHash() == null ? new byte[0] : bytes(token.previousHash()),
                token.previousInMicros());
        if (token.tokenId() == null) {
            others.add(known);
        } else {
            byId.put(token.tokenId(), known);
        }
    }

    static byte[] bytes(String hash) {
        return hash.getBytes(StandardCharsets.US_ASCII);
    }
}
