package dev.rowlock.alert.send;

import org.jspecify.annotations.Nullable;

/**
 * Server that takes e-mail.
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

    /** Protection of the connection. */
    public enum Security {
        /** The connection begins in plain text and must change to TLS. */
        STARTTLS,
        TLS,
        NONE
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "MailServer[" + host + ":" + port + ", " + security + "]";
    }
}
