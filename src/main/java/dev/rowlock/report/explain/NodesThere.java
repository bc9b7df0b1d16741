package dev.rowlock.report.explain;

import dev.rowlock.cluster.store.SessionLog.SessionLife;
import dev.rowlock.report.explain.Explanation.NodeFacts;
import dev.rowlock.task.rule.NoEligibleNode;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.Trails;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Live nodes at some time, and which of them could run a task. */
final class NodesThere {

    /** Most nodes whose load is looked up. */
    private static final int MOST_LOADS = 20;

    private final List<SessionLife> lives;
    private final Selector selector;

    private NodesThere(List<SessionLife> lives, Selector selector) {
        this.lives = lives;
        this.selector = selector;
    }

    static NodesThere of(Evidence found, Presence presence, Instant moment) {
        Selector selector =
                found.definition().map(job -> Selector.parse(job.nodes())).orElse(Selector.ANY);
        @Nullable String only = found.main() == null ? null : onlyNode(found.main());
        return new NodesThere(presence.at(moment), only == null ? selector : selector.on(only));
    }

    /** Returns the node of a broadcast's part, or the one that a person asked for. */
    private static @Nullable String onlyNode(Attempt main) {
        if (main.isPart()) {
            return main.origin().node();
        }
        return main.task().overrides() == null
                ? null
                : main.task().overrides().path("node").asText(null);
    }

    /** Explains why none of the live nodes could run the task; empty if one could, or if none was alive. */
    Optional<String> noneMatches() {
        boolean none =
                !lives.isEmpty() && lives.stream().noneMatch(life -> node(life).takes(selector));
        return none
                ? Optional.of(NoEligibleNode.of(
                                selector, lives.stream().map(NodesThere::node).toList(), null)
                        .reason())
                : Optional.empty();
    }

    List<NodeFacts> facts() {
        return lives.stream().map(life -> facts(life, null)).toList();
    }

    /** Returns the nodes with the number of tasks that they executed at some time. */
    List<NodeFacts> facts(Trails trails, Instant at) {
        return lives.size() > MOST_LOADS
                ? facts()
                : lives.stream()
                        .map(life -> facts(life, trails.executing(life.node(), at)))
                        .toList();
    }

    private NodeFacts facts(SessionLife life, @Nullable Long executing) {
        Optional<String> whyNot = life.takesWork()
                ? selector.whyNot(life.node(), life.labels())
                : Optional.of("it takes no work (drained or stopping)");
        return new NodeFacts(life.node(), life.id(), whyNot.isEmpty(), whyNot.orElse(null), life.capacity(), executing);
    }

    private static CandidateNode node(SessionLife life) {
        return new CandidateNode(life.node(), life.labels(), life.takesWork());
    }
}
