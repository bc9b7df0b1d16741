package dev.rowlock.chaos;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether labels match a selector, as Kubernetes has it: the checker's own reading. */
final class LabelSelection {

    /** Between requirements, not between the values of one. */
    private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

    private static final Pattern SET = Pattern.compile("(\\S+)\\s+(in|notin)\\s*\\(([^)]*)\\)");
    private static final Pattern EQUALITY = Pattern.compile("([^\\s!=]+)\\s*(!=|==|=)\\s*(\\S*)");

    private LabelSelection() {}

    static boolean matches(String selector, Map<String, String> labels) {
        if (selector.isBlank()) {
            return true;
        }
        return COMMA.splitAsStream(selector).map(String::strip).allMatch(requirement -> isMet(requirement, labels));
    }

    private static boolean isMet(String requirement, Map<String, String> labels) {
        Matcher set = SET.matcher(requirement);
        if (set.matches()) {
            boolean in = isOneOf(
                    labels.get(set.group(1)),
                    COMMA.splitAsStream(set.group(3)).map(String::strip).toList());
            return in == set.group(2).equals("in");
        }
        Matcher equality = EQUALITY.matcher(requirement);
        if (equality.matches()) {
            boolean equal = isOneOf(labels.get(equality.group(1)), List.of(equality.group(3)));
            return equal != equality.group(2).equals("!=");
        }
        return requirement.startsWith("!")
                ? !labels.containsKey(requirement.substring(1).strip())
                : labels.containsKey(requirement);
    }

    private static boolean isOneOf(@Nullable String value, List<String> values) {
        return value != null && values.contains(value);
    }
}
