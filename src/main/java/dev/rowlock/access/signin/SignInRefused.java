package dev.rowlock.access.signin;

/** Somebody is not let in by the identity provider's word. The message is for them, and says what to do. */
public final class SignInRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean known;

    private SignInRefused(String message, boolean known) {
        super(message, null, false, false);
        this.known = known;
    }

    /** What came with the request, or from the provider, proves nothing. */
    static SignInRefused unproven(String message) {
        return new SignInRefused(message, false);
    }

    /** The provider says who it is, and that gives no role here. */
    static SignInRefused withoutRole(String message) {
        return new SignInRefused(message, true);
    }

    /** Whether the provider has said who it is: then it is of no use to begin again. */
    public boolean isKnown() {
        return known;
    }
}
