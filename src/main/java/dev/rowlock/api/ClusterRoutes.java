package dev.rowlock.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.EndedSession;
import dev.rowlock.control.Cluster;
import dev.rowlock.control.Cluster.Members;
import dev.rowlock.control.Cluster.Session;
import dev.rowlock.job.Times;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** {@code /cluster}. */
final class ClusterRoutes {

    private final Cluster cluster;

    ClusterRoutes(Cluster cluster) {
        this.cluster = cluster;
    }

    void register(Endpoints endpoints) {
        endpoints.api(HandlerType.GET, "/cluster", Set.of(), this::cluster);
        endpoints.api(HandlerType.POST, "/cluster/clock/accept", Set.of(), this::acceptClock);
    }

    private void cluster(Context ctx) {
        Members seen = cluster.members();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("databaseTime", Times.text(seen.databaseTime()));
        node.put("self", seen.self());
        node.put("clockProblem", seen.clockProblem().orElse(null));
        ArrayNode sessions = node.putArray("sessions");
        seen.sessions().forEach(s -> sessions.add(session(s, seen.databaseTime())));
        seen.gone().forEach(s -> sessions.add(gone(s, seen.databaseTime())));
        Json.answer(ctx, 200, node);
    }

    private void acceptClock(Context ctx) {
        Json.requireEmpty(ctx);
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        Cluster.Accepted accepted = cluster.acceptClock();
        node.put("databaseTime", Times.text(accepted.databaseTime()));
        ArrayNode warnings = node.putArray("warnings");
        if (!accepted.doubted()) {
            warnings.add(
                    "this node was in no doubt about the database's clock; nodes that are hear of it within seconds");
        }
        Json.answer(ctx, 200, node);
    }

    private static ObjectNode session(Session session, Instant databaseTime) {
        ClusterSession s = session.member();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", s.id());
        node.put("node", s.node());
        node.put("host", s.host().name());
        node.put("pid", s.host().pid());
        node.put("version", s.version());
        node.put("state", s.state().name());
        node.put("startedAt", Times.text(s.startedAt()));
        node.put("heartbeatAt", Times.text(s.heartbeatAt()));
        node.put(
                "heartbeatAgeMs",
                Duration.between(s.heartbeatAt(), databaseTime).toMillis());
        node.put("capacity", s.capacity());
        node.put("prepared", s.prepared());
        node.put("executing", s.executing());
        node.put("clockSkewMs", s.clockSkewMillis());
        node.put("shards", session.shards());
        return node;
    }

    /** One that has ended: since when, and why. */
    private static ObjectNode gone(EndedSession s, Instant databaseTime) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", s.id());
        node.put("node", s.node());
        node.put("host", s.host());
        node.put("pid", s.pid());
        node.put("version", s.version());
        node.put("state", "GONE");
        node.put("goneAt", Times.text(s.goneAt()));
        node.put("goneReason", s.reason());
        node.put("startedAt", Times.text(s.startedAt()));
        node.put("heartbeatAt", Times.text(s.heartbeatAt()));
        node.put(
                "heartbeatAgeMs",
                Duration.between(s.heartbeatAt(), databaseTime).toMillis());
        node.put("capacity", s.capacity());
        node.put("prepared", 0);
        node.put("executing", 0);
        node.put("shards", 0);
        return node;
    }
}
