package dev.rowlock.node.session;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.SharedSettings;
import dev.rowlock.cluster.StripeAssignment;
import dev.rowlock.db.Locks;
import dev.rowlock.node.EngineSettings;
import dev.rowlock.node.Slots;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.store.SelectorStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sessions of the cluster, as of this node's last contact. Thread-safe. */
public final class KnownSessions {

    private static final Logger log = LoggerFactory.getLogger(KnownSessions.class);

    private final EngineSettings settings;
    private final Slots slots;
    private final KnownSelectors selectors;
    private final AtomicLong launches = new AtomicLong();
    private volatile List<ClusterSession> members = List.of();
    private volatile Map<String, List<Integer>> stripes = Map.of();
    private volatile Optional<String> differences = Optional.empty();

    KnownSessions(EngineSettings settings, Slots slots, SelectorStore selectorStore) {
        this.settings = settings;
        this.slots = slots;
        this.selectors = new KnownSelectors(settings.node(), selectorStore);
    }

    void saw(List<ClusterSession> seen) {
        members = List.copyOf(seen);
        self().ifPresent(self -> slots.resize(self.capacity()));
        selectors.saw(seen);
        stripes = StripeAssignment.of(seen, Locks.STRIPES);
        compareSettings(seen);
    }

    /** Returns, for people, which settings of this node differ from those of others, as far as is known. */
    public String settings() {
        if (members.isEmpty()) {
            return "not known yet whether they are as on the other nodes: this node has not joined";
        }
        return differences.orElse(isAlone() ? "there is no other node" : "as on the other nodes");
    }

    private void compareSettings(List<ClusterSession> seen) {
        Optional<String> now = SharedSettings.differences(settings.node(), settings.shared(), seen);
        if (!now.equals(differences)) {
            now.ifPresentOrElse(log::warn, () -> log.info("the settings are the same on all nodes again"));
        }
        differences = now;
    }

    /** Returns which tasks this node takes, by their selectors. */
    public KnownSelectors selectors() {
        return selectors;
    }

    private Optional<ClusterSession> self() {
        return members.stream()
                .filter(member -> member.node().equals(settings.node()))
                .findFirst();
    }

    /** Returns whether an operator has drained this node. */
    public boolean isDrained() {
        return self().map(ClusterSession::drained).orElse(false);
    }

    /** Returns the sessions as the last heartbeat saw them, this one included. */
    public List<ClusterSession> members() {
        return members;
    }

    /** Returns whether no other session was seen: nobody else can have prepared anything. */
    public boolean isAlone() {
        return members.size() < 2;
    }

    /** Returns the stripes that this session prefers. */
    public List<Integer> stripesOf(String session) {
        return stripes.getOrDefault(session, List.of());
    }

    /** Returns a source of launch ids, which never repeat in one life of the process. */
    public Supplier<LaunchId> launchesOf(String session) {
        return () -> LaunchId.of(session, launches.incrementAndGet());
    }
}
