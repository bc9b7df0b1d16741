package dev.rowlock.task.rule;

import dev.rowlock.definition.LabelRequirement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selector of the nodes that may run a task: by their labels, or one node by its name. Immutable.
 *
 * <p>Its text is what table {@code selector} keeps. There is one for each meaning, up to the order of requirements,
 * their repetition, and blanks.
 */
public final class Selector {

    /** Selector of every node. */
    public static final Selector ANY = new Selector(null, List.of());

    private static final String NODE = "node:";

    private final @Nullable String node;
    private final List<LabelRequirement> requirements;

    private Selector(@Nullable String node, List<LabelRequirement> requirements) {
        this.node = node;
        this.requirements = requirements;
    }

    /**
     * Parses the {@code nodes} of a job, as a person wrote it; blank: {@link #ANY}.
     *
     * @throws IllegalArgumentException with what is wrong, where, and the remedy, for people
     */
    public static Selector parse(String text) {
        return new Selector(null, LabelRequirement.parse(text));
    }

    /**
     * Parses the text that a selector wrote, {@link #on one node} included.
     *
     * @throws IllegalArgumentException it is none
     */
    public static Selector stored(String text) {
        if (!text.startsWith(NODE)) {
            return parse(text);
        }
        int comma = text.indexOf(',');
        return comma < 0
                ? ANY.on(text.substring(NODE.length()))
                : parse(text.substring(comma + 1)).on(text.substring(NODE.length(), comma));
    }

    /** Returns the name of the one node that may run the task; empty: its labels decide alone. */
    public Optional<String> node() {
        return Optional.ofNullable(node);
    }

    /** Returns this selector restricted to one node, which must match it, too. */
    public Selector on(String onlyNode) {
        return new Selector(onlyNode, requirements);
    }

    /** Returns {@code other}, but on the one node that this names, if it does. */
    public Selector sameNode(Selector other) {
        return node == null ? other : other.on(node);
    }

    /** Returns whether this node, with these labels, may run the task. */
    public boolean matches(String name, Map<String, String> labels) {
        return (node == null || node.equals(name)) && requirements.stream().allMatch(r -> r.holds(labels));
    }

    /** Returns why this node, with these labels, may not run the task, for people; empty: it may. */
    public Optional<String> whyNot(String name, Map<String, String> labels) {
        if (node != null && !node.equals(name)) {
            return Optional.of("only node " + node + " may run it");
        }
        return requirements.stream()
                .filter(requirement -> !requirement.holds(labels))
                .map(requirement -> {
                    @Nullable String value = labels.get(requirement.label());
                    String has = value == null
                            ? "it has no label " + requirement.label()
                            : "its " + requirement.label() + " is " + value;
                    return has + ", and " + requirement + " is asked for";
                })
                .findFirst();
    }

    /** Returns whether it holds for every node there could be. */
    public boolean isAny() {
        return node == null && requirements.isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Selector selector
                && Objects.equals(selector.node, node)
                && selector.requirements.equals(requirements);
    }

    @Override
    public int hashCode() {
        return Objects.hash(node, requirements);
    }

    @Override
    public String toString() {
        String labels = LabelRequirement.text(requirements);
        return node == null ? labels : NODE + node + (labels.isEmpty() ? "" : "," + labels);
    }
}
