package dev.rowlock.access.signin;

import dev.rowlock.access.SignInStore;
import dev.rowlock.access.signin.SignedIn.SignInMethod;
import dev.rowlock.audit.Author;
import dev.rowlock.db.DatabaseUnavailable;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Audit of failed sign-ins. Anybody can fail as often as they like, and the audit is kept for long: so each node writes
 * a burst, then one now and then, with the number left out. Thread-safe.
 */
final class FailedSignIns {

    static final int AT_ONCE = 20;
    static final Duration ONE_MORE = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(FailedSignIns.class);

    /** Name in the audit, as the person has proven none. */
    private static final String NOBODY = "-";

    private final SignInStore store;
    private final LongSupplier nanoTime;
    private long spentUntil;
    private long leftOut;

    FailedSignIns(SignInStore store, LongSupplier nanoTime) {
        this.store = store;
        this.nanoTime = nanoTime;
        this.spentUntil = nanoTime.getAsLong();
    }

    void note(SignInMethod way, String why, String address, String requestId) {
        long others = turn();
        if (others < 0) {
            return;
        }
        log.info("a sign-in from {} failed: {}", address, why);
        try {
            store.refused(new Author(NOBODY, "none", address, requestId), way.name(), why, others);
        } catch (DatabaseUnavailable e) {
            log.warn("the failed sign-in from {} is not in the audit: {}", address, e.summary());
        }
    }

    /** Returns the number left out before this one; -1 if this one is left out, too. */
    private synchronized long turn() {
        long now = nanoTime.getAsLong();
        long spent = Math.max(spentUntil - now, 0);
        if (spent > ONE_MORE.multipliedBy(AT_ONCE - 1L).toNanos()) {
            leftOut++;
            return -1;
        }
        spentUntil = now + spent + ONE_MORE.toNanos();
        long others = leftOut;
        leftOut = 0;
        return others;
    }
}
