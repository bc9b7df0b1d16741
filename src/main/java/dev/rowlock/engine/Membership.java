package dev.rowlock.engine;

import dev.rowlock.cluster.Member;
import dev.rowlock.cluster.Preference;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.Locks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** What this node knows of the cluster since its last contact, and whether it takes work. Thread-safe. */
final class Membership {

    private final AtomicLong launches = new AtomicLong();
    private volatile List<Member> members = List.of();
    private volatile Map<String, List<Integer>> shards = Map.of();
    private volatile boolean draining;

    void saw(List<Member> seen) {
        members = List.copyOf(seen);
        shards = Preference.of(seen, Locks.SHARDS);
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
