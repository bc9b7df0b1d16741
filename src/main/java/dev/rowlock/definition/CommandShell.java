package dev.rowlock.definition;

import java.util.Locale;

/** Shell that executes a command. */
public enum CommandShell {
    BASH,
    SH,
    /** No shell: the command is a program and its arguments. */
    NONE;

    /** Returns the word that people write. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
