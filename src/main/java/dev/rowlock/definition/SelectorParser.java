package dev.rowlock.definition;

import dev.rowlock.definition.LabelRequirement.Operator;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Parser of label selectors, which can say where something is wrong. */
final class SelectorParser {

    private static final String SPECIAL = "=!(),<>";
    private static final int LONGEST = 63;
    private static final String SUCH_AS =
            "write requirements like role=db, zone!=eu-west, disk in (ssd,nvme), gpu, !spot";

    private final String text;
    private int at;

    SelectorParser(String text) {
        this.text = text;
    }

    List<LabelRequirement> parse() {
        Set<LabelRequirement> found = new TreeSet<>(Comparator.comparing(LabelRequirement::toString));
        do {
            found.add(requirement());
        } while (skip(","));
        if (at < text.length()) {
            throw problem(at, "expected a comma, not " + found() + "; " + SUCH_AS);
        }
        return List.copyOf(found);
    }

    private LabelRequirement requirement() {
        if (skip("!")) {
            return new LabelRequirement(label(), Operator.IS_MISSING, Set.of());
        }
        String label = label();
        if (skip("!=")) {
            return new LabelRequirement(label, Operator.NOT_IN, Set.of(value()));
        }
        if (skip("==") || skip("=")) {
            return new LabelRequirement(label, Operator.IN, Set.of(value()));
        }
        blanks();
        int start = at;
        String word = word();
        if (word.equals("in") || word.equals("notin")) {
            return new LabelRequirement(label, word.equals("in") ? Operator.IN : Operator.NOT_IN, values(word));
        }
        at = start;
        if (at < text.length() && "<>".indexOf(text.charAt(at)) >= 0) {
            throw problem(at, "labels cannot be compared by " + text.charAt(at) + "; " + SUCH_AS);
        }
        return new LabelRequirement(label, Operator.EXISTS, Set.of());
    }

    private String label() {
        blanks();
        int start = at;
        String name = word();
        if (name.isEmpty()) {
            throw problem(start, "expected the name of a label, not " + found() + "; " + SUCH_AS);
        }
        if (!Names.isLabel(name)) {
            throw problem(
                    start,
                    "'" + name + "' cannot be a label's name; it has 1 to " + LONGEST + " of A-Z a-z 0-9 . _ / -");
        }
        return name;
    }

    /** Reads a value, which may be empty as a label may be. */
    private String value() {
        blanks();
        int start = at;
        String value = word();
        if (value.length() > LONGEST) {
            throw problem(start, "a label's value has at most " + LONGEST + " characters, not " + value.length());
        }
        return value;
    }

    private Set<String> values(String operator) {
        if (!skip("(")) {
            throw problem(
                    at,
                    "expected a list after '" + operator + "', not " + found() + "; write it like " + operator
                            + " (ssd,nvme)");
        }
        Set<String> values = new TreeSet<>();
        do {
            blanks();
            int start = at;
            String value = value();
            if (value.isEmpty()) {
                throw problem(start, "expected a value, not " + found() + "; write lists like (ssd,nvme)");
            }
            values.add(value);
        } while (skip(","));
        if (!skip(")")) {
            throw problem(at, "expected a comma or ), not " + found() + "; write lists like (ssd,nvme)");
        }
        return values;
    }

    private String word() {
        int start = at;
        while (at < text.length() && SPECIAL.indexOf(text.charAt(at)) < 0 && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private boolean skip(String token) {
        blanks();
        boolean there = text.startsWith(token, at);
        at += there ? token.length() : 0;
        return there;
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    /** Names what is here, for people. */
    private String found() {
        if (at >= text.length()) {
            return "the end";
        }
        int start = at;
        String word = word();
        at = start;
        return "'" + (word.isEmpty() ? text.substring(at, at + 1) : word) + "'";
    }

    private static IllegalArgumentException problem(int at, String what) {
        return new IllegalArgumentException("character " + (at + 1) + ": " + what);
    }
}
