package dev.rowlock.engine;

import dev.rowlock.cluster.Member;
import dev.rowlock.cluster.Preference;
import dev.rowlock.cluster.SharedSettings;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.Locks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this node knows of the cluster since its last contact, and whether it takes work. Thread-safe. */
final class Membership {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final Settings settings;
    private final AtomicLong launches = new AtomicLong();
    private volatile List<Member> members = List.of();
    private volatile Map<String, List<Integer>> shards = Map.of();
    private volatile boolean draining;
    private volatile Optional<String> differences = Optional.empty();

    Membership(Settings settings) {
        this.settings = settings;
    }

    void saw(List<Member> seen) {
        members = List.copyOf(seen);
        shards = Preference.of(seen, Locks.SHARDS);
        compareSettings(seen);
    }

    /** What this node and others are set to differently, for people; empty if nothing is. */
    Optional<String> differences() {
        return differences;
    }

    /** For people: what this node and others are set to differently, or that nothing is, or that the others were not seen yet. */
    String settings() {
        if (members.isEmpty()) {
            return "not known yet whether they are as on the other nodes: this node has not joined";
        }
        return differences.orElse(isAlone() ? "there is no other node" : "as on the other nodes");
    }

    private void compareSettings(List<Member> seen) {
        Optional<String> now = SharedSettings.differences(settings.node(), settings.shared(), seen);
        if (!now.equals(differences)) {
            now.ifPresentOrElse(log::warn, () -> log.info("the settings are the same on all nodes again"));
        }
        differences = now;
    }

    List<Member> members() {
        return members;
    }

    /** Whether no other session was there at the last look: nobody else can have prepared anything, nor has it been expired yet. */
    boolean isAlone() {
        return members.size() < 2;
    }

    /** The shards that this session prefers. */
    List<Integer> shardsOf(String session) {
        return shards.getOrDefault(session, List.of());
    }

    /** Makes launch ids, never the same twice in one life of the process. */
    Supplier<LaunchId> launchesOf(String session) {
        return () -> LaunchId.of(session, launches.incrementAndGet());
    }

    void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }
}
