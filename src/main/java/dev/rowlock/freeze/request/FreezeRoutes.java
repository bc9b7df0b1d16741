package dev.rowlock.freeze.request;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Role.OPERATOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.freeze.FreezeJson.FreezeState;
import dev.rowlock.freeze.FreezeRequest;
import dev.rowlock.freeze.store.FreezeStore.FreezeAt;
import dev.rowlock.http.Answers;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /freezes}. */
public record FreezeRoutes(FreezeRequests freezes, long maxBody) {

    private static final String ALL = "/freezes";
    private static final String ONE = "/freezes/{freeze}";
    private static final int MOST = 500;

    public void register(Endpoints endpoints) {
        Set<String> none = Set.of();
        Permission see = Permission.of(VIEWER, NAMED);
        Permission change = Permission.of(OPERATOR, NAMED);
        endpoints.api(HandlerType.GET, ALL, see, Set.of("state", "limit", "cursor"), this::list);
        endpoints.api(
                HandlerType.GET,
                ONE,
                see,
                none,
                (ctx, p) -> Json.answer(ctx, 200, by(ctx).get(id(ctx)).json()));
        endpoints.api(HandlerType.POST, ALL, change, none, (ctx, p) -> {
            FreezeAt made = by(ctx).add(FreezeRequest.parse(body(ctx, List.of(Json.PLAIN))));
            ctx.header("Location", "/api/v1/freezes/" + made.freeze().id());
            Json.answer(ctx, 201, made.json());
        });
        endpoints.api(
                HandlerType.PATCH,
                ONE,
                change,
                none,
                (ctx, p) -> Json.answer(
                        ctx,
                        200,
                        by(ctx).change(id(ctx), FreezeRequest.change(body(ctx, List.of(Json.MERGE_PATCH, Json.PLAIN))))
                                .json()));
        endpoints.api(HandlerType.DELETE, ONE, change, none, (ctx, p) -> {
            by(ctx).end(id(ctx));
            ctx.status(204);
        });
    }

    private FreezeRequests by(Context ctx) {
        return freezes.by(Callers.of(ctx));
    }

    private ObjectNode body(Context ctx, List<String> types) {
        return Json.object(ctx, maxBody, types);
    }

    private static long id(Context ctx) {
        String text = ctx.pathParam("freeze");
        if (!text.matches("[1-9][0-9]{0,17}")) {
            throw new ApiProblem(404, "there is no freeze '" + text + "': ids are whole numbers from 1");
        }
        return Long.parseLong(text);
    }

    private void list(Context ctx, Parameters parameters) {
        String state = parameters.word(
                "state", Arrays.stream(FreezeState.values()).map(Enum::name).toList());
        int limit = parameters.number("limit", 1, MOST, 100);
        List<FreezeAt> found =
                by(ctx).list(before(parameters), limit + 1, state == null ? null : FreezeState.valueOf(state));
        List<FreezeAt> shown = found.subList(0, Math.min(limit, found.size()));
        @Nullable
        String cursor = found.size() > limit
                ? Parameters.cursorOf(
                        "freezes", String.valueOf(shown.get(limit - 1).freeze().id()))
                : null;
        ctx.status(200).contentType(Json.PLAIN);
        Answers.whole(ctx, Json.page(shown, FreezeAt::json, cursor));
    }

    private static @Nullable Long before(Parameters parameters) {
        String[] cursor = parameters.cursor("freezes", 1);
        if (cursor == null) {
            return null;
        }
        if (!cursor[0].matches("[1-9][0-9]{0,17}")) {
            throw Parameters.brokenCursor();
        }
        return Long.valueOf(cursor[0]);
    }
}
