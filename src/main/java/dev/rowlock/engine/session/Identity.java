package dev.rowlock.engine.session;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.engine.EngineSettings;
import java.util.HashMap;
import java.util.Map;

/**
 * Who this node is, whatever its session.
 *
 * @param runsAsOthers whether it can run commands as any user
 */
public record Identity(
        String node,
        ClusterSession.Host host,
        String version,
        Map<String, String> labels,
        int capacity,
        boolean runsAsOthers) {

    ClusterSession asMember(String session, EngineSettings settings) {
        Map<String, String> published = new HashMap<>(settings.shared());
        published.put(ClusterSession.RUNS_AS, Boolean.toString(runsAsOthers));
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
                published,
                new ClusterSession.Configured(labels, capacity),
                false);
    }
}
