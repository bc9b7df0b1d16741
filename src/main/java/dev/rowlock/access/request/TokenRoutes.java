package dev.rowlock.access.request;

import static dev.rowlock.access.Reach.CLUSTER;
import static dev.rowlock.access.Role.ADMIN;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.access.TokenRequest;
import dev.rowlock.access.TokenView;
import dev.rowlock.access.request.Tokens.IssuedToken;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.NamePages;
import dev.rowlock.http.Parameters;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;

/** Routes of {@code /tokens}: who may do what. */
public record TokenRoutes(Tokens tokens, long maxBody) {

    private static final String ONE = "/tokens/{token}";

    public void register(Endpoints endpoints) {
        Permission admin = Permission.of(ADMIN, CLUSTER);
        Set<String> none = Set.of();
        endpoints.api(HandlerType.GET, "/tokens", admin, Set.of("limit", "cursor"), this::list);
        endpoints.api(HandlerType.POST, "/tokens", admin, none, (ctx, parameters) -> create(ctx));
        endpoints.api(HandlerType.GET, ONE, admin, none, (ctx, parameters) -> get(ctx, parameters.token()));
        endpoints.api(HandlerType.DELETE, ONE, admin, none, (ctx, parameters) -> delete(ctx, parameters.token()));
        endpoints.api(
                HandlerType.POST, ONE + "/rotate", admin, none, (ctx, parameters) -> rotate(ctx, parameters.token()));
    }

    private void list(Context ctx, Parameters parameters) {
        int limit = parameters.number("limit", 1, 1000, 100);
        NamePages.answer(
                ctx, "tokens", tokens.list(NamePages.after(parameters, "tokens"), limit + 1), limit, TokenView::name);
    }

    private void create(Context ctx) {
        TokenRequest asked = TokenRequest.parse(Json.object(ctx, maxBody, List.of(Json.PLAIN)));
        IssuedToken made = tokens.by(Callers.of(ctx)).create(asked);
        ctx.header("Location", "/api/v1/tokens/" + made.view().name());
        Json.answer(ctx, 201, withToken(made));
    }

    private void get(Context ctx, String name) {
        Json.answer(ctx, 200, Json.tree(tokens.get(name)));
    }

    private void delete(Context ctx, String name) {
        tokens.by(Callers.of(ctx)).delete(name);
        ctx.status(204);
    }

    private void rotate(Context ctx, String name) {
        TokenRequest.Rotation asked = TokenRequest.rotation(Json.objectOrNothing(ctx, maxBody));
        Json.answer(ctx, 200, withToken(tokens.by(Callers.of(ctx)).rotate(name, asked)));
    }

    private static ObjectNode withToken(IssuedToken made) {
        return ((ObjectNode) Json.tree(made.view())).put("token", made.token());
    }
}
