package dev.rowlock.task.request;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Role.OPERATOR;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.request.Reruns.RerunResult;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /tasks/rerun}. */
public record RerunRoutes(Reruns reruns, long maxBody) {

    /** Memory of what a request looks at, and of its answer twice: each row has a reason. */
    private static final long LARGEST = 12 << 20;

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.POST,
                "/tasks/rerun",
                Permission.of(OPERATOR, NAMED),
                Set.of(),
                LARGEST,
                (ctx, p) -> rerun(ctx));
    }

    /** Answers 202 if runs were requested; 200 if none was, or on a dry run. */
    private void rerun(Context ctx) {
        RerunRequest asked = RerunRequest.parse(Json.object(ctx, maxBody, List.of(Json.PLAIN)));
        RerunResult result = reruns.by(Callers.of(ctx)).rerun(asked, Parameters.idempotencyKey(ctx));
        boolean nothing = result.created().isEmpty() && result.leftOut().isEmpty() && !result.repeated();
        List<String> warnings = nothing
                ? List.of(why(asked.key()))
                : result.freezes().stream()
                        .map(freeze -> "these runs start although jobs are frozen: " + freeze)
                        .toList();
        int status = result.dryRun() || result.created().isEmpty() ? 200 : 202;
        Json.answer(ctx, status, Json.warned((ObjectNode) Json.tree(result), warnings));
    }

    private String why(@Nullable JobKey job) {
        return job == null || reruns.isKnown(job)
                ? "nothing of this stretch of time ended like that: since and until are about fire times, and"
                        + " SKIPPED (as what fell into a pause), KILLED and CANCELLED have to be named in outcome"
                : "there is no job " + job + ", nor history of one";
    }
}
