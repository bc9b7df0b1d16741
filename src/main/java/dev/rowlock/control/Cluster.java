package dev.rowlock.control;

import dev.rowlock.cluster.Member;
import dev.rowlock.store.PastSession;
import dev.rowlock.store.SessionQueries;
import java.time.Instant;
import java.util.List;
import java.util.function.ToIntFunction;

/** The nodes, to look at. */
public final class Cluster {

    private final SessionQueries sessions;
    private final ToIntFunction<String> preferredShards;
    private final String node;

    /**
     * @param node the name of this node
     * @param preferredShards how many shards prefer the session of this id, as this node sees it
     */
    public Cluster(SessionQueries sessions, String node, ToIntFunction<String> preferredShards) {
        this.node = node;
        this.sessions = sessions;
        this.preferredShards = preferredShards;
    }

    /** @param shards how many shards prefer it */
    public record Session(Member member, int shards) {}

    /**
     * All sessions at one moment.
     *
     * @param self the name of the node that was asked
     * @param gone the last session of each node that ended within a day
     */
    public record Members(Instant databaseTime, String self, List<Session> sessions, List<PastSession> gone) {}

    public Members members() {
        SessionQueries.Cluster seen = sessions.cluster();
        return new Members(
                seen.databaseTime(),
                node,
                seen.sessions().stream()
                        .map(s -> new Session(s, preferredShards.applyAsInt(s.id())))
                        .toList(),
                seen.gone());
    }
}
