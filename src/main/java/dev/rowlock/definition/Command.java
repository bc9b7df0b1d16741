package dev.rowlock.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Command of a job: the text of a script for its shell, or, without a shell, a program and its arguments.
 *
 * @param text null if there are arguments
 * @param arguments the program first; empty if there is a text
 */
public record Command(@Nullable String text, List<String> arguments) {

    public Command {
        arguments = List.copyOf(arguments);
    }

    public static Command of(String text) {
        return new Command(text, List.of());
    }

    /** Creates a command of a program, by its path or as {@code PATH} finds it, and its arguments. */
    public static Command of(List<String> arguments) {
        return new Command(null, arguments);
    }

    /** Returns whether this is no command: a text of nothing but blanks. */
    public boolean isBlank() {
        return text != null && text.isBlank();
    }

    /** Returns the command for people. */
    @Override
    public String toString() {
        return text == null ? String.join(" ", arguments) : text;
    }
}
