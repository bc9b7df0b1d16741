package dev.rowlock.job.group;

import static dev.rowlock.access.Reach.CLUSTER;
import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Reach.NONE;
import static dev.rowlock.access.Role.EDITOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.definition.Group;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.EntityTags;
import dev.rowlock.http.Json;
import dev.rowlock.http.NamePages;
import dev.rowlock.http.Parameters;
import dev.rowlock.job.group.Groups.SavedGroup;
import dev.rowlock.task.request.TaskJson;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;

/** Routes of {@code /groups}. */
public record GroupRoutes(Groups groups, long maxBody) {

    private static final String ONE = "/groups/{group}";

    public void register(Endpoints endpoints) {
        Set<String> none = Set.of();
        endpoints.api(HandlerType.GET, "/groups", Permission.of(VIEWER, NONE), Set.of("limit", "cursor"), this::list);
        endpoints.api(
                HandlerType.GET,
                ONE,
                Permission.of(VIEWER, NAMED),
                none,
                (ctx, parameters) -> get(ctx, parameters.group()));
        endpoints.api(
                HandlerType.PUT,
                ONE,
                Permission.of(EDITOR, CLUSTER),
                none,
                (ctx, parameters) -> put(ctx, parameters.group()));
        endpoints.api(
                HandlerType.PATCH,
                ONE,
                Permission.of(EDITOR, CLUSTER),
                none,
                (ctx, parameters) -> patch(ctx, parameters.group()));
        endpoints.api(
                HandlerType.DELETE,
                ONE,
                Permission.of(EDITOR, CLUSTER),
                none,
                (ctx, parameters) -> delete(ctx, parameters.group()));
    }

    private Groups groups(Context ctx) {
        return groups.by(Callers.of(ctx)).when(EntityTags.precondition(ctx));
    }

    private void list(Context ctx, Parameters parameters) {
        int limit = parameters.number("limit", 1, 1000, 100);
        NamePages.answer(
                ctx, "groups", groups.list(NamePages.after(parameters, "groups"), limit + 1), limit, Group::name);
    }

    private void get(Context ctx, String name) {
        answer(ctx, 200, groups.get(name));
    }

    private void answer(Context ctx, int status, Group group) {
        EntityTags.answer(ctx, status, withTasks(ctx, group), Groups.tag(group));
    }

    private void put(Context ctx, String name) {
        SavedGroup saved = groups(ctx).put(name, GroupDefinition.parse(Json.object(ctx, maxBody, List.of(Json.PLAIN))));
        if (saved.created()) {
            ctx.header("Location", "/api/v1/groups/" + name);
        }
        answer(ctx, saved.created() ? 201 : 200, saved.group());
    }

    private void patch(Context ctx, String name) {
        ObjectNode patch = Json.object(ctx, maxBody, List.of(Json.MERGE_PATCH, Json.PLAIN));
        answer(ctx, 200, groups(ctx).patch(name, patch));
    }

    private void delete(Context ctx, String name) {
        groups(ctx).delete(name);
        ctx.status(204);
    }

    /** Returns a group with its executing tasks, and its waiting ones in the order in which they are to start. */
    private ObjectNode withTasks(Context ctx, Group group) {
        ObjectNode node = (ObjectNode) Json.tree(group);
        ArrayNode tasks = node.putArray("tasks");
        groups.by(Callers.of(ctx)).tasks(group.name()).forEach(task -> tasks.add(TaskJson.of(task)));
        return node;
    }
}
