package dev.rowlock.definition;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Requirement on one label of a node, as in Kubernetes' label selectors: {@code role=db} (or {@code ==}),
 * {@code zone!=eu-west}, {@code disk in (ssd,nvme)}, {@code disk notin (hdd)}, {@code gpu} (there is such a label),
 * {@code !spot} (there is none). As there, {@code !=} and {@code notin} also hold if the label is absent.
 *
 * @param values sorted, so that one requirement has one text
 */
public record LabelRequirement(String label, Operator operator, Set<String> values) {

    /** Operator that compares a label. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        IS_MISSING
    }

    /**
     * Parses requirements that are separated by commas; none if the text is blank.
     *
     * @return sorted and without repetition
     * @throws IllegalArgumentException with what is wrong, where, and the remedy, for people
     */
    public static List<LabelRequirement> parse(String text) {
        return text.isBlank() ? List.of() : new SelectorParser(text).parse();
    }

    /** Returns what is wrong with the text of a selector, for people; null if nothing is. */
    static @Nullable String problem(String text) {
        try {
            parse(text);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /** Joins the requirements to a text that {@link #parse} reads. */
    public static String text(List<LabelRequirement> requirements) {
        return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
    }

    /** Returns whether a node with these labels meets it. */
    public boolean holds(Map<String, String> labels) {
        @Nullable String value = labels.get(label);
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case IS_MISSING -> value == null;
        };
    }

    @Override
    public String toString() {
        boolean one = values.size() == 1;
        String list = one ? values.iterator().next() : "(" + String.join(",", new TreeSet<>(values)) + ")";
        return switch (operator) {
            case IN -> label + (one ? "=" : " in ") + list;
            case NOT_IN -> label + (one ? "!=" : " notin ") + list;
            case EXISTS -> label;
            case IS_MISSING -> "!" + label;
        };
    }
}
