package dev.rowlock.job.plan;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Role.EDITOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.http.RequestMemory.MemoryShare;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /plan} and {@code /apply}: many definitions together. */
public record PlanRoutes(Plans plans, long maxBody) {

    /** Memory of the definitions being compared, a few at a time, and of the answer as a tree and as text. */
    private static final long ANSWER = 24 << 20;

    private static final long LARGEST_BODY = 16 << 20;

    public void register(Endpoints endpoints) {
        endpoints.large(HandlerType.POST, "/plan", Permission.of(VIEWER, NAMED), ANSWER, largestBody(), this::plan);
        endpoints.large(HandlerType.POST, "/apply", Permission.of(EDITOR, NAMED), ANSWER, largestBody(), this::apply);
    }

    /** Returns the bound on a body, larger than elsewhere: it may hold a thousand jobs. */
    private long largestBody() {
        return Math.min(16 * maxBody, LARGEST_BODY);
    }

    private void plan(Context ctx, Parameters parameters, MemoryShare part) throws IOException {
        ObjectNode sent = Json.largeObject(ctx, largestBody());
        answer(ctx, part, plans.by(Callers.of(ctx)).plan(sent));
    }

    private void apply(Context ctx, Parameters parameters, MemoryShare part) throws IOException {
        @Nullable String etag = parameters.planTag();
        ObjectNode sent = Json.largeObject(ctx, largestBody());
        answer(ctx, part, plans.by(Callers.of(ctx)).apply(sent, etag));
    }

    private static void answer(Context ctx, MemoryShare part, Plan plan) throws IOException {
        ctx.header("ETag", "\"" + plan.etag() + "\"");
        Json.send(ctx, part, Json.text(plan));
    }
}
