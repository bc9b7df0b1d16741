package dev.rowlock.access.signin;

import dev.rowlock.access.Grant;
import java.time.Instant;

/**
 * Somebody who is signed in.
 *
 * @param expiresAt unless the sign-in is used before
 * @param csrfToken what a request that changes something has to show besides the cookie
 */
public record SignedIn(Grant grant, Way way, Instant since, Instant expiresAt, String csrfToken) {

    /** How somebody signed in. */
    public enum Way {
        TOKEN,
        OIDC
    }
}
