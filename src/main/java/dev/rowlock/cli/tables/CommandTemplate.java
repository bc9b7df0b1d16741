package dev.rowlock.cli.tables;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command for what other schedulers run as a method of a program.
 *
 * @param text with names in braces; null: there is none
 */
public record CommandTemplate(@Nullable String text) {

    /** Null: there is none. */
    @Nullable
    String with(Map<String, String> values) {
        String command = text;
        if (command != null) {
            for (Map.Entry<String, String> value : values.entrySet()) {
                command = command.replace("{" + value.getKey() + "}", quoted(value.getValue()));
            }
        }
        return command;
    }

    /** As one word for a shell. */
    static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
