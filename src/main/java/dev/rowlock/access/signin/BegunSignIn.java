package dev.rowlock.access.signin;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * State of a sign-in, needed again when the browser comes back.
 *
 * @param verifier of the code challenge: only whoever knows it can redeem the code
 */
record BegunSignIn(String state, String nonce, String verifier, String returnTo) {

    /** Storage of the state in the browser, sealed and with a time limit. */
    record Keeper(Seal seal, Clock clock) {

        String close(BegunSignIn begun) {
            long until = clock.instant()
                    .plusSeconds(IdentityProvider.SECONDS_TO_SIGN_IN)
                    .getEpochSecond();
            return seal.close(
                    String.join("\n", "" + until, begun.state(), begun.nonce(), begun.verifier(), begun.returnTo()));
        }

        /** Returns the state, if this cluster began the sign-in and it is not too long ago. */
        Optional<BegunSignIn> open(String kept) {
            return seal.open(kept)
                    .map(text -> text.split("\n", 5))
                    .filter(parts -> clock.instant().isBefore(Instant.ofEpochSecond(Long.parseLong(parts[0]))))
                    .map(parts -> new BegunSignIn(parts[1], parts[2], parts[3], parts[4]));
        }
    }
}
