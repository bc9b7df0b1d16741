package dev.rowlock.access;

import dev.rowlock.store.session.TokenStore;
import java.time.Duration;
import java.util.Optional;
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
}
