package dev.rowlock.engine.session;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.engine.EngineSettings;
import java.util.Map;

/** Who this node is, whatever its session. */
public record Identity(
        String node, ClusterSession.Host host, String version, Map<String, String> labels, int capacity) {

    ClusterSession asMember(String session, EngineSettings settings) {
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
                ClusterSession.State.ALIVE,
                0,
                0,
                0,
                settings.timeout(),
                settings.shared(),
                new ClusterSession.Configured(labels, capacity),
                false);
    }
}
