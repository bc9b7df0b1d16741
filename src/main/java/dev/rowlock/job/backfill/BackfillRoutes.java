package dev.rowlock.job.backfill;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Reach.PATH;
import static dev.rowlock.access.Role.OPERATOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import dev.rowlock.http.Answers;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.job.backfill.Backfills.BackfillResult;
import dev.rowlock.job.backfill.Backfills.BackfillView;
import dev.rowlock.task.backfill.Backfill;
import dev.rowlock.task.backfill.BackfillQueries.BackfillProgress;
import dev.rowlock.task.backfill.BackfillRequest;
import dev.rowlock.task.request.TaskRoutes;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /backfills}, and of the backfill of one job. */
public record BackfillRoutes(Backfills backfills, long maxBody) {

    private static final String ONE = "/backfills/{id}";
    /** Memory of the fire times of one request, and of what is known about each. */
    private static final long LARGEST = 8 << 20;
    /** Most on one page, whatever is asked for: the progress of each is counted. */
    private static final int PAGE = 100;

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.POST,
                "/jobs/{ns}/{name}/backfill",
                Permission.of(OPERATOR, PATH),
                Set.of(),
                LARGEST,
                this::request);
        endpoints.api(
                HandlerType.GET,
                "/backfills",
                Permission.of(VIEWER, NAMED),
                Set.of("namespace", "job", "limit", "cursor"),
                this::list);
        endpoints.api(HandlerType.GET, ONE, Permission.of(VIEWER, NAMED), Set.of(), this::get);
        endpoints.api(HandlerType.DELETE, ONE, Permission.of(OPERATOR, NAMED), Set.of(), this::cancel);
    }

    /** Answers 202 if a backfill was made; 200 if nothing is left to run, or on a dry run. */
    private void request(Context ctx, Parameters parameters) {
        BackfillRequest asked = BackfillRequest.parse(Json.object(ctx, maxBody, List.of(Json.PLAIN)));
        BackfillResult result =
                backfills.by(Callers.of(ctx)).request(parameters.job(), asked, Parameters.idempotencyKey(ctx));
        if (result.id() != null) {
            ctx.header("Location", "/api/v1/backfills/" + result.id());
        }
        List<String> warnings = result.fireTimes() == 0
                ? List.of("the schedule of the job has no fire time in this period")
                : List.of();
        Json.answer(ctx, result.id() == null ? 200 : 202, Json.warned((ObjectNode) Json.tree(result), warnings));
    }

    private void list(Context ctx, Parameters parameters) {
        int limit = Math.min(PAGE, parameters.number("limit", 1, 1000, 20));
        JobKey job = TaskRoutes.job(parameters);
        String[] cursor = parameters.cursor("backfills", 1);
        if (cursor != null && !cursor[0].matches("[0-9]{1,18}")) {
            throw Parameters.brokenCursor();
        }
        List<BackfillView> found = backfills
                .by(Callers.of(ctx))
                .list(
                        job == null ? parameters.text("namespace") : job.namespace(),
                        job == null ? null : job.name(),
                        cursor == null ? null : Long.valueOf(cursor[0]),
                        limit + 1);
        List<BackfillView> shown = found.subList(0, Math.min(limit, found.size()));
        String next = found.size() > limit
                ? Parameters.cursorOf(
                        "backfills",
                        Long.toString(shown.get(limit - 1).backfill().id()))
                : null;
        ctx.status(200).contentType(Json.PLAIN);
        Answers.whole(ctx, Json.page(shown, BackfillRoutes::json, next));
    }

    private void get(Context ctx, Parameters parameters) {
        Json.answer(ctx, 200, json(backfills.by(Callers.of(ctx)).get(parameters.backfill())));
    }

    private void cancel(Context ctx, Parameters parameters) {
        Json.answer(ctx, 200, json(backfills.by(Callers.of(ctx)).cancel(parameters.backfill())));
    }

    private static ObjectNode json(BackfillView view) {
        Backfill backfill = view.backfill();
        BackfillProgress progress = view.progress();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", backfill.id())
                .put("namespace", backfill.key().namespace())
                .put("job", backfill.key().name())
                .put("state", state(view))
                .put("from", Times.text(backfill.from()))
                .put("until", Times.text(backfill.until()))
                .put("only", backfill.only().name())
                .put("order", backfill.order().name())
                .put("parallel", backfill.parallel())
                .put("priority", backfill.priority())
                .put("fireTimes", backfill.fireTimes())
                .put("waiting", progress.waiting() + progress.live() - progress.executing())
                .put("executing", progress.executing());
        ObjectNode outcomes = node.putObject("outcomes");
        progress.outcomes().forEach(outcomes::put);
        return node.put("nextFireTime", Times.orNull(progress.next()))
                .put("holdReason", holdReason(progress))
                .put("createdAt", Times.text(backfill.createdAt()))
                .put("createdBy", backfill.askedBy())
                .put("cancelledAt", Times.orNull(backfill.cancelledAt()))
                .put("cancelledBy", backfill.cancelledBy());
    }

    private static String state(BackfillView view) {
        if (view.backfill().cancelledAt() != null) {
            return "CANCELLED";
        }
        return view.progress().waiting() + view.progress().live() > 0 ? "RUNNING" : "ENDED";
    }

    private static @Nullable String holdReason(BackfillProgress progress) {
        return progress.paused() && progress.waiting() > 0 ? "the job is paused" : progress.reason();
    }
}
