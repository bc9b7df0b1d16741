package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.session.KnownSessions;
import dev.rowlock.task.Ending;
import dev.rowlock.task.transition.Taker;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decision whether this node takes what comes next after tasks that it has executed. Called by the thread that records
 * their ends, under the recording lock.
 */
final class Succession implements Function<Collection<Ending>, Optional<Taker>> {

    private final NodeContext node;
    private final KnownSessions knownSessions;
    private final DefinitionCache definitionCache;

    Succession(NodeContext node, KnownSessions knownSessions, DefinitionCache definitionCache) {
        this.node = node;
        this.knownSessions = knownSessions;
        this.definitionCache = definitionCache;
    }

    /**
     * Returns this node's session as the taker; empty: nothing can wait for these, or others of this node go first, or
     * it takes no work.
     */
    @Override
    public Optional<Taker> apply(Collection<Ending> endings) {
        Optional<Trust> trust = node.lease().current();
        if (endings.stream().noneMatch(Succession::isAwaited)
                || trust.isEmpty()
                || node.localTasks().isDraining()
                || node.clock().doubt().isPresent()
                || !node.slots().areLeft()) {
            return Optional.empty();
        }
        String session = trust.get().sessionId();
        return Optional.of(new Taker(
                session,
                knownSessions.launchesOf(session),
                knownSessions.selectors().all(),
                definitionCache::knows,
                groups(endings),
                node.clock().now()));
    }

    private static boolean isAwaited(Ending ending) {
        return ending.followUp() != null
                && (ending.followUp().wakes() || ending.followUp().grouped());
    }

    /**
     * Returns how many slots of which groups they had; what a previous session executed is left to {@link WaitKeeper}.
     */
    private Map<String, Integer> groups(Collection<Ending> endings) {
        Map<String, Integer> slots = new HashMap<>();
        endings.stream()
                .filter(Succession::isAwaited)
                .flatMap(ending -> Optional.ofNullable(ending.launch()).stream())
                .flatMap(launch -> node.localTasks().executing(launch).stream())
                .flatMap(task -> Optional.ofNullable(task.policy().group()).stream())
                .forEach(group -> slots.merge(group, 1, Integer::sum));
        return slots;
    }
}
