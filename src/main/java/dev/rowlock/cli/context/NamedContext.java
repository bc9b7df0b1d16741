package dev.rowlock.cli.context;

import org.jspecify.annotations.Nullable;

/**
 * Named cluster of the file of contexts.
 *
 * @param token null: it is in {@code tokenFile}, or there is none
 * @param tokenFile a file that has the token alone
 * @param authorities a PEM file of whom to trust
 */
public record NamedContext(
        String url,
        @Nullable String token,
        @Nullable String tokenFile,
        @Nullable String authorities) {

    /** @throws WrongContext its address is none */
    public void check(String from) {
        Choice.requireHttp(url, from);
    }

    /** Returns this context with the given values; null leaves one as it is. */
    public NamedContext with(
            @Nullable String newUrl,
            @Nullable String newToken,
            @Nullable String newTokenFile,
            @Nullable String newAuthorities) {
        boolean newSecret = newToken != null || newTokenFile != null;
        return new NamedContext(
                newUrl == null ? url : newUrl,
                newSecret ? newToken : token,
                newSecret ? newTokenFile : tokenFile,
                newAuthorities == null ? authorities : newAuthorities);
    }
}
