package dev.rowlock.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.control.Previews;
import dev.rowlock.control.Previews.Preview;
import dev.rowlock.job.Times;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;

/** {@code /schedules}. */
final class ScheduleRoutes {

    private final Previews previews;
    private final long maxBody;

    ScheduleRoutes(Previews previews, long maxBody) {
        this.previews = previews;
        this.maxBody = maxBody;
    }

    void register(Endpoints endpoints) {
        endpoints.api(HandlerType.POST, "/schedules/preview", Set.of(), this::preview);
    }

    static JsonNode json(Preview preview) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("schedule", preview.schedule());
        node.put("zone", preview.zone().getId());
        ArrayNode fireTimes = node.putArray("fireTimes");
        preview.fireTimes().forEach(t -> fireTimes.add(Times.text(t)));
        node.put("description", preview.description());
        ArrayNode warnings = node.putArray("warnings");
        preview.warnings().forEach(warnings::add);
        return node;
    }

    private void preview(Context ctx) {
        ObjectNode sent = Json.object(ctx, maxBody, List.of(Json.PLAIN));
        Json.answer(ctx, 200, json(previews.preview(sent)));
    }
}
