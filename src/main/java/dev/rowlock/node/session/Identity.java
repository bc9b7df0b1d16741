package dev.rowlock.node.session;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.ClusterSession.SessionState;
import dev.rowlock.node.EngineSettings;
import dev.rowlock.schedule.TimeZoneData;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Identity of this node, whatever its session.
 *
 * @param runsAsOthers whether it can run commands as any user
 * @param keyIds of the keys that it can decrypt secrets with
 */
public record Identity(
        String node,
        ClusterSession.Host host,
        String version,
        Map<String, String> labels,
        int capacity,
        boolean runsAsOthers,
        List<String> keyIds) {

    /** Creates the identity of a node without keys. */
    public Identity(
            String node,
            ClusterSession.Host host,
            String version,
            Map<String, String> labels,
            int capacity,
            boolean runsAsOthers) {
        this(node, host, version, labels, capacity, runsAsOthers, List.of());
    }

    ClusterSession asMember(String session, EngineSettings settings) {
        Map<String, String> published = new HashMap<>(settings.shared());
        published.putAll(settings.kept().settings());
        published.put(ClusterSession.RUNS_AS, Boolean.toString(runsAsOthers));
        published.put(ClusterSession.KEYS, String.join(",", keyIds));
        published.put(ClusterSession.ZONE_RULES, TimeZoneData.version());
        return new ClusterSession(
                session,
                host,
                node,
                version,
                labels,
                capacity,
                java.time.Instant.EPOCH,
                1,
                java.time.Instant.EPOCH,
                SessionState.ALIVE,
                0,
                0,
                0,
                settings.timeout(),
                published,
                new ClusterSession.Configured(labels, capacity),
                false);
    }
}
