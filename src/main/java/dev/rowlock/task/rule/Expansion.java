package dev.rowlock.task.rule;

import dev.rowlock.task.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of an occurrence of a broadcast whose time has come.
 *
 * @param parts one for each node, in the order of their turns
 * @param reason of the occurrence's end, for people
 */
public record Expansion(List<Part> parts, String reason) {

    private static final int NAMED = 10;

    /**
     * Task of one node.
     *
     * @param waits why it is held; null: it is due
     */
    public record Part(String node, Origin origin, @Nullable String waits) {}

    /**
     * Expands an occurrence.
     *
     * @param nodes that are alive, take work, and match; by name
     */
    public static Expansion of(long occurrence, Origin origin, List<Placement.Node> nodes, Broadcast broadcast) {
        @Nullable Integer parallel = broadcast.parallel();
        List<Part> parts = new ArrayList<>();
        for (Placement.Node node : nodes) {
            boolean waits = parallel != null && parts.size() >= parallel;
            parts.add(new Part(
                    node.name(),
                    origin.part(node.name(), occurrence),
                    waits ? parts.size() + " other nodes first (broadcastParallel " + parallel + ")" : null));
        }
        return new Expansion(parts, reason(nodes));
    }

    private static String reason(List<Placement.Node> nodes) {
        String named = nodes.stream().limit(NAMED).map(Placement.Node::name).collect(Collectors.joining(", "));
        String more = nodes.size() > NAMED ? " and " + (nodes.size() - NAMED) + " more" : "";
        return nodes.size() == 1 ? "one task, on node " + named : nodes.size() + " tasks, on the nodes " + named + more;
    }
}
