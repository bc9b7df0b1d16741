package dev.rowlock.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Detector of failed sessions: notes since when, on its own monotonic clock, this session has seen each other's beat
 * unchanged. Age is never a difference of two database times: that clock may step, and an old heartbeat may only just
 * have become visible. A session is judged by the longer of its timeout and ours, as its fence goes by its own. For one
 * thread.
 */
public final class FailureDetector {

    /** Session whose beat stands still. */
    public record Suspect(String sessionId, long beat) {}

    private record Sighting(long beat, long sinceNanos) {}

    private final Duration timeout;
    private final Duration widestGap;
    private Map<String, Sighting> seen = Map.of();
    private long contactNanos;
    private boolean hadContact;
    private Duration untilSuspicion = Duration.ofDays(1);

    /**
     * @param timeout our own: how long a beat must stand still at the least
     * @param widestGap the longest break in our own contact with the database through which we may still judge others
     */
    public FailureDetector(Duration timeout, Duration widestGap) {
        this.timeout = timeout;
        this.widestGap = widestGap;
    }

    /** Returns how long after the last read an unchanged beat becomes suspect. */
    public Duration untilSuspicion() {
        return untilSuspicion;
    }

    /** Notes the beats of one read. Returns what may be expired now, each only if its beat is still the one named. */
    public List<Suspect> saw(Collection<ClusterSession> members, long askedNanos, long answeredNanos) {
        boolean gap = !hadContact || askedNanos - contactNanos > widestGap.toNanos();
        hadContact = true;
        contactNanos = answeredNanos;
        untilSuspicion = timeout;
        Map<String, Sighting> next = new HashMap<>();
        List<Suspect> suspects = new ArrayList<>();
        for (ClusterSession member : members) {
            Sighting before = gap ? null : seen.get(member.id());
            if (before == null || before.beat() != member.beat()) {
                next.put(member.id(), new Sighting(member.beat(), answeredNanos));
                continue;
            }
            next.put(member.id(), before);
            Duration patience = longer(timeout, member.timeout());
            long stillNanos = askedNanos - before.sinceNanos();
            if (stillNanos > patience.toNanos()) {
                suspects.add(new Suspect(member.id(), member.beat()));
            } else {
                untilSuspicion =
                        shorter(untilSuspicion, patience.minusNanos(stillNanos).plusMillis(1));
            }
        }
        seen = next;
        return suspects;
    }

    private static Duration longer(Duration a, @Nullable Duration b) {
        return b == null || a.compareTo(b) >= 0 ? a : b;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
