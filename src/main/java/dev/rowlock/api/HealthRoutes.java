package dev.rowlock.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.control.Readiness;
import dev.rowlock.control.Readiness.Check;
import io.javalin.http.Context;
import java.util.List;

/** Whether the process lives, and whether it can do its work. Without a token and without the database. */
final class HealthRoutes {

    private final Readiness readiness;

    HealthRoutes(Readiness readiness) {
        this.readiness = readiness;
    }

    void register(Endpoints endpoints) {
        endpoints.open("/livez", ctx -> {
            Json.answer(ctx, 200, JsonNodeFactory.instance.objectNode().put("live", true));
        });
        endpoints.open("/readyz", this::ready);
    }

    private void ready(Context ctx) {
        List<Check> checks = readiness.checks();
        boolean ready = checks.stream().allMatch(Check::ok);
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("ready", ready);
        ArrayNode list = node.putArray("checks");
        for (Check check : checks) {
            list.addObject().put("name", check.name()).put("ok", check.ok()).put("message", check.message());
        }
        Json.answer(ctx, ready ? 200 : 503, node);
    }
}
