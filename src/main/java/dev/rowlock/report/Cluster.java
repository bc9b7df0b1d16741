package dev.rowlock.report;

import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.EndedSession;
import dev.rowlock.cluster.NodePatch;
import dev.rowlock.cluster.NodeSetting;
import dev.rowlock.cluster.store.NodeSettings;
import dev.rowlock.cluster.store.NodeSettings.UpdatedNode;
import dev.rowlock.cluster.store.SessionQueries;
import dev.rowlock.cluster.store.SessionQueries.ClusterSnapshot;
import dev.rowlock.field.KeptFor;
import dev.rowlock.http.Refused;
import dev.rowlock.task.history.RetentionTerms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** Nodes of the cluster, for people. */
public final class Cluster {

    private final SessionQueries sessions;
    private final NodeSettings settings;
    private final ToIntFunction<String> preferredStripes;
    private final String node;
    private final Supplier<Optional<String>> clockProblem;
    private final Function<Audit, Instant> acceptClock;
    private final RetentionTerms terms;
    private final OnBehalf asker;

    /**
     * @param node the name of this node
     * @param preferredStripes how many stripes prefer the session of this id, as this node sees it
     * @param clockProblem why this node does not believe the database's clock
     * @param acceptClock tells all nodes that it is right, and answers what it shows
     * @param terms how long history is kept
     */
    public Cluster(
            SessionQueries sessions,
            NodeSettings settings,
            String node,
            ToIntFunction<String> preferredStripes,
            Supplier<Optional<String>> clockProblem,
            Function<Audit, Instant> acceptClock,
            RetentionTerms terms) {
        this(sessions, settings, node, preferredStripes, clockProblem, acceptClock, terms, OnBehalf.OF_NOBODY);
    }

    private Cluster(
            SessionQueries sessions,
            NodeSettings settings,
            String node,
            ToIntFunction<String> preferredStripes,
            Supplier<Optional<String>> clockProblem,
            Function<Audit, Instant> acceptClock,
            RetentionTerms terms,
            OnBehalf asker) {
        this.asker = asker;
        this.clockProblem = clockProblem;
        this.acceptClock = acceptClock;
        this.terms = terms;
        this.node = node;
        this.sessions = sessions;
        this.settings = settings;
        this.preferredStripes = preferredStripes;
    }

    /** Returns a view for a caller: every change is audited. */
    public Cluster by(Caller caller) {
        return new Cluster(
                sessions, settings, node, preferredStripes, clockProblem, acceptClock, terms, new OnBehalf(caller));
    }

    /**
     * @param stripes how many stripes prefer it
     * @param setting what operators asked of its node
     */
    public record SessionView(ClusterSession session, int stripes, NodeSetting setting) {}

    /**
     * Snapshot of all sessions.
     *
     * @param self the name of the node that was asked
     * @param clockProblem why that node does not believe the database's clock; empty if it does
     * @param gone the last session of each node that ended within a day
     */
    public record Nodes(
            Instant databaseTime,
            String self,
            Optional<String> clockProblem,
            List<SessionView> sessions,
            List<EndedSession> gone,
            Map<String, NodeSetting> settings) {}

    /** @param doubted whether the node that was asked had been in doubt */
    public record Accepted(Instant databaseTime, boolean doubted) {}

    /** Tells all nodes that the database's clock is right although it leapt ahead; they learn it within seconds. */
    public Accepted acceptClock() {
        boolean doubted = clockProblem.get().isPresent();
        return new Accepted(acceptClock.apply(asker.doing(AuditAction.ACCEPT)), doubted);
    }

    /**
     * Accepts the longest retention set on any live node from now on, although a node once had a longer one.
     *
     * @throws Refused not all nodes that are alive say what they were told
     */
    public KeptFor acceptRetention() {
        List<Optional<KeptFor>> told = sessions.live().stream()
                .map(session -> KeptFor.of(session.settings()))
                .toList();
        if (told.isEmpty() || !told.stream().allMatch(Optional::isPresent)) {
            throw new Refused(
                    Refused.Reason.CONFLICT,
                    "not every node that is alive says for how long it is to keep history: those of the version before"
                            + " do not");
        }
        KeptFor longest =
                told.stream().flatMap(Optional::stream).reduce(KeptFor::longest).orElseThrow();
        terms.accept(longest, asker.doing(AuditAction.ACCEPT));
        return longest;
    }

    /**
     * Node after a change.
     *
     * @param session empty: it is not alive
     * @param effect when the change takes effect, for people
     */
    public record ChangedNode(
            String node, NodeSetting setting, Optional<ClusterSession> session, String effect, List<String> warnings) {}

    /**
     * Changes labels or capacity of a node. This overrides its configuration, and outlives its restarts.
     *
     * @throws Refused there is no such node
     */
    public ChangedNode patch(String name, NodePatch patch) {
        return change(AuditAction.PATCH, name, effect(patch), setting -> {
            NodeSetting changed = patch.resetsLabels() ? setting.withoutLabels() : setting.withLabels(patch.labels());
            return patch.setsCapacity() ? changed.withCapacity(patch.capacity()) : changed;
        });
    }

    private static String effect(NodePatch patch) {
        List<String> effects = new ArrayList<>();
        if (patch.resetsLabels() || !patch.labels().isEmpty() || !patch.setsCapacity()) {
            effects.add("starts nothing any more that it may not run, and takes what it may");
        }
        if (patch.setsCapacity()) {
            effects.add(
                    patch.capacity() == null
                            ? "executes as many commands at a time as it is configured to"
                            : "executes " + patch.capacity() + " commands at a time at most");
        }
        return String.join(", and ", effects);
    }

    /**
     * Drains a node, or lets it take work again. This outlives its restarts.
     *
     * @throws Refused there is no such node
     */
    public ChangedNode drain(String name, boolean drained) {
        return change(
                drained ? AuditAction.DRAIN : AuditAction.UNDRAIN,
                name,
                drained
                        ? "starts nothing any more and has given back what it had prepared, what it executes finishes,"
                                + " and its /readyz says so"
                        : "takes work again",
                setting -> setting.withDrained(drained));
    }

    private ChangedNode change(AuditAction action, String name, String effect, UnaryOperator<NodeSetting> change) {
        List<String> known = settings.nodes();
        if (!known.contains(name)) {
            throw new Refused(
                    Refused.Reason.NOT_FOUND,
                    "there is no node " + name + "; "
                            + (known.isEmpty() ? "there is none" : "known are " + String.join(", ", known)));
        }
        UpdatedNode changed = settings.change(name, change, asker.doing(action));
        List<ClusterSession> sessions = this.sessions.cluster().sessions();
        List<String> warnings = sessions.isEmpty() || sessions.stream().anyMatch(ClusterSession::takesWork)
                ? List.of()
                : List.of("no node takes work: what is due waits (hold NODE)");
        return new ChangedNode(
                name,
                changed.setting(),
                changed.session(),
                changed.session()
                        .map(session -> "node " + name + " " + effect + ", within "
                                + session.settings().getOrDefault("session.heartbeat", "a heartbeat"))
                        .orElse("when node " + name + " joins: it is not alive"),
                warnings);
    }

    public Nodes nodes() {
        ClusterSnapshot seen = sessions.cluster();
        return new Nodes(
                seen.databaseTime(),
                node,
                clockProblem.get(),
                seen.sessions().stream()
                        .map(s -> new SessionView(
                                s,
                                preferredStripes.applyAsInt(s.id()),
                                seen.settings().getOrDefault(s.node(), NodeSetting.NONE)))
                        .toList(),
                seen.gone(),
                seen.settings());
    }
}
