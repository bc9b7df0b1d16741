package dev.rowlock.secret;

import java.io.IOException;

/** Where a command's secret comes from when it is started. */
@FunctionalInterface
public interface SecretSource {

    /**
     * The value as it is now. May wait for a disk.
     *
     * @throws IOException there is none; with a message for people that says what to do
     */
    SecretValue read() throws IOException;

    /** One that is known already. */
    static SecretSource of(SecretValue value) {
        return () -> value;
    }

    /** One that cannot be had. */
    static SecretSource missing(String why) {
        return () -> {
            throw new IOException(why);
        };
    }
}
