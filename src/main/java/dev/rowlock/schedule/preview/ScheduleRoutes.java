package dev.rowlock.schedule.preview;

import static dev.rowlock.access.Reach.NONE;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;

/** Routes of {@code /schedules}. */
public record ScheduleRoutes(Previews previews, long maxBody) {

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.POST,
                "/schedules/preview",
                Permission.of(VIEWER, NONE),
                Set.of(),
                (ctx, parameters) -> preview(ctx));
    }

    private void preview(Context ctx) {
        ObjectNode sent = Json.object(ctx, maxBody, List.of(Json.PLAIN));
        Json.answer(ctx, 200, Json.tree(previews.preview(sent)));
    }
}
