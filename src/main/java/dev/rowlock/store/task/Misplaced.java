package dev.rowlock.store.task;

import dev.rowlock.job.Outcome;
import dev.rowlock.policy.NodeWait;
import dev.rowlock.policy.NodeWait.Kind;
import dev.rowlock.policy.Placement;
import dev.rowlock.policy.Selector;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.history.TaskHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Tasks that are due on a node that may not run them: its labels were changed, it is drained, or no node may. */
final class Misplaced {

    private final Handle handle;
    private final Placement.Node node;
    private final Duration threshold;
    private final Map<Integer, Selector> known;

    /** @param known the selectors that need not be read */
    Misplaced(Handle handle, Placement.Node node, Duration threshold, Map<Integer, Selector> known) {
        this.handle = handle;
        this.node = node;
        this.threshold = threshold;
        this.known = new HashMap<>(known);
        this.known.put(Placement.ANY, Selector.ANY);
    }

    /** Takes them out of {@code rows}, and settles those that are our own: gives back, holds, or ends them. */
    void settle(List<Claim> claims, Map<Long, FireDecisions.Row> rows) {
        learn(rows.values());
        List<Claim> misplaced = claims.stream()
                .filter(claim -> {
                    FireDecisions.@Nullable Row row = rows.get(claim.id());
                    return row != null && row.isToStart(claim, threshold) && !node.takes(selector(row));
                })
                .toList();
        if (misplaced.isEmpty()) {
            return;
        }
        Map<Long, NodeWait> decisions = decide(misplaced, rows);
        rows.keySet().removeAll(decisions.keySet());
        List<Claim> own = misplaced.stream().filter(Claim::isOwn).toList();
        Release.toIdle(
                handle,
                of(Kind.RELEASE, own, decisions).stream().collect(Collectors.toMap(Claim::id, Claim::held)));
        NodeWaits.hold(
                handle,
                of(Kind.HOLD, own, decisions).stream()
                        .map(c -> new NodeWaits.Waiting(c.id(), c.held(), decisions.get(c.id())))
                        .toList());
        miss(of(Kind.MISS, own, decisions), decisions);
    }

    private void learn(Collection<FireDecisions.Row> rows) {
        Set<Integer> unknown =
                rows.stream().map(FireDecisions.Row::selector).filter(id -> !known.containsKey(id)).collect(Collectors.toSet());
        if (!unknown.isEmpty()) {
            known.putAll(SelectorStore.read(handle, unknown));
        }
    }

    private Selector selector(FireDecisions.Row row) {
        return known.getOrDefault(row.selector(), Selector.ANY);
    }

    private Map<Long, NodeWait> decide(List<Claim> misplaced, Map<Long, FireDecisions.Row> rows) {
        List<Placement.Node> nodes = OwnerSession.nodes(handle);
        Map<Long, Instant> since = NodeWaits.since(handle, misplaced.stream().map(Claim::id).toList());
        Map<Long, NodeWait> decisions = new HashMap<>();
        for (Claim claim : misplaced) {
            FireDecisions.Row row = Objects.requireNonNull(rows.get(claim.id()));
            decisions.put(
                    claim.id(),
                    NodeWait.of(
                            new NodeWait.Facts(
                                    selector(row),
                                    row.fireTime(),
                                    since.get(claim.id()),
                                    row.fireTime().plus(row.late()),
                                    null,
                                    threshold),
                            nodes));
        }
        return decisions;
    }

    private void miss(List<Claim> missed, Map<Long, NodeWait> decisions) {
        if (missed.isEmpty()) {
            return;
        }
        List<Ending> endings = new ArrayList<>();
        missed.forEach(c -> endings.add(Ending.without(
                c.id(), c.held(), c.shard(), Outcome.MISSED, decisions.get(c.id()).reason())));
        TaskHistory.record(handle, endings, node.name());
        NodeWaits.forget(handle, missed.stream().map(Claim::id).toList());
    }

    private static List<Claim> of(Kind kind, List<Claim> claims, Map<Long, NodeWait> decisions) {
        return claims.stream()
                .filter(claim -> decisions.get(claim.id()).kind() == kind)
                .toList();
    }
}
