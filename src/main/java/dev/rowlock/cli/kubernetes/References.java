package dev.rowlock.cli.kubernetes;

import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.ShellText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * References, {@code $(NAME)}, in the texts of a container: Kubernetes puts the value in its place if the container has
 * such a variable, and leaves it otherwise. A value that the manifest does not say becomes a variable of the shell.
 */
final class References {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\(([A-Za-z_.-][A-Za-z0-9_.-]*)\\)");
    private static final Pattern CAPITALS = Pattern.compile("[A-Z_][A-Z0-9_]*");

    private final Draft draft;
    private final boolean hasFurther;
    private final Map<String, String> known = new HashMap<>();
    private final Set<String> unknown = new HashSet<>();

    /** @param hasFurther whether there are variables that the manifest does not name */
    References(Draft draft, boolean hasFurther) {
        this.draft = draft;
        this.hasFurther = hasFurther;
    }

    void known(String name, String value) {
        known.put(name, value);
        unknown.remove(name);
    }

    /** Adds a variable whose value stands elsewhere. */
    void unknown(String name) {
        unknown.add(name);
        known.remove(name);
    }

    /** Returns true if nothing that a text refers to stands elsewhere. */
    boolean areKnown(String text) {
        Matcher matcher = REFERENCE.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1) != null && isElsewhere(matcher.group(1))) {
                return false;
            }
        }
        return true;
    }

    private boolean isElsewhere(String name) {
        return !known.containsKey(name)
                && (unknown.contains(name)
                        || (hasFurther && CAPITALS.matcher(name).matches()));
    }

    /** Expands a text in which all is known. */
    String expanded(String text) {
        return replaced(text, false, false);
    }

    /** Expands a text that a shell reads. */
    String inShell(String text) {
        return replaced(text, true, false);
    }

    /** Expands a text to one word for a shell. */
    String asWord(String text) {
        return areKnown(text) ? ShellText.quoted(expanded(text)) : "\"" + replaced(text, true, true) + "\"";
    }

    private String replaced(String text, boolean forShell, boolean isQuoted) {
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder replaced = new StringBuilder();
        int from = 0;
        while (matcher.find()) {
            replaced.append(literal(text.substring(from, matcher.start()), isQuoted));
            String name = matcher.group(1);
            String value = name == null ? "$" : known.get(name);
            if (value != null) {
                replaced.append(literal(value, isQuoted));
            } else if (forShell && isElsewhere(name)) {
                replaced.append("${").append(name).append('}');
                draft.remark("$(" + name + ") is ${" + name + "} for the shell: Kubernetes put its value there");
            } else {
                replaced.append(literal(matcher.group(), isQuoted));
                if (forShell && !isQuoted && CAPITALS.matcher(name).matches()) {
                    draft.remark(matcher.group() + " is no variable that the manifest names, so the shell runs " + name
                            + " as a command, there as here");
                }
            }
            from = matcher.end();
        }
        return replaced.append(literal(text.substring(from), isQuoted)).toString();
    }

    private static String literal(String text, boolean isQuoted) {
        return isQuoted ? ShellText.inDoubleQuotes(text) : text;
    }
}
