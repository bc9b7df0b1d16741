package dev.rowlock.access.signin;

/** Refusal of a person who comes from the identity provider. The message is for them, and says what to do. */
public final class SignInRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean known;

    private SignInRefused(String message, boolean known) {
        super(message, null, false, false);
        this.known = known;
    }

    /** Refuses a request, or an answer of the provider, that proves nothing. */
    static SignInRefused unproven(String message) {
        return new SignInRefused(message, false);
    }

    /** Refuses a person whom the provider identifies, and who has no role here. */
    static SignInRefused withoutRole(String message) {
        return new SignInRefused(message, true);
    }

    /** Returns whether the provider has identified the person, so that signing in again would not help. */
    public boolean isKnown() {
        return known;
    }
}
