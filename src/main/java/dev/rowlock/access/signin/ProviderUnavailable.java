package dev.rowlock.access.signin;

/** Failure of the identity provider to answer as it should. It may pass. */
public final class ProviderUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ProviderUnavailable(String message) {
        super(message, null, false, false);
    }
}
