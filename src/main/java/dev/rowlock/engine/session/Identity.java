package dev.rowlock.engine.session;

import dev.rowlock.engine.Settings;

import dev.rowlock.cluster.Member;
import java.util.Map;

/** Who this node is, whatever its session. */
public record Identity(String node, Member.Host host, String version, Map<String, String> labels, int capacity) {

    Member asMember(String session, Settings settings) {
        return new Member(
                session,
                host,
                node,
                version,
                labels,
                capacity,
                java.time.Instant.EPOCH,
                1,
                java.time.Instant.EPOCH,
                Member.State.ALIVE,
                0,
                0,
                0,
                settings.timeout(),
                settings.shared());
    }
}
