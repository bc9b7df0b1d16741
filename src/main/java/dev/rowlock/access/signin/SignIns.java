package dev.rowlock.access.signin;

import dev.rowlock.access.Allowance;
import dev.rowlock.access.Caller;
import dev.rowlock.access.Grant;
import dev.rowlock.access.Recent;
import dev.rowlock.access.Role;
import dev.rowlock.access.SignInStore;
import dev.rowlock.access.SignInStore.SignInLifetime;
import dev.rowlock.access.SignInStore.SignInRow;
import dev.rowlock.access.TokenText;
import dev.rowlock.access.TooManyAttempts;
import dev.rowlock.access.signin.SignedIn.SignInMethod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Signed-in people, by their cookie. They are stored in the database, so every node knows them; each caches what it
 * read for a few seconds. Thread-safe.
 */
public final class SignIns {

    /**
     * Lifetime of the cache. A sign-in that was ended elsewhere, or whose token was revoked, works no longer than this.
     */
    private static final Duration BELIEVED = Duration.ofSeconds(4);

    /** Age of the cache at which the next request refreshes it for everybody present. */
    private static final Duration READ_AHEAD = Duration.ofSeconds(3);

    /** Time after their last request for which somebody counts as present. */
    private static final Duration THERE = Duration.ofSeconds(15);

    private static final int TOGETHER = 500;

    /** Minimum time between two writes of a person's last use. */
    private static final Duration RENEWED_EVERY = Duration.ofMinutes(1);

    private static final int REMEMBERED = 2_000;
    private static final int RANDOM_BYTES = 32;
    private static final int MARK_BYTES = 16;
    private static final String COOKIE = "[A-Za-z0-9_-]{43}[.][A-Za-z0-9_-]{22}";
    private static final String MARK = "the mark of a cookie";

    private final SignInStore store;
    private final SignInLifetime limits;
    private final LongSupplier nanoTime;
    private final SharedKey key;
    private final FailedSignIns failures;
    private final Map<String, CachedSignIn> known = new Recent<>(REMEMBERED);

    /** Number of sign-ins that one person may make at once on a node; then one a minute. */
    static final int AT_ONCE = 60;

    private static final Duration ONE_MORE = Duration.ofMinutes(1);

    private final Allowance allowance;
    private final ReentrantLock readingAhead = new ReentrantLock();

    private record CachedSignIn(Optional<SignInRow> row, long readNanos, long usedNanos) {

        CachedSignIn usedAt(long nanos) {
            return new CachedSignIn(row, readNanos, nanos);
        }
    }

    public SignIns(SignInStore store, SignInLifetime limits, LongSupplier nanoTime) {
        this.store = store;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.key = new SharedKey(store, nanoTime);
        this.failures = new FailedSignIns(store, nanoTime);
        this.allowance = new Allowance(AT_ONCE, ONE_MORE, nanoTime);
    }

    /** Returns a seal for text that the browser keeps during a sign-in. */
    Seal seal(String purpose) {
        return new Seal(key, purpose);
    }

    /** Returns the longest lifetime of a cookie. */
    public Duration longest() {
        return limits.most();
    }

    /**
     * Returns the signed-in person whose cookie this is, unless the sign-in has ended or never was.
     *
     * @throws dev.rowlock.db.DatabaseUnavailable if the database must be asked and does not answer
     */
    public Optional<SignedIn> find(String cookie) {
        if (!isOurs(cookie)) {
            return Optional.empty();
        }
        String hash = TokenText.hash(cookie);
        long now = nanoTime.getAsLong();
        CachedSignIn seen = remembered(hash, now);
        if (seen == null || now - seen.readNanos() > BELIEVED.toNanos()) {
            seen = new CachedSignIn(Optional.ofNullable(read(Set.of(hash)).get(hash)), now, now);
            synchronized (known) {
                known.put(hash, seen);
            }
        } else if (now - seen.readNanos() > READ_AHEAD.toNanos() && readingAhead.tryLock()) {
            try {
                readAhead(now);
            } finally {
                readingAhead.unlock();
            }
        }
        return seen.row().flatMap(row -> signedIn(row, cookie));
    }

    /** Refreshes the cache for everybody present in one statement. Whoever signs out meanwhile stays signed out. */
    private void readAhead(long now) {
        Map<String, CachedSignIn> there = new HashMap<>();
        synchronized (known) {
            known.forEach((hash, one) -> {
                boolean old = now - one.readNanos() > READ_AHEAD.toNanos() / 2;
                if (old && now - one.usedNanos() < THERE.toNanos() && there.size() < TOGETHER) {
                    there.put(hash, one);
                }
            });
        }
        Map<String, SignInRow> rows = read(there.keySet());
        synchronized (known) {
            there.forEach((hash, before) -> {
                CachedSignIn last = known.get(hash);
                if (last != null && last.readNanos() == before.readNanos()) {
                    known.put(hash, new CachedSignIn(Optional.ofNullable(rows.get(hash)), now, last.usedNanos()));
                }
            });
        }
    }

    private Map<String, SignInRow> read(Set<String> hashes) {
        Duration rest = limits.idle().dividedBy(10);
        Map<String, SignInRow> rows = hashes.isEmpty()
                ? Map.of()
                : store.find(hashes, limits, rest.compareTo(RENEWED_EVERY) < 0 ? rest : RENEWED_EVERY);
        List<String> toRenew = rows.entrySet().stream()
                .filter(found -> found.getValue().toRenew())
                .map(Map.Entry::getKey)
                .toList();
        if (!toRenew.isEmpty()) {
            store.renew(toRenew, limits);
        }
        return rows;
    }

    private @Nullable CachedSignIn remembered(String hash, long now) {
        synchronized (known) {
            return known.computeIfPresent(hash, (same, one) -> one.usedAt(now));
        }
    }

    /**
     * Signs a person in by a token, which determines from then on what the cookie may do and when it ends.
     *
     * @param who what the token stands for
     * @return the cookie; empty: the token holds no longer
     * @throws TooManyAttempts so many have begun of late
     */
    public Optional<String> begin(Caller who, String token) {
        spend(who);
        String cookie = cookie();
        store.purge();
        return store.beginByToken(TokenText.hash(cookie), who.author(), TokenText.hash(token), limits)
                ? Optional.of(cookie)
                : Optional.empty();
    }

    /** Signs a person in whom an identity provider vouches for, and returns the cookie. */
    public String begin(Caller who) {
        spend(who);
        String cookie = cookie();
        store.purge();
        store.begin(TokenText.hash(cookie), who.author(), who.namespaces(), limits);
        return cookie;
    }

    /** Limits how often a person signs in: each sign-in is a row until it ends, and an audit entry for a year. */
    private void spend(Caller who) {
        Duration wait = allowance.wait(who.name());
        if (!wait.isZero()) {
            throw new TooManyAttempts(
                    who.name()
                            + " has signed in too often of late; keep the cookie, or send the token with each request",
                    wait);
        }
        allowance.spend(who.name());
    }

    /** Notes a refused sign-in. Of many, only some are written to the audit. */
    public void refused(SignInMethod way, String why, String address, String requestId) {
        failures.note(way, why, address, requestId);
    }

    /** Ends the sign-in of this cookie: here at once, on other nodes within seconds. */
    public void end(String cookie, Caller who) {
        String hash = TokenText.hash(cookie);
        store.end(hash, who.author());
        synchronized (known) {
            known.remove(hash);
        }
    }

    /** Returns the signed-in person. A role that only a later version knows grants nothing here. */
    private static Optional<SignedIn> signedIn(SignInRow row, String cookie) {
        return Role.of(row.role())
                .map(role -> new SignedIn(
                        new Grant(row.name(), role, Set.copyOf(row.namespaces())),
                        row.token() == null ? SignInMethod.OIDC : SignInMethod.TOKEN,
                        row.since(),
                        row.expiresAt(),
                        TokenText.hash("rowlock-csrf " + cookie)));
    }

    private String cookie() {
        String random = SharedKey.TEXT.encodeToString(SharedKey.random(RANDOM_BYTES));
        return random + "." + mark(random);
    }

    private boolean isOurs(String cookie) {
        return cookie.matches(COOKIE) && (bearsMark(cookie) || (key.isAnotherNow() && bearsMark(cookie)));
    }

    private boolean bearsMark(String cookie) {
        int dot = cookie.indexOf('.');
        byte[] expected = mark(cookie.substring(0, dot)).getBytes(StandardCharsets.US_ASCII);
        return MessageDigest.isEqual(expected, cookie.substring(dot + 1).getBytes(StandardCharsets.US_ASCII));
    }

    private String mark(String random) {
        return SharedKey.TEXT.encodeToString(Arrays.copyOf(SharedKey.hmac(key.forPurpose(MARK), random), MARK_BYTES));
    }
}
