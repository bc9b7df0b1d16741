package dev.rowlock.control;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.EndedSession;
import dev.rowlock.store.session.SessionQueries;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** The nodes, for people to see. */
public final class Cluster {

    private final SessionQueries sessions;
    private final ToIntFunction<String> preferredShards;
    private final String node;
    private final Supplier<Optional<String>> clockProblem;
    private final Supplier<Instant> acceptClock;

    /**
     * @param node the name of this node
     * @param preferredShards how many shards prefer the session of this id, as this node sees it
     * @param clockProblem why this node does not believe the database's clock
     * @param acceptClock tells all nodes that it is right, and answers what it shows
     */
    public Cluster(
            SessionQueries sessions,
            String node,
            ToIntFunction<String> preferredShards,
            Supplier<Optional<String>> clockProblem,
            Supplier<Instant> acceptClock) {
        this.clockProblem = clockProblem;
        this.acceptClock = acceptClock;
        this.node = node;
        this.sessions = sessions;
        this.preferredShards = preferredShards;
    }

    /** @param shards how many shards prefer it */
    public record Session(ClusterSession session, int shards) {}

    /**
     * All sessions at one moment.
     *
     * @param self the name of the node that was asked
     * @param clockProblem why that node does not believe the database's clock; empty if it does
     * @param gone the last session of each node that ended within a day
     */
    public record Nodes(
            Instant databaseTime,
            String self,
            Optional<String> clockProblem,
            List<Session> sessions,
            List<EndedSession> gone) {}

    /** @param doubted whether the node that was asked had been in doubt */
    public record Accepted(Instant databaseTime, boolean doubted) {}

    /** Tells all nodes that the database's clock is right though it leapt ahead; they hear it within seconds. */
    public Accepted acceptClock() {
        boolean doubted = clockProblem.get().isPresent();
        return new Accepted(acceptClock.get(), doubted);
    }

    public Nodes nodes() {
        SessionQueries.Cluster seen = sessions.cluster();
        return new Nodes(
                seen.databaseTime(),
                node,
                clockProblem.get(),
                seen.sessions().stream()
                        .map(s -> new Session(s, preferredShards.applyAsInt(s.id())))
                        .toList(),
                seen.gone());
    }
}
