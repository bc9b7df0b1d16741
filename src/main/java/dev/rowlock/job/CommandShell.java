package dev.rowlock.job;

import java.util.Locale;

/** What executes a command. */
public enum CommandShell {
    BASH,
    SH,
    /** Nothing: the command is a program and its arguments. */
    NONE;

    /** As people write it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
