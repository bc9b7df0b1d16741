package dev.rowlock.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Set of rights; each role includes those before it. */
public enum Role {
    /** Reads. */
    VIEWER,
    /** Runs, pauses, kills and drains what is defined. */
    OPERATOR,
    /** Defines jobs, and so decides which commands run. */
    EDITOR,
    /** Decides who may do what. */
    ADMIN;

    /** Returns whether this role includes that one. */
    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    /** Returns the role of this word, if there is one. */
    public static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }

    /** Returns the word used in JSON, SQL and messages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
