package dev.rowlock.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.control.Previews;
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

    private void preview(Context ctx) {
        ObjectNode sent = Json.object(ctx, maxBody, List.of(Json.PLAIN));
        Json.answer(ctx, 200, Json.tree(previews.preview(sent)));
    }
}
