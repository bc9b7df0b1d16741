package dev.rowlock.access;

import dev.rowlock.store.session.TokenStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Lets in who has a token, and slows down who guesses: at once, with an answer that says when to come again, so that no
 * thread waits. For use by several threads.
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
     * What a token stands for; empty: nothing. A token in the form of {@link TokenText} is always looked at, as nobody
     * guesses its secret; so is one that was right from this address before. Others, which people may have chosen, wait
     * as long as guesses come from there.
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

    /** Whether a token that was let in still stands for the same; for what goes on for long. */
    public boolean isStill(String token, Grant grant) {
        return tokens.find(token).filter(grant::equals).isPresent();
    }

    /** Tokens were changed here. */
    public void forget() {
        tokens.forget();
    }

    /** Writes when tokens were used; to be called now and then. Answers when to call it again. */
    public Duration writeUses() {
        return uses.write();
    }

    private static TooManyAttempts tooMany(Duration wait) {
        return new TooManyAttempts(
                "too many wrong tokens came from this address; check the token, and try again later", wait);
    }
}
