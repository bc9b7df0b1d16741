package dev.rowlock.send;

import org.jspecify.annotations.Nullable;

/**
 * The server that takes e-mail.
 *
 * @param user null, with the password: it asks for none
 */
public record MailServer(
        String host,
        int port,
        Security security,
        @Nullable String user,
        @Nullable String password,
        String from) {

    /** How the connection is protected. */
    public enum Security {
        /** It begins in plain text and must change to TLS. */
        STARTTLS,
        TLS,
        NONE
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "MailServer[" + host + ":" + port + ", " + security + "]";
    }
}
