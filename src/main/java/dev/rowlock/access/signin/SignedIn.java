package dev.rowlock.access.signin;

import dev.rowlock.access.Grant;
import java.time.Instant;

/**
 * Signed-in person.
 *
 * @param expiresAt unless the sign-in is used before
 * @param csrfToken what a request that changes something has to show besides the cookie
 */
public record SignedIn(Grant grant, SignInMethod way, Instant since, Instant expiresAt, String csrfToken) {

    /** Means of signing in. */
    public enum SignInMethod {
        TOKEN,
        OIDC
    }
}
