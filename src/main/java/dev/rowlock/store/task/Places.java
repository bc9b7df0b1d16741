package dev.rowlock.store.task;

import dev.rowlock.policy.Elsewhere;
import dev.rowlock.policy.Placement;
import dev.rowlock.policy.Selector;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Which tasks of one transaction the node that fires them may not run, under lock rows that whoever changes its labels
 * takes, too.
 */
final class Places {

    private final Set<Long> released = new HashSet<>();
    private final Map<Long, Elsewhere> nowhere = new HashMap<>();

    /**
     * @param node the one that fires them
     * @param rows those that are due
     * @param known selectors that need not be read
     */
    Places(Handle handle, Placement.Node node, Collection<FireDecisions.Row> rows, Map<Integer, Selector> known) {
        Map<Integer, Selector> selectors = new HashMap<>(known);
        selectors.put(Placement.ANY, Selector.ANY);
        Set<Integer> unknown = rows.stream()
                .map(FireDecisions.Row::selector)
                .filter(id -> !selectors.containsKey(id))
                .collect(Collectors.toSet());
        if (!unknown.isEmpty()) {
            selectors.putAll(SelectorStore.read(handle, unknown));
        }
        List<FireDecisions.Row> misplaced = rows.stream()
                .filter(row -> !node.takes(selectors.getOrDefault(row.selector(), Selector.ANY)))
                .toList();
        if (!misplaced.isEmpty()) {
            place(handle, misplaced, selectors);
        }
    }

    private void place(Handle handle, List<FireDecisions.Row> misplaced, Map<Integer, Selector> selectors) {
        List<Placement.Node> nodes = OwnerSession.nodes(handle);
        Map<Long, Instant> since = NodeWaits.since(
                handle, misplaced.stream().map(FireDecisions.Row::id).toList());
        for (FireDecisions.Row row : misplaced) {
            Selector selector = selectors.getOrDefault(row.selector(), Selector.ANY);
            if (nodes.stream().anyMatch(node -> node.takes(selector))) {
                released.add(row.id());
            } else {
                nowhere.put(row.id(), Elsewhere.of(selector, nodes, since.get(row.id())));
            }
        }
    }

    /** What another node may run. */
    Set<Long> released() {
        return released;
    }

    /** What no node may run. */
    Map<Long, Elsewhere> nowhere() {
        return nowhere;
    }
}
