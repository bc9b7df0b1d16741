package dev.rowlock.report.explain;

import static dev.rowlock.access.Reach.PATH;
import static dev.rowlock.access.Reach.TASK;
import static dev.rowlock.access.Role.VIEWER;

import dev.rowlock.access.Permission;
import dev.rowlock.definition.JobKey;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.MeantTimes;
import dev.rowlock.http.Parameters;
import dev.rowlock.job.JobRoutes;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.Set;

/** Routes of {@code /jobs/{ns}/{name}/explain} and {@code /tasks/{id}/explain}. */
public record ExplainRoutes(Explain explain) {

    /** Bound on the memory of one answer: tasks of one fire time, versions without their commands, sessions. */
    private static final long LARGEST = 8 << 20;

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.GET,
                JobRoutes.ONE + "/explain",
                Permission.of(VIEWER, PATH),
                Set.of("at", "zone"),
                LARGEST,
                this::job);
        endpoints.api(
                HandlerType.GET, "/tasks/{id}/explain", Permission.of(VIEWER, TASK), Set.of(), LARGEST, this::task);
    }

    private void job(Context ctx, Parameters parameters) {
        Parameters.all(() -> parameters.time("at"), parameters::zone);
        JobKey key = parameters.job();
        MeantTimes times = new MeantTimes(ctx, parameters, explain::now, () -> explain.zone(key));
        Json.answer(
                ctx,
                200,
                Json.tree(explain.at(key, times.past("at"))
                        .orElseThrow(() ->
                                new ApiProblem(404, "there is no job " + key + ", nor is anything kept of one"))));
    }

    private void task(Context ctx, Parameters parameters) {
        long id = parameters.taskId();
        Json.answer(
                ctx,
                200,
                Json.tree(explain.task(id)
                        .filter(found -> Callers.of(ctx).reaches(found.namespace()))
                        .orElseThrow(() -> new ApiProblem(404, "there is no task " + id))));
    }
}
