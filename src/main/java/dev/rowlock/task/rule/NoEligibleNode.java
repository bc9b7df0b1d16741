package dev.rowlock.task.rule;

import dev.rowlock.task.rule.Placement.CandidateNode;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lack of a live node that may run a task.
 *
 * @param reason what was looked for, and which nodes there are, for people
 * @param since when it began to wait for a node; null: it does not yet
 */
public record NoEligibleNode(String reason, @Nullable Instant since) {

    private static final int NAMED = 5;

    /**
     * Returns the lack for a node's part in a broadcast, which no other node runs.
     *
     * @param nodes those that are alive
     */
    public static NoEligibleNode ofPart(String name, List<CandidateNode> nodes) {
        String why = nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .map(node -> node.takesWork()
                        ? " no longer matches the nodes of the job"
                        : " took no more work (drained or stopping) before it ran this")
                .orElse(" ended before it ran this");
        return new NoEligibleNode("node " + name + why, null);
    }

    /**
     * Returns the lack for a selector.
     *
     * @param nodes those that are alive
     */
    public static NoEligibleNode of(Selector selector, List<CandidateNode> nodes, @Nullable Instant since) {
        String named = nodes.stream()
                .limit(NAMED)
                .map(node -> node.name() + (node.takesWork() ? "" : " (drained or stopping)"))
                .collect(Collectors.joining(", "));
        String more = nodes.size() > NAMED ? " and " + (nodes.size() - NAMED) + " more" : "";
        String what = selector.isAny() ? "takes work" : "that takes work matches " + selector;
        return new NoEligibleNode("no node " + what + "; alive: " + named + more, since);
    }
}
