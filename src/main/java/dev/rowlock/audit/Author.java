package dev.rowlock.audit;

/**
 * Author of a change.
 *
 * @param name of the token or the person; cut if it is long
 * @param role in lower case
 * @param address that the request came from
 * @param requestId the same for all that one request changes
 */
public record Author(String name, String role, String address, String requestId) {

    private static final int LONGEST_NAME = 128;

    public Author {
        name = name.substring(0, Math.min(name.length(), LONGEST_NAME));
    }
}
