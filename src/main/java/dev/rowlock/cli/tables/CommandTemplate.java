package dev.rowlock.cli.tables;

import dev.rowlock.cli.imports.ShellText;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Template of a command for what other schedulers run as a method of a program.
 *
 * @param text with names in braces; null: there is none
 */
public record CommandTemplate(@Nullable String text) {

    private static final Pattern NAME = Pattern.compile("\\{([a-z]+)}");

    /**
     * Returns the command with these values; null if there is no template. What looks like a name in a value stays:
     * quotes within its quotes would end them.
     */
    @Nullable
    String with(Map<String, String> values) {
        return text == null
                ? null
                : NAME.matcher(text)
                        .replaceAll(name -> Matcher.quoteReplacement(
                                values.containsKey(name.group(1))
                                        ? ShellText.quoted(values.get(name.group(1)))
                                        : name.group()));
    }
}
