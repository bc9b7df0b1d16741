package dev.rowlock.job;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Reach.PATH;
import static dev.rowlock.access.Role.OPERATOR;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.definition.JobsMatching;
import dev.rowlock.definition.Pause;
import dev.rowlock.http.Answers;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Routes that pause and resume one job, or all that match. */
public record PauseRoutes(Jobs jobs, long maxBody) {

    /** Interval of signs of life: this server, and many a proxy, closes a connection that is silent for 30 s. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(20);

    private static final byte[] BLANK = {' '};

    public void register(Endpoints endpoints) {
        Set<String> none = Set.of();
        String one = JobRoutes.ONE;
        endpoints.api(
                HandlerType.POST,
                one + "/pause",
                Permission.of(OPERATOR, PATH),
                none,
                JobRoutes.LARGEST_JOB,
                this::pause);
        endpoints.api(
                HandlerType.POST,
                one + "/resume",
                Permission.of(OPERATOR, PATH),
                none,
                JobRoutes.LARGEST_JOB,
                this::resume);
        endpoints.api(
                HandlerType.POST,
                "/jobs/pause",
                Permission.of(OPERATOR, NAMED),
                none,
                JobRoutes.LARGEST_JOB,
                (ctx, p) -> pauseMany(ctx));
        endpoints.api(
                HandlerType.POST,
                "/jobs/resume",
                Permission.of(OPERATOR, NAMED),
                none,
                JobRoutes.LARGEST_JOB,
                (ctx, p) -> resumeMany(ctx));
    }

    private void pause(Context ctx, Parameters parameters) {
        Pause pause = Pause.parse(Json.objectOrNothing(ctx, maxBody));
        JobRoutes.answer(
                ctx, jobs.by(Callers.of(ctx)).pauses().pause(parameters.job(), pause, parameters.precondition()));
    }

    private void resume(Context ctx, Parameters parameters) {
        Json.requireEmpty(ctx);
        JobRoutes.answer(ctx, jobs.by(Callers.of(ctx)).pauses().resume(parameters.job(), parameters.precondition()));
    }

    private void pauseMany(Context ctx) throws IOException {
        JobsMatching.ToPause asked = JobsMatching.toPause(Json.objectOrNothing(ctx, maxBody));
        answer(ctx, afterEach -> jobs.by(Callers.of(ctx)).pauses().pause(asked, afterEach));
    }

    private void resumeMany(Context ctx) throws IOException {
        JobsMatching asked = JobsMatching.toResume(Json.objectOrNothing(ctx, maxBody));
        answer(ctx, afterEach -> jobs.by(Callers.of(ctx)).pauses().resume(asked, afterEach));
    }

    /** Sends blanks before the JSON, which mean nothing and show the client that its work goes on. */
    private static void answer(Context ctx, Function<Runnable, ManyChanged> work) throws IOException {
        long[] lastSign = {System.nanoTime()};
        ManyChanged changed = work.apply(() -> {
            if (System.nanoTime() - lastSign[0] > SIGN_OF_LIFE.toNanos()) {
                lastSign[0] = System.nanoTime();
                send(ctx, BLANK);
            }
        });
        ObjectNode node = (ObjectNode) Json.tree(changed);
        List<String> warnings = changed.matched() > 0
                ? List.of()
                : List.of("no job matches: namespace and labels are compared as a whole and by case, q with words,"
                        + " each part of namespace/name or of the description");
        Json.warned(node, warnings);
        if (ctx.res().isCommitted()) {
            send(ctx, (node + "\n").getBytes(StandardCharsets.UTF_8));
        } else {
            Json.answer(ctx, 200, node);
        }
    }

    private static void send(Context ctx, byte[] bytes) {
        try {
            if (!ctx.res().isCommitted()) {
                ctx.status(200).contentType(Json.PLAIN);
                ctx.res().flushBuffer();
            }
            Answers.more(ctx, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("the client went away", e);
        }
    }
}
