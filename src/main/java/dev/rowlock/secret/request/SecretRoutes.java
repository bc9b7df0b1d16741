package dev.rowlock.secret.request;

import static dev.rowlock.access.Reach.CLUSTER;
import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Reach.PATH;
import static dev.rowlock.access.Role.ADMIN;
import static dev.rowlock.access.Role.EDITOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Answers;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.EntityTags;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.secret.request.Secrets.SecretView;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /secrets}. */
public record SecretRoutes(Secrets secrets, long maxBody) {

    private static final String ONE = "/secrets/{ns}/{name}";
    private static final Set<String> PAGE = Set.of("limit", "cursor");
    /** Bound on the memory of a page: many secrets, each with the jobs that use it. */
    private static final long IN_HEAP = 8 << 20;

    public void register(Endpoints endpoints) {
        Permission sees = Permission.of(VIEWER, PATH);
        Permission edits = Permission.of(EDITOR, PATH);
        endpoints.api(
                HandlerType.GET,
                "/secrets",
                Permission.of(VIEWER, NAMED),
                PAGE,
                IN_HEAP,
                (ctx, parameters) -> list(ctx, parameters, null));
        endpoints.api(
                HandlerType.GET,
                "/secrets/{ns}",
                sees,
                PAGE,
                IN_HEAP,
                (ctx, parameters) -> list(ctx, parameters, parameters.namespace()));
        endpoints.api(HandlerType.GET, ONE, sees, Set.of(), (ctx, parameters) -> get(ctx, parameters.secret()));
        endpoints.api(HandlerType.PUT, ONE, edits, Set.of(), (ctx, parameters) -> put(ctx, parameters.secret()));
        endpoints.api(HandlerType.DELETE, ONE, edits, Set.of("force"), this::delete);
        endpoints.api(
                HandlerType.POST,
                "/secrets/rotate",
                Permission.of(ADMIN, CLUSTER),
                Set.of(),
                (ctx, parameters) -> rotate(ctx));
    }

    private Secrets of(Context ctx) {
        return secrets.by(Callers.of(ctx));
    }

    private void list(Context ctx, Parameters parameters, @Nullable String namespace) {
        int limit = parameters.number("limit", 1, 1000, 100);
        String[] after = parameters.cursor("secrets", 2);
        List<SecretView> found =
                of(ctx).list(namespace, after == null ? "" : after[0], after == null ? "" : after[1], limit + 1);
        List<SecretView> page = found.size() <= limit ? found : found.subList(0, limit);
        SecretView last = found.size() <= limit ? null : page.get(limit - 1);
        ctx.contentType(Json.PLAIN);
        @Nullable String cursor = last == null ? null : Parameters.cursorOf("secrets", last.namespace(), last.name());
        Answers.whole(ctx, Json.page(page, Json::tree, cursor));
    }

    private void get(Context ctx, JobKey key) {
        answer(ctx, 200, key);
    }

    private void answer(Context ctx, int status, JobKey key) {
        SecretView secret = of(ctx).get(key.namespace(), key.name());
        EntityTags.answer(ctx, status, Json.tree(secret), String.valueOf(secret.version()));
    }

    private void put(Context ctx, JobKey key) {
        if (of(ctx).when(EntityTags.precondition(ctx)).put(key.namespace(), key.name(), body(ctx))) {
            ctx.header("Location", "/api/v1/secrets/" + key);
            answer(ctx, 201, key);
        } else {
            ctx.status(204);
        }
    }

    /** Reads the body; unlike elsewhere, an error does not quote it. */
    private ObjectNode body(Context ctx) {
        try {
            return Json.object(ctx, maxBody, List.of(Json.PLAIN));
        } catch (ApiProblem e) {
            throw e.status == 400
                    ? new ApiProblem(
                            400, "the body must be JSON in UTF-8, such as {\"value\": \"…\"}; it is not quoted here")
                    : e;
        }
    }

    private void delete(Context ctx, Parameters parameters) {
        JobKey key = parameters.secret();
        of(ctx).when(EntityTags.precondition(ctx)).delete(key.namespace(), key.name(), parameters.flag("force"));
        ctx.status(204);
    }

    private void rotate(Context ctx) {
        Json.requireEmpty(ctx);
        Json.answer(ctx, 200, Json.tree(of(ctx).rotate()));
    }
}
