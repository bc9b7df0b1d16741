package dev.rowlock.task.rule;

import dev.rowlock.task.Origin;
import dev.rowlock.task.rule.Placement.CandidateNode;
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
public record Expansion(List<BroadcastPart> parts, String reason) {

    private static final int NAMED = 10;

    /**
     * Task of one node.
     *
     * @param waits why it is held; null: it is due
     */
    public record BroadcastPart(
            String node, Origin origin, @Nullable String waits) {}

    /**
     * Expands an occurrence.
     *
     * @param nodes that are alive, take work, and match; by name
     */
    public static Expansion of(long occurrence, Origin origin, List<CandidateNode> nodes, Broadcast broadcast) {
        @Nullable Integer parallel = broadcast.parallel();
        List<BroadcastPart> parts = new ArrayList<>();
        for (CandidateNode node : nodes) {
            boolean waits = parallel != null && parts.size() >= parallel;
            parts.add(new BroadcastPart(
                    node.name(),
                    origin.part(node.name(), occurrence),
                    waits ? parts.size() + " other nodes first (broadcastParallel " + parallel + ")" : null));
        }
        return new Expansion(parts, reason(nodes));
    }

    private static String reason(List<CandidateNode> nodes) {
        String named = nodes.stream().limit(NAMED).map(CandidateNode::name).collect(Collectors.joining(", "));
        String more = nodes.size() > NAMED ? " and " + (nodes.size() - NAMED) + " more" : "";
        return nodes.size() == 1 ? "one task, on node " + named : nodes.size() + " tasks, on the nodes " + named + more;
    }
}
