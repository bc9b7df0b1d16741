package dev.rowlock.node.session;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.task.rule.Placement;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.SelectorStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Selectors that this node has met, and which of their tasks it takes. Thread-safe. */
public final class KnownSelectors {

    /** Least number of known selectors before any is read again. */
    private static final int FEW = 100;

    private final String node;
    private final SelectorStore store;
    private volatile int many = FEW;
    private volatile Map<Integer, Selector> selectors = Map.of(Placement.ANY, Selector.ANY);
    private volatile List<CandidateNode> nodes = List.of();
    private volatile Placement placement = Placement.NOTHING;

    /** @param store read on the scheduling connection, whose lock the caller of {@link #learn} holds */
    KnownSelectors(String node, SelectorStore store) {
        this.node = node;
        this.store = store;
    }

    /** Notes the live sessions, which may be others, or the same with other labels. */
    synchronized void saw(List<ClusterSession> members) {
        List<CandidateNode> seen = members.stream()
                .map(member -> new CandidateNode(member.node(), member.labels(), member.takesWork()))
                .toList();
        if (!seen.equals(nodes)) {
            nodes = seen;
            place();
        }
    }

    /** Returns the placement of tasks with these selectors, reading those that are not known. */
    public Placement learn(Collection<Integer> ids) {
        Set<Integer> unknown = new TreeSet<>(ids);
        unknown.removeAll(selectors.keySet());
        if (selectors.size() + unknown.size() > many) {
            unknown.addAll(selectors.keySet());
            know(store.read(unknown)); // without those that were forgotten there
            many = Math.max(FEW, 2 * selectors.size());
        } else if (!unknown.isEmpty()) {
            Map<Integer, Selector> all = new HashMap<>(selectors);
            all.putAll(store.read(unknown));
            know(all);
        }
        return placement;
    }

    private synchronized void know(Map<Integer, Selector> all) {
        selectors = Map.copyOf(all);
        place();
    }

    /** Returns those that tasks of this node had, or that it asked for; not all that there are. */
    public Map<Integer, Selector> all() {
        return selectors;
    }

    public Placement placement() {
        return placement;
    }

    private void place() {
        placement = Placement.of(node, nodes, selectors);
    }
}
