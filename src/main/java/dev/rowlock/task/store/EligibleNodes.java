package dev.rowlock.task.store;

import dev.rowlock.task.Origin;
import dev.rowlock.task.rule.NoEligibleNode;
import dev.rowlock.task.rule.Placement;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Selector;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Placement of the tasks of one transaction: which of them the node that fires them may not run. Read under lock rows
 * that changing its labels takes, too.
 */
public final class EligibleNodes {

    private final Set<Long> released = new HashSet<>();
    private final Map<Long, NoEligibleNode> nowhere = new HashMap<>();
    private final Map<Long, Everywhere> everywhere = new HashMap<>();
    private final Set<Long> broadcasts;

    /** Nodes, at least one, on all of which an occurrence of a broadcast runs. */
    record Everywhere(Selector selector, List<CandidateNode> nodes) {}

    /**
     * Places these rows.
     *
     * @param node the one that fires them
     * @param rows those that are due
     * @param broadcasts those of them that run on all nodes, whoever fires them
     * @param known selectors that need not be read
     */
    public EligibleNodes(
            Handle handle,
            CandidateNode node,
            Collection<FoundTask> rows,
            Set<Long> broadcasts,
            Map<Integer, Selector> known) {
        this.broadcasts = broadcasts;
        Map<Integer, Selector> selectors = new HashMap<>(known);
        selectors.put(Placement.ANY, Selector.ANY);
        Set<Integer> unknown = rows.stream()
                .map(row -> row.task().selector())
                .filter(id -> !selectors.containsKey(id))
                .collect(Collectors.toSet());
        if (!unknown.isEmpty()) {
            selectors.putAll(SelectorStore.read(handle, unknown));
        }
        List<FoundTask> misplaced = rows.stream()
                .filter(row -> broadcasts.contains(row.id())
                        || !node.takes(selectors.getOrDefault(row.task().selector(), Selector.ANY)))
                .toList();
        if (!misplaced.isEmpty()) {
            place(handle, misplaced, selectors);
        }
    }

    private void place(Handle handle, List<FoundTask> misplaced, Map<Integer, Selector> selectors) {
        List<CandidateNode> nodes = OwnerSession.nodes(handle);
        Map<Long, Instant> since =
                Waits.forNodeSince(handle, misplaced.stream().map(FoundTask::id).toList());
        for (FoundTask row : misplaced) {
            Selector selector = selectors.getOrDefault(row.task().selector(), Selector.ANY);
            List<CandidateNode> takers =
                    nodes.stream().filter(node -> node.takes(selector)).toList();
            if (takers.isEmpty()) {
                nowhere.put(row.id(), elsewhere(row.task().origin(), selector, nodes, since.get(row.id())));
            } else if (broadcasts.contains(row.id())) {
                everywhere.put(row.id(), new Everywhere(selector, takers));
            } else {
                released.add(row.id());
            }
        }
    }

    private static NoEligibleNode elsewhere(
            Origin origin, Selector selector, List<CandidateNode> nodes, @Nullable Instant since) {
        return origin.isPart()
                ? NoEligibleNode.ofPart(origin.node(), nodes)
                : NoEligibleNode.of(selector, nodes, since);
    }

    /** Returns the tasks that another node may run. */
    public Set<Long> released() {
        return released;
    }

    /** Returns the nodes of each broadcast. */
    Map<Long, Everywhere> everywhere() {
        return everywhere;
    }

    /** Returns the tasks that no node may run. */
    Map<Long, NoEligibleNode> nowhere() {
        return nowhere;
    }

    /** Returns whether no node may run a task that has not waited for one before. */
    boolean isNews(long task) {
        @Nullable NoEligibleNode elsewhere = nowhere.get(task);
        return elsewhere != null && elsewhere.since() == null;
    }
}
