package dev.rowlock.cli.crontab;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Entry of a crontab, taken apart.
 *
 * @param schedule five fields with single blanks, or a nickname
 * @param user null: the format has no such column
 * @param rest the command, as it stands there
 */
record Line(String schedule, @Nullable String user, String rest) {

    private static final Pattern VARIABLE =
            Pattern.compile("\\s*([\"']?)([A-Za-z_][A-Za-z0-9_]*)\\1\\s*=\\s*(.*?)\\s*");
    /** Beginnings of fields of a schedule that no command has. */
    private static final Pattern FIELDS;

    static {
        String item = "(?:[*?](?:/[0-9]+)?|[0-9]+(?:[-,/][0-9]+)*)";
        FIELDS = Pattern.compile(item + "(?:,[0-9*/-]+)*(?:\\s+" + item + ")*(?=\\s)");
    }

    /**
     * Variable for what follows it.
     *
     * @param value without its quotes, and otherwise literal, as cron takes it
     */
    record Variable(String name, String value) {}

    /** Parses a variable; null if the line is none. */
    static @Nullable Variable variable(String line) {
        Matcher matcher = VARIABLE.matcher(line);
        if (!matcher.matches()) {
            return null;
        }
        String value = matcher.group(3);
        boolean isQuoted = value.length() > 1 && value.matches("\".*\"|'.*'");
        return new Variable(matcher.group(2), isQuoted ? value.substring(1, value.length() - 1) : value);
    }

    /** Parses an entry; null if there are too few words. */
    static @Nullable Line of(String line, boolean withUser) {
        String text = line.strip().replaceFirst("^-(?=[0-9*@])", ""); // asks for no line in the log
        int words = (text.startsWith("@") ? 1 : 5) + (withUser ? 1 : 0);
        String[] parts = text.split("\\s+", words + 1);
        if (parts.length <= words) {
            return null;
        }
        int fields = withUser ? words - 1 : words;
        String schedule = String.join(" ", Arrays.copyOf(parts, fields));
        return new Line(schedule, withUser ? parts[fields] : null, parts[words].strip());
    }

    /** Returns the whole schedule, if there are more fields than cron reads; null if there are none. */
    @Nullable
    String longer() {
        if (schedule.startsWith("@")) {
            return null;
        }
        String behind = user == null ? rest : user + " " + rest;
        Matcher more = FIELDS.matcher(behind);
        boolean isMore =
                more.lookingAt() && (more.group().contains("*") || more.group().contains("?") || user != null);
        return isMore ? schedule + " " + more.group().replaceAll("\\s+", " ") : null;
    }

    /**
     * Returns the text for the shell: up to the first percent sign without a backslash, as Vixie's cron has it.
     * One that has lost its own to another backslash has none.
     */
    String command() {
        return rest.substring(0, end()).replaceAll("(\\\\\\\\)|\\\\(%)", "$1$2");
    }

    /** Returns what the command reads: the text after that sign; further ones are ends of lines. Null: nothing. */
    @Nullable
    String input() {
        if (end() == rest.length()) {
            return null;
        }
        String text = rest.substring(end() + 1).replaceAll("(?<!\\\\)%", "\n").replace("\\%", "%");
        return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
    }

    /** Returns true if the percent sign that ends the command is within quotes or parentheses: it was not meant to. */
    boolean isCut() {
        if (end() == rest.length()) {
            return false;
        }
        String text = rest.substring(0, end());
        boolean isOpen = text.replaceAll("\\\\.|'[^']*'", "")
                                        .chars()
                                        .filter(c -> c == '"')
                                        .count()
                                % 2
                        == 1
                || text.replaceAll("\\\\.|\"[^\"]*\"", "")
                                        .chars()
                                        .filter(c -> c == '\'')
                                        .count()
                                % 2
                        == 1;
        return isOpen
                || text.chars().filter(c -> c == '(').count()
                        > text.chars().filter(c -> c == ')').count()
                || text.chars().filter(c -> c == '`').count() % 2 == 1;
    }

    private int end() {
        for (int i = 0; i < rest.length(); i++) {
            if (rest.charAt(i) == '\\') {
                i++; // whatever comes next
            } else if (rest.charAt(i) == '%') {
                return i;
            }
        }
        return rest.length();
    }
}
