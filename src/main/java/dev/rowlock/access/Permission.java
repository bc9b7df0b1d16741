package dev.rowlock.access;

/** What an endpoint asks of its caller. Every endpoint declares one where it is registered. */
public record Permission(Role role, Reach reach) {

    /** @return what {@code role}, and those above it, may */
    public static Permission of(Role role, Reach reach) {
        return new Permission(role, reach);
    }
}
