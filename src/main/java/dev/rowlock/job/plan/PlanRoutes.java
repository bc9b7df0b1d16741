package dev.rowlock.job.plan;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Role.EDITOR;
import static dev.rowlock.access.Role.VIEWER;

import dev.rowlock.access.Permission;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.http.RequestMemory.MemoryShare;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /plan} and {@code /apply}: many definitions together. */
public record PlanRoutes(Plans plans, long maxBody) {

    /** Memory of the definitions being compared, a few at a time, and of the answer as a tree and as text. */
    private static final long ANSWER = 24 << 20;

    private static final long LARGEST_BODY = 16 << 20;

    public void register(Endpoints endpoints) {
        Set<String> parameters = Set.of("force");
        endpoints.large(
                HandlerType.POST, "/plan", Permission.of(VIEWER, NAMED), parameters, ANSWER, largestBody(), this::plan);
        endpoints.large(
                HandlerType.POST,
                "/apply",
                Permission.of(EDITOR, NAMED),
                parameters,
                ANSWER,
                largestBody(),
                this::apply);
    }

    /** Returns the bound on a body, larger than elsewhere: it may hold a thousand jobs. */
    private long largestBody() {
        return Math.min(16 * maxBody, LARGEST_BODY);
    }

    private void plan(Context ctx, Parameters parameters, MemoryShare part) throws IOException {
        Plans asked = asked(ctx, parameters);
        answer(ctx, part, asked.plan(Json.largeObject(ctx, largestBody())));
    }

    private void apply(Context ctx, Parameters parameters, MemoryShare part) throws IOException {
        @Nullable String etag = parameters.planTag();
        Plans asked = asked(ctx, parameters);
        answer(ctx, part, asked.apply(Json.largeObject(ctx, largestBody()), etag));
    }

    private Plans asked(Context ctx, Parameters parameters) {
        return plans.by(Callers.of(ctx)).forcing(parameters.flag("force"));
    }

    private static void answer(Context ctx, MemoryShare part, Plan plan) throws IOException {
        ctx.header("ETag", "\"" + plan.etag() + "\"");
        Json.send(ctx, part, Json.text(plan));
    }
}
