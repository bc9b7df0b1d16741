package dev.rowlock.access;

import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.store.session.TokenStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Who may ask at all: whoever has the token. For use by several threads. */
public final class TokenCheck {

    static final String ADMIN = "admin";

    /** How long a hash that was read is believed. A token that was replaced works no longer than this. */
    private static final Duration BELIEVED = Duration.ofSeconds(5);

    /** How soon the hash is read again for a token that does not match it; keeps guessing away from the database. */
    private static final Duration DOUBTED = Duration.ofSeconds(1);

    /** How long one waits for the answer that somebody else gets from the database. */
    private static final Duration ASKED_WITHIN = Duration.ofSeconds(2);

    private final TokenStore tokens;
    private final LongSupplier nanoTime;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable Known known;

    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    private record Known(byte @Nullable [] hash, long readNanos) {

        boolean matches(byte[] other) {
            return hash != null && MessageDigest.isEqual(hash, other);
        }
    }

    public TokenCheck(TokenStore tokens, LongSupplier nanoTime) {
        this.tokens = tokens;
        this.nanoTime = nanoTime;
    }

    /**
     * What this token stands for; empty: nothing. One request at a time asks the database; others take its answer.
     *
     * @throws dev.rowlock.db.DatabaseUnavailable if the database must be asked and does not answer
     */
    public Optional<Grant> find(String token) {
        byte[] hash = hash(token).getBytes(StandardCharsets.US_ASCII);
        Known seen = known;
        boolean matches = (seen == null || isStale(seen, hash) ? fresh(hash) : seen).matches(hash);
        return matches ? Optional.of(new Grant(ADMIN, Role.ADMIN, Set.of())) : Optional.empty();
    }

    private boolean isStale(Known seen, byte[] hash) {
        return isOlder(seen, BELIEVED) || (!seen.matches(hash) && isOlder(seen, DOUBTED));
    }

    private Known fresh(byte[] hash) {
        if (!isMyTurn()) {
            throw new DatabaseUnavailable(
                    "the database does not answer, so that the token cannot be checked; try again");
        }
        try {
            Known seen = known;
            return seen == null || isStale(seen, hash) ? read() : seen;
        } finally {
            asking.unlock();
        }
    }

    private boolean isMyTurn() {
        try {
            return asking.tryLock(ASKED_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** SHA-256 of a token, in hex. */
    static String hash(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private Known read() {
        long askedNanos = nanoTime.getAsLong();
        byte[] hash = tokens.find(ADMIN)
                .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .orElse(null);
        Known fresh = new Known(hash, askedNanos);
        known = fresh;
        return fresh;
    }

    private boolean isOlder(Known seen, Duration age) {
        return nanoTime.getAsLong() - seen.readNanos() > age.toNanos();
    }
}
