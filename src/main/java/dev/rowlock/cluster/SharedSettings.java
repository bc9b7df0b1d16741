package dev.rowlock.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Settings that should be the same on all nodes: each node goes by its own, so a difference surprises. */
public final class SharedSettings {

    private static final String CONSEQUENCE =
            ". Set them alike: each node goes by its own, and a silent session is expired after the longer"
                    + " session.timeout of the two";

    private SharedSettings() {}

    /**
     * @param node the node whose settings are compared with those of the others; one whose version does not tell is
     *     left out
     */
    public static Optional<String> differences(
            String node, Map<String, String> own, Collection<ClusterSession> members) {
        List<String> differences = new ArrayList<>();
        new TreeMap<>(own).forEach((key, value) -> {
            Map<String, List<String>> nodes = new TreeMap<>();
            for (ClusterSession member : members) {
                String other = member.settings().getOrDefault(key, value);
                if (!other.equals(value) && !member.node().equals(node)) {
                    nodes.computeIfAbsent(other, any -> new ArrayList<>()).add(member.node());
                }
            }
            nodes.forEach((other, names) -> differences.add(key + " is " + value + " here (node " + node + ") and "
                    + other + " on node " + String.join(", ", names)));
        });
        return differences.isEmpty()
                ? Optional.empty()
                : Optional.of("settings that should be the same on all nodes differ: " + String.join("; ", differences)
                        + CONSEQUENCE);
    }
}
