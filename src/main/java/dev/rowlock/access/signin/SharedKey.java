package dev.rowlock.access.signin;

import dev.rowlock.access.SignInStore;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Secret shared by all nodes of the cluster. All nodes recognize what one of them made with it, and refuse a forgery
 * without asking the database.
 */
final class SharedKey {

    static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;

    /** Minimum age before the key is read again when something does not fit: the database may have been restored. */
    private static final Duration DOUBTED = Duration.ofSeconds(5);

    private final SignInStore store;
    private final LongSupplier nanoTime;
    private @Nullable CachedKey known;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record CachedKey(byte[] key, long readNanos) {}

    SharedKey(SignInStore store, LongSupplier nanoTime) {
        this.store = store;
        this.nanoTime = nanoTime;
    }

    static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return random;
    }

    /** Returns a key derived from this one for a single purpose. */
    byte[] forPurpose(String purpose) {
        return hmac(key(), purpose);
    }

    static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HMAC with SHA-256", e);
        }
    }

    /** Reads the key again when something did not fit, and returns whether it has changed. */
    synchronized boolean isAnotherNow() {
        if (known == null || nanoTime.getAsLong() - known.readNanos() < DOUBTED.toNanos()) {
            return false;
        }
        byte[] before = known.key();
        known = null;
        return !Arrays.equals(before, key());
    }

    private synchronized byte[] key() {
        if (known == null) {
            long askedNanos = nanoTime.getAsLong();
            Optional<String> found = store.key();
            if (found.isEmpty()) {
                store.offerKey(TEXT.encodeToString(random(BYTES)));
                found = store.key();
            }
            byte[] read = Base64.getUrlDecoder()
                    .decode(found.orElseThrow(() -> new IllegalStateException("the key of sign-ins was deleted")));
            known = new CachedKey(read, askedNanos);
        }
        return known.key();
    }
}
