package dev.rowlock.access.signin;

import dev.rowlock.access.Grant;
import java.net.URI;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Lets people sign in elsewhere. Nothing is kept between the two steps but what the browser keeps, sealed, so any node
 * can take either of them. For use by several threads.
 */
public interface IdentityProvider {

    /** How long the browser has from one step to the other. */
    int SECONDS_TO_SIGN_IN = 600;

    /**
     * Where the browser is to go.
     *
     * @param kept what the browser has to bring back
     */
    record Begun(URI location, String kept) {}

    /**
     * Somebody who has signed in there, and may do something here.
     *
     * @param returnTo the path where it began
     */
    record Done(Grant grant, String returnTo) {}

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
    Done finish(String query, String kept);

    /**
     * A provider that speaks OpenID Connect. It is asked for nothing yet, and may be away.
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
