package dev.rowlock.cli.client;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whom to ask, and as whom.
 *
 * @param url without a slash at its end
 * @param token null: there is none, and nothing but {@code /livez} and the like answers
 * @param authorities certificates to trust instead of those of Java, as PEM; null: those of Java
 * @param from where the address was found, for people
 */
public record Target(
        String url, @Nullable String token, @Nullable Path authorities, String from) {

    /** Without the token. */
    @Override
    public String toString() {
        return url + " (" + from + ")";
    }
}
