package dev.rowlock.cli.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Simple commands of a line for a shell, as far as it takes to say what the line is about: quotes are removed, and what
 * stands in {@code $( )} or backquotes belongs to its word. Whatever else a shell knows is passed over.
 */
public final class ShellText {

    private static final Set<String> OPEN = Set.of("if", "while", "until", "for", "case", "select", "{");
    private static final Set<String> CLOSE = Set.of("fi", "done", "esac", "}");
    private static final Set<String> INSIDE = Set.of("then", "elif", "else", "do", "!");

    private final String text;
    private final List<Simple> commands = new ArrayList<>();
    private List<String> words = new ArrayList<>();
    private List<String> redirections = new ArrayList<>();
    private String before = "";
    private String reserved = "";
    private int depth;
    private int parentheses;
    private int at;

    private ShellText(String text) {
        this.text = text;
    }

    /**
     * Simple command.
     *
     * @param before the operator in front of it, such as {@code &&}; empty: it begins a list
     * @param after the operator behind it; empty: nothing follows
     * @param reserved the reserved words in front of it since the last one, such as {@code if}
     * @param depth how many groups, loops and conditions it stands in
     * @param words with assignments, and without redirections
     * @param redirections as in {@code >/dev/null}
     */
    record Simple(
            String before, String after, String reserved, int depth, List<String> words, List<String> redirections) {

        /** Returns true if it decides what runs, and is not what is run. */
        boolean isAsked() {
            return reserved.matches(".*\\b(?:if|elif|while|until|for|case|select)(?: !)?");
        }
    }

    /** Returns a text as one word of a line. */
    public static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns a text as it stands between double quotes, where nothing in it is expanded. */
    public static String inDoubleQuotes(String text) {
        return text.replaceAll("[\\\\\"$`]", "\\\\$0");
    }

    static List<Simple> commands(String text) {
        ShellText read = new ShellText(text);
        read.read();
        return read.commands;
    }

    private void read() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t') {
                at++;
            } else if (c == '\\' && text.startsWith("\n", at + 1)) {
                at += 2;
            } else if (c == '#') {
                at = end("\n", at);
            } else if (";&|()\n".indexOf(c) >= 0) {
                operator();
            } else {
                word();
            }
        }
        end("");
    }

    private void operator() {
        for (String two : List.of("&&", "||", "&>", ";;", "|&")) {
            if (text.startsWith(two, at) && !two.equals("&>")) {
                at += 2;
                end(two);
                return;
            }
            if (text.startsWith(two, at)) {
                at++;
                redirection("");
                return;
            }
        }
        char sign = text.charAt(at++);
        end(String.valueOf(sign));
        if (sign == '(' || (sign == ')' && parentheses > 0)) {
            parentheses += sign == '(' ? 1 : -1;
            depth += sign == '(' ? 1 : -1;
        }
    }

    private void end(String operator) {
        if (!words.isEmpty() || !redirections.isEmpty()) {
            commands.add(new Simple(before, operator, reserved.strip(), depth, words, redirections));
            words = new ArrayList<>();
            redirections = new ArrayList<>();
            reserved = "";
        }
        before = "\n(;".contains(operator) ? "" : operator;
    }

    private void word() {
        int start = at;
        boolean isQuoted = "\"'".indexOf(text.charAt(at)) >= 0;
        if ("<>".indexOf(text.charAt(at)) >= 0) {
            redirection("");
            return;
        }
        String word = next();
        boolean isNumbered = at < text.length() && "<>".indexOf(text.charAt(at)) >= 0 && word.matches("[0-9]");
        if (isNumbered) {
            redirection(word);
        } else if (words.isEmpty() && !isQuoted && isReserved(word)) {
            reserved += " " + word;
            depth += OPEN.contains(word) ? 1 : CLOSE.contains(word) && depth > 0 ? -1 : 0;
        } else if (at > start) {
            words.add(word);
        }
    }

    private static boolean isReserved(String word) {
        return OPEN.contains(word) || CLOSE.contains(word) || INSIDE.contains(word);
    }

    /** Reads all of a redirection, such as {@code 2>&1} and {@code >>file}. */
    private void redirection(String descriptor) {
        StringBuilder sign = new StringBuilder(descriptor);
        while (at < text.length() && "<>&".indexOf(text.charAt(at)) >= 0) {
            sign.append(text.charAt(at++));
        }
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        redirections.add(sign + next());
    }

    /** Reads the word that begins here, without its quotes. */
    private String next() {
        StringBuilder word = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\'') {
                int end = end("'", at + 1);
                word.append(text, at + 1, end);
                at = Math.min(text.length(), end + 1);
            } else if (c == '"') {
                quoted(word);
            } else if (c == '\\' && at + 1 < text.length()) {
                word.append(text.charAt(at + 1));
                at += 2;
            } else if (c == '`' || text.startsWith("$(", at)) {
                substitution(word);
            } else if (" \t\n;&|()<>".indexOf(c) >= 0) {
                break;
            } else {
                word.append(c);
                at++;
            }
        }
        return word.toString();
    }

    private void quoted(StringBuilder word) {
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                word.append(text.charAt(at + 1));
                at += 2;
            } else if (text.charAt(at) == '`' || text.startsWith("$(", at)) {
                substitution(word);
            } else {
                word.append(text.charAt(at++));
            }
        }
        at = Math.min(text.length(), at + 1);
    }

    private void substitution(StringBuilder word) {
        int start = at;
        if (text.charAt(at) == '`') {
            at = Math.min(text.length(), end("`", at + 1) + 1);
        } else {
            int depth = 0;
            at++;
            do {
                char c = text.charAt(at++);
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            } while (depth > 0 && at < text.length());
        }
        word.append(text, start, at);
    }

    private int end(String mark, int from) {
        int end = text.indexOf(mark, from);
        return end < 0 ? text.length() : end;
    }
}
