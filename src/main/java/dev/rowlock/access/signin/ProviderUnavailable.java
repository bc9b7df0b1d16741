package dev.rowlock.access.signin;

/** The identity provider does not answer, or not with what it should; later it may. */
public final class ProviderUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ProviderUnavailable(String message) {
        super(message, null, false, false);
    }
}
