package dev.rowlock;

import dev.rowlock.access.Role;
import dev.rowlock.access.SignInStore;
import dev.rowlock.access.SignInStore.SignInLifetime;
import dev.rowlock.access.signin.IdentityProvider;
import dev.rowlock.access.signin.ProviderSettings;
import dev.rowlock.access.signin.SignIns;
import dev.rowlock.api.HttpServer.SignInMeans;
import dev.rowlock.config.Config.GroupRoleConfig;
import dev.rowlock.config.Config.OidcConfig;
import dev.rowlock.config.Config.SignInConfig;
import dev.rowlock.db.Database;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sign-in according to the settings. */
final class SigningIn {

    private SigningIn() {}

    static SignInMeans services(SignInConfig config, Database pool) {
        SignIns signIns = new SignIns(
                new SignInStore(pool), new SignInLifetime(config.idleTimeout(), config.maxAge()), System::nanoTime);
        @Nullable OidcConfig oidc = config.oidc();
        return new SignInMeans(
                signIns,
                oidc == null
                        ? null
                        : IdentityProvider.openIdConnect(settings(oidc), signIns, Clock.systemUTC(), System::nanoTime));
    }

    private static ProviderSettings settings(OidcConfig oidc) {
        return new ProviderSettings(
                oidc.issuer(),
                oidc.clientId(),
                oidc.clientSecret(),
                oidc.redirectUrl(),
                oidc.scopes(),
                oidc.groupsClaim(),
                oidc.roles().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> role(entry.getValue()))));
    }

    private static ProviderSettings.GroupRole role(GroupRoleConfig given) {
        return new ProviderSettings.GroupRole(Role.valueOf(given.role().toUpperCase(Locale.ROOT)), given.namespaces());
    }
}
