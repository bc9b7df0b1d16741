package dev.rowlock.access.signin;

import dev.rowlock.access.Grant;
import java.net.URI;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Sign-in by an external provider. Between its two steps all state is in the browser, sealed, so any node can take
 * either step. Thread-safe.
 */
public interface IdentityProvider {

    /** Time that the browser has between the two steps. */
    int SECONDS_TO_SIGN_IN = 600;

    /**
     * Address to send the browser to, and the state that it keeps.
     *
     * @param kept what the browser has to bring back
     */
    record Begun(URI location, String kept) {}

    /**
     * Person who has signed in there, and what they may do here.
     *
     * @param returnTo the path where it began
     */
    record FinishedSignIn(Grant grant, String returnTo) {}

    /**
     * @param returnTo a path of this server; whoever calls has made sure that it is no more than that
     * @throws ProviderUnavailable the provider does not answer
     */
    Begun begin(String returnTo);

    /**
     * @param query what the provider has added to the address that it sent the browser back to
     * @param kept what the browser has brought back
     * @throws SignInRefused it is not proven who this is, or they have no role here
     * @throws ProviderUnavailable the provider does not answer
     */
    FinishedSignIn finish(String query, String kept);

    /**
     * Creates a provider that speaks OpenID Connect. It is not contacted yet, and may be down.
     *
     * @param clock the host's wall clock
     */
    static IdentityProvider openIdConnect(
            ProviderSettings settings, SignIns signIns, Clock clock, LongSupplier nanoTime) {
        return new OpenIdConnect(
                settings,
                new BegunSignIn.Keeper(signIns.seal("a sign-in that was begun"), clock),
                new Discovery(settings.issuer(), settings.clientId(), nanoTime));
    }
}
