package dev.rowlock.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.EndedSession;
import dev.rowlock.control.Cluster;
import dev.rowlock.control.Cluster.Nodes;
import dev.rowlock.control.Cluster.Session;
import dev.rowlock.job.Times;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** {@code /cluster}. */
record ClusterRoutes(Cluster cluster) {

    void register(Endpoints endpoints) {
        endpoints.api(HandlerType.GET, "/cluster", Set.of(), (ctx, parameters) -> cluster(ctx));
        endpoints.api(HandlerType.POST, "/cluster/clock/accept", Set.of(), (ctx, parameters) -> acceptClock(ctx));
    }

    private void cluster(Context ctx) {
        Nodes seen = cluster.nodes();
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
        Cluster.Accepted accepted = cluster.acceptClock();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("databaseTime", Times.text(accepted.databaseTime()));
        List<String> warnings = accepted.doubted()
                ? List.of()
                : List.of("this node was in no doubt about the database's clock; nodes that are hear of it within"
                        + " seconds");
        Json.answer(ctx, 200, Json.warned(node, warnings));
    }

    private static ObjectNode session(Session session, Instant databaseTime) {
        ClusterSession s = session.session();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", s.id());
        node.put("node", s.node());
        node.put("host", s.host().name());
        node.put("pid", s.host().pid());
        node.put("version", s.version());
        node.put("state", s.state().name());
        node.put("startedAt", Times.text(s.startedAt()));
        node.put("heartbeatAt", Times.text(s.heartbeatAt()));
        node.put("heartbeatAgeMs", s.heartbeatAt().until(databaseTime, ChronoUnit.MILLIS));
        node.put("capacity", s.capacity());
        node.put("prepared", s.prepared());
        node.put("executing", s.executing());
        node.put("clockSkewMs", s.clockSkewMillis());
        node.put("shards", session.shards());
        return node;
    }

    /** One that has ended: since when, and why. */
    private static ObjectNode gone(EndedSession s, Instant databaseTime) {
        ObjectNode node = (ObjectNode) Json.tree(s);
        node.set("goneReason", node.remove("reason"));
        node.put("state", "GONE");
        node.put("heartbeatAgeMs", s.heartbeatAt().until(databaseTime, ChronoUnit.MILLIS));
        return node.put("prepared", 0).put("executing", 0).put("shards", 0);
    }
}
