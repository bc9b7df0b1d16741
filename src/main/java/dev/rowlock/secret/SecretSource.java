package dev.rowlock.secret;

import java.io.IOException;

/** Source of a command's secret, read when it is started. */
@FunctionalInterface
public interface SecretSource {

    /**
     * Reads the present value. May wait for a disk.
     *
     * @throws IOException there is none; with a message for people that says what to do
     */
    SecretValue read() throws IOException;

    /** Returns a source of a known value. */
    static SecretSource of(SecretValue value) {
        return () -> value;
    }

    /** Returns a source that fails. */
    static SecretSource missing(String why) {
        return () -> {
            throw new IOException(why);
        };
    }
}
