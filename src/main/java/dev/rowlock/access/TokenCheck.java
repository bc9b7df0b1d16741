package dev.rowlock.access;

import dev.rowlock.db.DatabaseUnavailable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lookup of what a token grants. All tokens are read together and cached for a few seconds. Thread-safe. */
public final class TokenCheck {

    static final String ADMIN = "admin";

    /** Lifetime of the cache. A replaced or deleted token works no longer than this. */
    private static final Duration BELIEVED = Duration.ofSeconds(5);

    /**
     * Minimum age of the cache before an unknown token makes it be read again; keeps guessing away from the database.
     */
    private static final Duration DOUBTED = Duration.ofSeconds(1);

    /** Time to wait for the database's answer to another thread. */
    private static final Duration ASKED_WITHIN = Duration.ofSeconds(2);

    private final TokenStore tokens;
    private final LongSupplier nanoTime;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable KnownTokens known;

    public TokenCheck(TokenStore tokens, LongSupplier nanoTime) {
        this.tokens = tokens;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns what this token grants, if it is known. One request at a time asks the database; others share its answer.
     *
     * @throws DatabaseUnavailable if the database must be asked and does not answer
     */
    public Optional<Grant> find(String token) {
        @Nullable String id = TokenText.idOf(token);
        byte[] hash = KnownTokens.bytes(TokenText.hash(token));
        KnownTokens seen = known;
        Optional<Grant> found = seen == null ? Optional.empty() : seen.find(id, hash, nanoTime.getAsLong());
        return isStale(seen, found) ? fresh(id, hash).find(id, hash, nanoTime.getAsLong()) : found;
    }

    /** Discards the cache, so that a change made on this node takes effect at once. */
    public void forget() {
        known = null;
    }

    private boolean isStale(@Nullable KnownTokens seen, Optional<Grant> found) {
        return seen == null || isOlder(seen, BELIEVED) || (found.isEmpty() && isOlder(seen, DOUBTED));
    }

    private KnownTokens fresh(@Nullable String id, byte[] hash) {
        if (!isMyTurn()) {
            throw new DatabaseUnavailable(
                    "the database does not answer, so that the token cannot be checked; try again");
        }
        try {
            KnownTokens seen = known;
            return seen == null || isStale(seen, seen.find(id, hash, nanoTime.getAsLong())) ? read() : seen;
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

    private KnownTokens read() {
        long askedNanos = nanoTime.getAsLong();
        KnownTokens fresh = new KnownTokens(tokens.known(), askedNanos);
        known = fresh;
        return fresh;
    }

    private boolean isOlder(KnownTokens seen, Duration age) {
        return nanoTime.getAsLong() - seen.readNanos() > age.toNanos();
    }
}
