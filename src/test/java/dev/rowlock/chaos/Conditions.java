package dev.rowlock.chaos;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What nodes and groups were set to, and when it may have been in force. Times are on the scale of {@code
 * /proc/uptime}.
 */
final class Conditions {

    /** The label that nodes are configured with; all others are patched. */
    static final String ZONE = "zone";

    /** How many commands a node executes at a time, unless somebody has set it: the product's default. */
    static final int SLOTS = 64;

    private final Map<String, Timeline<Map<String, String>>> configured = new ConcurrentHashMap<>();
    private final Map<String, Timeline<Map<String, String>>> patched = new ConcurrentHashMap<>();
    private final Map<String, Timeline<Boolean>> drained = new ConcurrentHashMap<>();
    private final Map<String, Timeline<Integer>> limits = new ConcurrentHashMap<>();
    private final Map<String, Timeline<Integer>> slots = new ConcurrentHashMap<>();
    private final Map<String, Timeline<DrawnCalendar>> calendars = new ConcurrentHashMap<>();

    /** The labels of its configuration. */
    Timeline<Map<String, String>> configured(String node) {
        return configured.computeIfAbsent(node, n -> new Timeline<>(Map.of()));
    }

    /** The labels that operators have given it; they win. */
    Timeline<Map<String, String>> patched(String node) {
        return patched.computeIfAbsent(node, n -> new Timeline<>(Map.of()));
    }

    Timeline<Boolean> drained(String node) {
        return drained.computeIfAbsent(node, n -> new Timeline<>(false));
    }

    Timeline<Integer> limit(String group) {
        return limits.computeIfAbsent(group, g -> new Timeline<>(0));
    }

    Timeline<Integer> slots(String node) {
        return slots.computeIfAbsent(node, n -> new Timeline<>(SLOTS));
    }

    /** What a calendar says. */
    Timeline<DrawnCalendar> calendar(String name) {
        return calendars.computeIfAbsent(name, n -> new Timeline<>(DrawnCalendar.ALWAYS_OPEN));
    }

    /** Whether a node may have matched a selector at some moment of this stretch. */
    boolean mayMatch(String node, String selector, long from, long until) {
        return labels(node, from, until).stream().anyMatch(labels -> LabelSelection.matches(selector, labels));
    }

    /** Whether a node has certainly matched it all the while. */
    boolean matchesAllTheWhile(String node, String selector, long from, long until) {
        return labels(node, from, until).stream().allMatch(labels -> LabelSelection.matches(selector, labels));
    }

    /** All sets of labels that it may have had. */
    Set<Map<String, String>> labels(String node, long from, long until) {
        Set<Map<String, String>> patches = patched(node).possible(from, until);
        return configured(node).possible(from, until).stream()
                .flatMap(own -> patches.stream().map(both(own)))
                .collect(Collectors.toSet());
    }

    private static Function<Map<String, String>, Map<String, String>> both(Map<String, String> own) {
        return patch -> {
            Map<String, String> labels = new TreeMap<>(own);
            labels.putAll(patch);
            return labels;
        };
    }

    /** Whether it was drained for certain all the while. */
    boolean isDrained(String node, long from, long until) {
        return drained(node).possible(from, until).equals(Set.of(true));
    }

    /** Whether it may have been drained at some moment. */
    boolean mayBeDrained(String node, long from, long until) {
        return drained(node).possible(from, until).contains(true);
    }

    /** The highest limit that may have been in force. */
    int highestLimit(String group, long from, long until) {
        return Collections.max(limit(group).possible(from, until));
    }

    int lowestLimit(String group, long from, long until) {
        return Collections.min(limit(group).possible(from, until));
    }

    int mostSlots(String node, long from, long until) {
        return Collections.max(slots(node).possible(from, until));
    }

    int fewestSlots(String node, long from, long until) {
        return Collections.min(slots(node).possible(from, until));
    }
}
