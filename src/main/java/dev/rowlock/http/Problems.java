package dev.rowlock.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Crowded;
import dev.rowlock.access.Forbidden;
import dev.rowlock.access.TooManyAttempts;
import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.db.CommitUnknown;
import dev.rowlock.db.DataProblem;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.field.InvalidDefinition;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.eclipse.jetty.io.EofException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conversion of every error to {@code application/problem+json}; an unexpected one is logged under the id of the
 * request.
 */
public final class Problems {

    public static final String TYPE = "application/problem+json";

    private static final Logger log = LoggerFactory.getLogger(Problems.class);
    private static final Map<String, String> SOON = Map.of("Retry-After", "2");

    private Problems() {}

    public static void register(RoutesConfig routes) {
        routes.exception(ApiProblem.class, Problems::answer);
        routes.exception(
                InvalidDefinition.class,
                (e, ctx) -> answer(new ApiProblem(422, "the request is not acceptable", e.problems(), Map.of()), ctx));
        routes.exception(TooManyAttempts.class, (e, ctx) -> answer(of(e), ctx));
        routes.exception(Crowded.class, (e, ctx) -> answer(of(e), ctx));
        routes.exception(Forbidden.class, (e, ctx) -> answer(new ApiProblem(403, String.valueOf(e.getMessage())), ctx));
        routes.exception(Refused.class, (e, ctx) -> answer(of(e), ctx));
        routes.exception(
                ClockInDoubt.class, (e, ctx) -> answer(new ApiProblem(503, String.valueOf(e.getMessage()), SOON), ctx));
        routes.exception(CommitUnknown.class, (e, ctx) -> answer(unknown(e, ctx), ctx));
        routes.exception(DatabaseUnavailable.class, (e, ctx) -> answer(unavailable(e, ctx), ctx));
        routes.exception(DataProblem.class, (e, ctx) -> answer(unexpected(e, ctx), ctx));
        routes.exception(StatementProblem.class, (e, ctx) -> answer(refused(e, ctx), ctx));
        routes.exception(HttpResponseException.class, (e, ctx) -> answer(of(e, ctx), ctx));
        routes.exception(
                EofException.class, (e, ctx) -> log.debug("{} {}: the client went away", ctx.method(), ctx.path()));
        routes.exception(
                ClosedChannelException.class,
                (e, ctx) -> log.debug("{} {}: the connection was closed", ctx.method(), ctx.path()));
        routes.exception(Exception.class, (e, ctx) -> answer(unexpected(e, ctx), ctx));
    }

    static byte[] body(ApiProblem problem) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("type", "about:blank");
        node.put("title", HttpStatus.forStatus(problem.status).getMessage());
        node.put("status", problem.status);
        node.put("detail", problem.getMessage());
        node.set("errors", Json.tree(problem.errors));
        return (node + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static void answer(ApiProblem problem, Context ctx) {
        if (ctx.res().isCommitted()) {
            return; // the answer was under way already; it ends here
        }
        ctx.status(problem.status).contentType(TYPE);
        problem.headers.forEach(ctx::header);
        Answers.small(ctx, body(problem));
    }

    private static ApiProblem of(TooManyAttempts e) {
        return new ApiProblem(429, String.valueOf(e.getMessage()), Map.of("Retry-After", String.valueOf(e.seconds())));
    }

    private static ApiProblem of(Crowded e) {
        return new ApiProblem(e.isOwn() ? 429 : 503, String.valueOf(e.getMessage()), Map.of("Retry-After", "1"));
    }

    private static ApiProblem of(Refused e) {
        String detail = String.valueOf(e.getMessage());
        return switch (e.reason()) {
            case NOT_FOUND -> new ApiProblem(404, detail);
            case CONFLICT -> new ApiProblem(409, detail);
            case OTHER_VERSION -> new ApiProblem(412, detail);
            case NOT_CONFIGURED -> new ApiProblem(503, detail);
            case BUSY -> new ApiProblem(503, detail, SOON);
        };
    }

    private static ApiProblem of(HttpResponseException e, Context ctx) {
        String detail = e.getStatus() == 404
                ? "there is nothing at " + ctx.req().getRequestURI()
                : String.valueOf(e.getMessage());
        return new ApiProblem(e.getStatus(), detail);
    }

    private static ApiProblem unavailable(DatabaseUnavailable e, Context ctx) {
        log.info("{} {}: {}", ctx.method(), ctx.path(), e.getMessage());
        return new ApiProblem(503, e.summary() + "; nothing was changed, try again (/readyz says more)", SOON);
    }

    private static ApiProblem unknown(CommitUnknown e, Context ctx) {
        log.warn("{} {}: {}", ctx.method(), ctx.path(), e.getMessage());
        return new ApiProblem(
                503,
                "the database went away in the middle of it: it may have happened. Repeat it: to replace or to"
                        + " apply something twice does no harm, and run takes an Idempotency-Key",
                SOON);
    }

    /** Converts an error of the database server that is not about the data sent. */
    private static ApiProblem refused(StatementProblem e, Context ctx) {
        log.warn("{} {}: the database refused it: {}", ctx.method(), ctx.path(), e.getMessage());
        String why = String.valueOf(e.getMessage()).replaceFirst("(?s) \\[statement:.*", ""); // the log has it
        return new ApiProblem(
                503,
                "the database refused it, and nothing was changed (" + why
                        + "); try again, and look at the database if that does not help",
                SOON);
    }

    private static ApiProblem unexpected(Exception e, Context ctx) {
        String id = String.valueOf(ctx.<String>attribute(RequestIds.FIELD));
        log.error("{} {} failed unexpectedly, error {}", ctx.method(), ctx.path(), id, e);
        return new ApiProblem(500, "something unexpected happened; the log of this node tells more under error " + id);
    }
}
