package dev.rowlock.cluster;

import dev.rowlock.cluster.ClusterSession.SessionState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assignment of stripes to the sessions that prefer them: rendezvous hashing weighted by capacity (Schindelhauer and
 * Schomaker, 2005), so that all compute the same answer, and a session that comes or goes moves only its own share. Any
 * session may take any task all the same.
 */
public final class StripeAssignment {

    private StripeAssignment() {}

    /** Returns the stripes that each live session prefers; draining sessions prefer none. */
    public static Map<String, List<Integer>> of(Collection<ClusterSession> members, int stripes) {
        Map<String, List<Integer>> preferred = new HashMap<>();
        for (ClusterSession member : members) {
            preferred.put(member.id(), new ArrayList<>());
        }
        for (int stripe = 0; stripe < stripes; stripe++) {
            ClusterSession best = null;
            double bestScore = Double.NEGATIVE_INFINITY;
            for (ClusterSession member : members) {
                double score = score(member, stripe);
                if (member.state() == SessionState.ALIVE && (best == null || score > bestScore)) {
                    best = member;
                    bestScore = score;
                }
            }
            if (best != null) {
                preferred.getOrDefault(best.id(), new ArrayList<>()).add(stripe);
            }
        }
        return preferred;
    }

    private static double score(ClusterSession member, int stripe) {
        return -member.capacity() / Math.log(unitInterval(member.node() + ":" + stripe));
    }

    /** Hashes a key to a number strictly between 0 and 1, evenly spread. */
    private static double unitInterval(String key) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        hash ^= hash >>> 31;
        return ((hash >>> 11) + 0.5) / (1L << 53);
    }
}
