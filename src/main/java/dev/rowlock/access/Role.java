package dev.rowlock.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What somebody may do; each role includes those before it. */
public enum Role {
    /** Sees. */
    VIEWER,
    /** Runs, pauses, kills, drains: acts on what is defined. */
    OPERATOR,
    /** Defines jobs, and so decides which commands run. */
    EDITOR,
    /** Says who may do what. */
    ADMIN;

    /** Whether whoever has this role may do what that one may. */
    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    /** The role of that word; empty: there is none. */
    public static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }

    /** As it is written in JSON, SQL and messages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
