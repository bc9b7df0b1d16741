package dev.rowlock.report;

import static dev.rowlock.access.Reach.CLUSTER;
import static dev.rowlock.access.Reach.NONE;
import static dev.rowlock.access.Role.ADMIN;
import static dev.rowlock.access.Role.OPERATOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.EndedSession;
import dev.rowlock.cluster.NodePatch;
import dev.rowlock.cluster.NodeSetting;
import dev.rowlock.field.KeptFor;
import dev.rowlock.field.Times;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.report.Cluster.Nodes;
import dev.rowlock.report.Cluster.SessionView;
import dev.rowlock.schedule.Durations;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** Routes of {@code /cluster} and its nodes. */
public record ClusterRoutes(Cluster cluster, long maxBody) {

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.GET, "/cluster", Permission.of(VIEWER, NONE), Set.of(), (ctx, parameters) -> cluster(ctx));
        endpoints.api(
                HandlerType.PATCH,
                "/cluster/nodes/{node}",
                Permission.of(ADMIN, CLUSTER),
                Set.of(),
                (ctx, parameters) -> patch(ctx));
        endpoints.api(
                HandlerType.POST,
                "/cluster/nodes/{node}/drain",
                Permission.of(OPERATOR, CLUSTER),
                Set.of(),
                (ctx, parameters) -> drain(ctx, true));
        endpoints.api(
                HandlerType.POST,
                "/cluster/nodes/{node}/undrain",
                Permission.of(OPERATOR, CLUSTER),
                Set.of(),
                (ctx, parameters) -> drain(ctx, false));
        endpoints.api(
                HandlerType.POST,
                "/cluster/clock/accept",
                Permission.of(ADMIN, CLUSTER),
                Set.of(),
                (ctx, parameters) -> acceptClock(ctx));
        endpoints.api(
                HandlerType.POST,
                "/cluster/retention/accept",
                Permission.of(ADMIN, CLUSTER),
                Set.of(),
                (ctx, parameters) -> acceptRetention(ctx));
    }

    private void drain(Context ctx, boolean drained) {
        Json.requireEmpty(ctx);
        answer(ctx, cluster.by(Callers.of(ctx)).drain(ctx.pathParam("node"), drained));
    }

    private void patch(Context ctx) {
        NodePatch patch = NodePatch.parse(Json.object(ctx, maxBody, List.of(Json.MERGE_PATCH, Json.PLAIN)));
        answer(ctx, cluster.by(Callers.of(ctx)).patch(ctx.pathParam("node"), patch));
    }

    private static void answer(Context ctx, Cluster.ChangedNode changed) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("node", changed.node());
        changed.session().ifPresent(session -> {
            node.put("state", session.state().name());
            node.set("labels", Json.tree(new TreeMap<>(session.labels())));
            node.put("capacity", session.capacity());
            node.put("executing", session.executing());
        });
        settings(node, changed.setting());
        node.put("effect", changed.effect());
        Json.answer(ctx, 200, Json.warned(node, changed.warnings()));
    }

    /** Adds what operators set for a node; null where its configuration is in effect. */
    private static void settings(ObjectNode node, NodeSetting setting) {
        node.set("labelsSet", Json.tree(setting.labels().isEmpty() ? null : setting.labels()));
        node.put("capacitySet", setting.capacity());
        node.put("drained", setting.drained());
    }

    private void cluster(Context ctx) {
        Nodes seen = cluster.nodes();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("databaseTime", Times.text(seen.databaseTime()));
        node.put("self", seen.self());
        node.put("clockProblem", seen.clockProblem().orElse(null));
        ArrayNode sessions = node.putArray("sessions");
        seen.sessions().forEach(s -> sessions.add(session(s, seen.databaseTime())));
        seen.gone().forEach(s -> {
            ObjectNode gone = gone(s, seen.databaseTime());
            settings(gone, seen.settings().getOrDefault(s.node(), NodeSetting.NONE));
            sessions.add(gone);
        });
        Json.answer(ctx, 200, node);
    }

    private void acceptClock(Context ctx) {
        Json.requireEmpty(ctx);
        Cluster.Accepted accepted = cluster.by(Callers.of(ctx)).acceptClock();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("databaseTime", Times.text(accepted.databaseTime()));
        List<String> warnings = accepted.doubted()
                ? List.of()
                : List.of("this node was in no doubt about the database's clock; nodes that are hear of it within"
                        + " seconds");
        Json.answer(ctx, 200, Json.warned(node, warnings));
    }

    private void acceptRetention(Context ctx) {
        Json.requireEmpty(ctx);
        KeptFor kept = cluster.by(Callers.of(ctx)).acceptRetention();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("history", Durations.format(kept.history()));
        node.put("audit", Durations.format(kept.audit()));
        Json.answer(ctx, 200, node.put("versions", kept.versions()));
    }

    private static ObjectNode session(SessionView session, Instant databaseTime) {
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
        node.set("labels", Json.tree(new TreeMap<>(s.labels())));
        node.put("capacity", s.capacity());
        settings(node, session.setting());
        node.put("prepared", s.prepared());
        node.put("executing", s.executing());
        node.put("clockSkewMs", s.clockSkewMillis());
        node.put("stripes", session.stripes());
        return node;
    }

    /** Returns a node whose session has ended: since when, and why. */
    private static ObjectNode gone(EndedSession s, Instant databaseTime) {
        ObjectNode node = (ObjectNode) Json.tree(s);
        node.set("goneReason", node.remove("reason"));
        node.put("state", "GONE");
        node.put("heartbeatAgeMs", s.heartbeatAt().until(databaseTime, ChronoUnit.MILLIS));
        return node.put("prepared", 0).put("executing", 0).put("stripes", 0);
    }
}
