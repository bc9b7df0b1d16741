package dev.rowlock.cli.client;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Address of a node, with the token and the trusted certificates for requests to it.
 *
 * @param url without a slash at its end
 * @param token null: there is none, and nothing but {@code /livez} and the like answers
 * @param authorities certificates to trust instead of those of Java, as PEM; null: those of Java
 * @param from where the address was found, for people
 */
public record Target(
        String url, @Nullable String token, @Nullable Path authorities, String from) {

    /** Returns it in words, without the token. */
    @Override
    public String toString() {
        return url + " (" + from + ")";
    }
}
