package dev.rowlock.access;

/** Role and reach required by an endpoint. Every endpoint declares one where it is registered. */
public record Permission(Role role, Reach reach) {

    /** @return what {@code role}, and those above it, may */
    public static Permission of(Role role, Reach reach) {
        return new Permission(role, reach);
    }
}
