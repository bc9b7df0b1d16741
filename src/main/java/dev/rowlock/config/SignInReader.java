package dev.rowlock.config;

import dev.rowlock.config.Config.GroupRoleConfig;
import dev.rowlock.config.Config.OidcConfig;
import dev.rowlock.config.Config.SignInConfig;
import dev.rowlock.schedule.Durations;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reader of the settings of signing in; reports problems. */
record SignInReader(ConfigReader reader) {

    private static final String CALLBACK = "/signin/callback";
    private static final String PLAIN_LOOPBACK = "http://(localhost|127(\\.\\d{1,3}){3}|\\[::1])([:/].*)?";

    /** Settings that are useless without an issuer. */
    private static final List<Setting<?>> OF_OIDC = List.of(
            Settings.OIDC_CLIENT_ID,
            Settings.OIDC_CLIENT_SECRET,
            Settings.OIDC_CLIENT_SECRET_FILE,
            Settings.OIDC_REDIRECT_URL,
            Settings.OIDC_ROLES);

    SignInConfig read() {
        Duration idle = reader.value(Settings.SIGNIN_IDLE_TIMEOUT);
        Duration most = reader.value(Settings.SIGNIN_MAX_AGE);
        if (idle.compareTo(most) > 0 && reader.rightSoFar(Settings.SIGNIN_IDLE_TIMEOUT, Settings.SIGNIN_MAX_AGE)) {
            reader.problem(reader.name(Settings.SIGNIN_IDLE_TIMEOUT) + ": found " + Durations.format(idle)
                    + ", allowed is at most signin.max-age (" + Durations.format(most) + ").");
        }
        return new SignInConfig(idle, most, oidc());
    }

    private @Nullable OidcConfig oidc() {
        String issuer = safeUrl(Settings.OIDC_ISSUER);
        if (issuer == null) {
            OF_OIDC.stream()
                    .filter(setting -> isSet(setting) && reader.rightSoFar(Settings.OIDC_ISSUER))
                    .forEach(setting -> reader.problem(
                            reader.name(setting) + ": is set, but oidc.issuer is not; set both, or neither."));
            return null;
        }
        String clientId = required(Settings.OIDC_CLIENT_ID);
        String secret = secret();
        String redirect = redirect();
        Map<String, GroupRoleConfig> roles = reader.value(Settings.OIDC_ROLES);
        if (roles.isEmpty() && reader.rightSoFar(Settings.OIDC_ROLES)) {
            reader.problem("oidc.roles: is missing; without it, nobody who signs in at oidc.issuer could do anything."
                    + " Set it to a map such as {ops: operator}.");
        }
        if (clientId == null || secret == null || redirect == null || roles.isEmpty()) {
            return null;
        }
        return new OidcConfig(
                URI.create(issuer),
                clientId,
                secret,
                URI.create(redirect),
                reader.value(Settings.OIDC_SCOPES),
                reader.value(Settings.OIDC_GROUPS_CLAIM),
                roles);
    }

    private boolean isSet(Setting<?> setting) {
        Object value = reader.ifSet(setting);
        return value != null && !value.equals(Map.of());
    }

    private @Nullable String required(Setting<String> setting) {
        String value = reader.ifSet(setting);
        if (value == null && reader.rightSoFar(setting)) {
            reader.problem(setting.key() + ": is missing; oidc.issuer is set and needs it. Set it, or "
                    + setting.variable() + ".");
        }
        return value;
    }

    private @Nullable String redirect() {
        String url = required(Settings.OIDC_REDIRECT_URL) == null ? null : safeUrl(Settings.OIDC_REDIRECT_URL);
        if (url != null && !url.matches("https?://[^/]+" + CALLBACK)) {
            reader.problem(reader.name(Settings.OIDC_REDIRECT_URL) + ": found '" + url + "', allowed is the address of"
                    + " this cluster followed by " + CALLBACK + ", as in https://rowlock.example.com" + CALLBACK + ".");
            return null;
        }
        return url;
    }

    /** Requires https, as codes and tokens would otherwise be readable on the network. */
    private @Nullable String safeUrl(Setting<String> setting) {
        String url = reader.ifSet(setting);
        if (url == null) {
            return null;
        }
        boolean wellFormed = isUri(url);
        if (!wellFormed || !(url.startsWith("https://") || url.matches(PLAIN_LOOPBACK))) {
            reader.problem(reader.name(setting) + ": found '" + url + "', allowed is "
                    + (wellFormed
                            ? "https; http only on loopback."
                            : setting.type().allowed() + "."));
            return null;
        }
        return url;
    }

    private static boolean isUri(String url) {
        try {
            return Objects.requireNonNullElse(URI.create(url).getHost(), "").length() > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private @Nullable String secret() {
        String secret = reader.ifSet(Settings.OIDC_CLIENT_SECRET);
        String file = reader.ifSet(Settings.OIDC_CLIENT_SECRET_FILE);
        if (secret != null && file != null) {
            reader.problem(reader.name(Settings.OIDC_CLIENT_SECRET)
                    + ": is set, and so is oidc.client-secret-file; leave out one of the two.");
            return null;
        }
        if (file != null) {
            return inFile(reader.absolute(file));
        }
        if (secret == null && reader.rightSoFar(Settings.OIDC_CLIENT_SECRET, Settings.OIDC_CLIENT_SECRET_FILE)) {
            reader.problem("oidc.client-secret: is missing; oidc.issuer is set and needs it. Set it, or "
                    + Settings.OIDC_CLIENT_SECRET.variable() + ", or name a file in oidc.client-secret-file.");
        }
        return secret;
    }

    private @Nullable String inFile(Path file) {
        String name = reader.name(Settings.OIDC_CLIENT_SECRET_FILE) + ": ";
        try {
            String secret = Files.readString(file).strip();
            if (!secret.isEmpty() && secret.chars().noneMatch(Character::isISOControl)) {
                return secret;
            }
            reader.problem(name + file + " must hold the secret in one line, and nothing else.");
        } catch (NoSuchFileException e) {
            reader.problem(name + "there is no file " + file + ".");
        } catch (IOException e) {
            reader.problem(name + file + " cannot be read: " + e.getMessage() + ".");
        }
        return null;
    }
}
