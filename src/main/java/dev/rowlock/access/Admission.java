package dev.rowlock.access;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Admission by token. Guessing is throttled by an immediate answer that says when to try again, so no thread waits.
 * Thread-safe.
 */
public final class Admission {

    private final TokenCheck tokens;
    private final TokenUses uses;
    private final Guesses guesses;

    public Admission(TokenStore store, LongSupplier nanoTime) {
        this(new TokenCheck(store, nanoTime), new TokenUses(store, nanoTime), new Guesses(nanoTime));
    }

    Admission(TokenCheck tokens, TokenUses uses, Guesses guesses) {
        this.tokens = tokens;
        this.uses = uses;
        this.guesses = guesses;
    }

    /**
     * Returns what a token grants, if it is known. A token of the form of {@link TokenText} is always checked, as its
     * secret cannot be guessed; so is one that was right from this address before. Any other may have been chosen by a
     * person, and is refused unchecked while guesses come from that address.
     *
     * @param address that the token came from
     * @throws TooManyAttempts it was not looked at, or is wrong, and many wrong ones came from there before
     * @throws dev.rowlock.db.DatabaseUnavailable it cannot be told
     */
    public Optional<Grant> find(String token, String address) {
        Duration wait = guesses.wait(address);
        boolean slowed = !wait.isZero();
        if (slowed && TokenText.idOf(token) == null && !guesses.isProven(address, token)) {
            throw tooMany(wait);
        }
        Optional<Grant> found = tokens.find(token);
        if (found.isPresent()) {
            guesses.right(address, token);
            uses.note(found.get().name());
            return found;
        }
        guesses.wrong(address);
        if (slowed) {
            throw tooMany(wait);
        }
        return found;
    }

    /** Returns whether an admitted token still grants the same; for long-lived requests. */
    public boolean isStill(String token, Grant grant) {
        return tokens.find(token).filter(grant::equals).isPresent();
    }

    /** Forgets what is known of tokens, after they were changed on this node. */
    public void forget() {
        tokens.forget();
    }

    /** Writes when tokens were last used; call periodically. Returns the delay until the next call. */
    public Duration writeUses() {
        return uses.write();
    }

    private static TooManyAttempts tooMany(Duration wait) {
        return new TooManyAttempts(
                "too many wrong tokens came from this address; check the token, and try again later", wait);
    }

    /** Times at which tokens were used, kept in memory until they are written, so that requests pay nothing for it. */
    private static final class TokenUses {

        /** Minimum time between two writes for one token. */
        private static final Duration OF_ONE = Duration.ofMinutes(1);

        private static final Duration STEP = Duration.ofSeconds(5);

        private final TokenStore store;
        private final LongSupplier nanoTime;
        /** Last use by name of token; only existing tokens, so it stays small. */
        private final Map<String, Long> used = new ConcurrentHashMap<>();

        private final Map<String, Long> written = new ConcurrentHashMap<>();

        TokenUses(TokenStore store, LongSupplier nanoTime) {
            this.store = store;
            this.nanoTime = nanoTime;
        }

        void note(String name) {
            used.put(name, nanoTime.getAsLong());
        }

        /** Writes the uses that are due. A use that cannot be written is left for the next call. */
        Duration write() {
            long now = nanoTime.getAsLong();
            written.values().removeIf(at -> now - at >= OF_ONE.toNanos());
            Map<String, Long> due = new HashMap<>(used);
            due.keySet().removeAll(written.keySet());
            if (!due.isEmpty()) {
                Map<String, Duration> ago = new HashMap<>();
                due.forEach((name, at) -> ago.put(name, Duration.ofNanos(Math.max(0, now - at))));
                store.used(ago);
                due.forEach(used::remove); // unless it was used again meanwhile
                due.keySet().forEach(name -> written.put(name, now));
            }
            return STEP;
        }
    }
}
