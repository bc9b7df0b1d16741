package dev.rowlock.job.version;

import static dev.rowlock.access.Reach.PATH;
import static dev.rowlock.access.Role.EDITOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.definition.StoredVersion;
import dev.rowlock.field.Times;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.job.JobRoutes;
import dev.rowlock.job.version.Versions.VersionPage;
import dev.rowlock.job.version.Versions.VersionSummary;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;

/** Routes of {@code /jobs/{ns}/{name}/versions}: earlier definitions of a job, and the way back. */
public record VersionRoutes(Versions versions, long maxBody) {

    private static final String ALL = JobRoutes.ONE + "/versions";
    /**
     * Bound on the memory of a page: definitions of a million characters, or one version more, twice as JSON while
     * compared.
     */
    private static final long PAGE_OF_VERSIONS = 12 << 20;

    private static final int LATEST = 1_000_000_000;

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.GET,
                ALL,
                Permission.of(VIEWER, PATH),
                Set.of("limit", "cursor"),
                PAGE_OF_VERSIONS,
                this::list);
        endpoints.api(
                HandlerType.GET,
                ALL + "/{version}",
                Permission.of(VIEWER, PATH),
                Set.of(),
                JobRoutes.LARGEST_JOB,
                this::get);
        endpoints.api(
                HandlerType.GET,
                ALL + "/{version}/diff",
                Permission.of(VIEWER, PATH),
                Set.of("to"),
                3 * JobRoutes.LARGEST_JOB,
                this::diff);
        endpoints.api(
                HandlerType.POST,
                JobRoutes.ONE + "/rollback",
                Permission.of(EDITOR, PATH),
                Set.of(),
                2 * JobRoutes.LARGEST_JOB,
                this::rollback);
    }

    private void list(Context ctx, Parameters parameters) {
        Parameters.all(() -> parameters.number("limit", 1, 1000, 100), () -> newest(parameters));
        VersionPage page =
                versions.list(parameters.job(), newest(parameters), parameters.number("limit", 1, 1000, 100));
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ArrayNode items = node.putArray("items");
        page.versions()
                .forEach(summary -> items.add(version(summary.version()).set("fields", Json.tree(summary.fields()))));
        List<VersionSummary> shown = page.versions();
        node.put(
                "nextCursor",
                page.more()
                        ? Parameters.cursorOf(
                                "versions",
                                String.valueOf(
                                        shown.get(shown.size() - 1).version().version() - 1))
                        : null);
        Json.answer(ctx, 200, node);
    }

    private void get(Context ctx, Parameters parameters) {
        StoredVersion version = versions.get(parameters.job(), parameters.version());
        Json.answer(
                ctx, 200, version(version).set("definition", version.stored().json()));
    }

    private void diff(Context ctx, Parameters parameters) {
        int to = parameters.number("to", 1, LATEST, 0);
        Json.answer(
                ctx,
                200,
                Json.tree(versions.diff(parameters.job(), parameters.version(), to == 0 ? null : Integer.valueOf(to))));
    }

    private void rollback(Context ctx, Parameters parameters) {
        JobRoutes.answer(
                ctx,
                versions.by(Callers.of(ctx))
                        .rollback(
                                parameters.job(),
                                Json.object(ctx, maxBody, List.of(Json.PLAIN)),
                                parameters.precondition()));
    }

    private static int newest(Parameters parameters) {
        String[] cursor = parameters.cursor("versions", 1);
        if (cursor == null) {
            return LATEST;
        }
        if (!cursor[0].matches("[0-9]{1,9}")) {
            throw Parameters.brokenCursor();
        }
        return Integer.parseInt(cursor[0]);
    }

    private static ObjectNode version(StoredVersion version) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("version", version.version());
        node.put("validFrom", Times.text(version.from()));
        node.put("validUntil", Times.orNull(version.until()));
        node.put("inForce", version.isInForce());
        node.put("paused", version.stored().definition().paused());
        node.put("changedBy", version.changedBy());
        node.put("pausedUntil", Times.orNull(version.pause().until()));
        return node.put("pauseReason", version.pause().reason());
    }
}
