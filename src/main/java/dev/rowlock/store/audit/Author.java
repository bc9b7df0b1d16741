package dev.rowlock.store.audit;

/**
 * Somebody who changes something.
 *
 * @param name of the token or the person
 * @param role in lower case
 * @param address that the request came from
 * @param requestId the same for all that one request changes
 */
public record Author(String name, String role, String address, String requestId) {}
