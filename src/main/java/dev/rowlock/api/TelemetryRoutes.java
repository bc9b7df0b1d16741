package dev.rowlock.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Admission;
import dev.rowlock.access.Permission;
import dev.rowlock.access.Reach;
import dev.rowlock.access.Role;
import dev.rowlock.control.About;
import dev.rowlock.control.MetricsPage.Page;
import dev.rowlock.control.RequestCounts;
import dev.rowlock.control.Telemetry;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What a node tells of itself: its metrics, and which version it is. */
final class TelemetryRoutes {

    /** Each is some hundred kilobytes, and takes a thread that the checks of health need too. */
    private static final int AT_ONCE = 2;

    private final Telemetry telemetry;
    private final Admission tokens;
    private final Semaphore scrapes = new Semaphore(AT_ONCE);
    /** Each may wait for the database, on a thread that the checks of health need too. */
    private final Semaphore lookUps = new Semaphore(AT_ONCE);

    TelemetryRoutes(Telemetry telemetry, Admission tokens) {
        this.telemetry = telemetry;
        this.tokens = tokens;
    }

    void register(Endpoints endpoints) {
        endpoints.open("/metrics", this::metrics);
        endpoints.api(
                HandlerType.GET,
                "/version",
                Permission.of(Role.VIEWER, Reach.NONE),
                Set.of(),
                (ctx, parameters) -> version(ctx));
    }

    private void metrics(Context ctx) {
        if (!mayReadMetrics(ctx)) {
            throw new ApiProblem(
                    401, telemetry.refusal(), Map.of("WWW-Authenticate", "Bearer realm=\"rowlock metrics\""));
        }
        if (!scrapes.tryAcquire()) {
            throw new ApiProblem(503, "metrics are being read by others; try again", Map.of("Retry-After", "1"));
        }
        try {
            Page page = telemetry.metrics().page(ctx.header("Accept"));
            ctx.contentType(page.contentType());
            ClientPace.answer(ctx, page.text());
        } finally {
            scrapes.release();
        }
    }

    /** The token of metrics goes first: it is checked without the database. */
    private boolean mayReadMetrics(Context ctx) {
        @Nullable String token = Bearer.token(ctx);
        return telemetry.mayRead().test(token) || (token != null && isOfApi(token, ctx));
    }

    private boolean isOfApi(String token, Context ctx) {
        if (!lookUps.tryAcquire()) {
            throw new ApiProblem(503, "other tokens are being checked; try again", Map.of("Retry-After", "1"));
        }
        try {
            return tokens.find(token, ctx.req().getRemoteAddr())
                    .filter(grant -> grant.namespaces().isEmpty())
                    .isPresent();
        } finally {
            lookUps.release();
        }
    }

    private void version(Context ctx) {
        About about = telemetry.about().get();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("version", about.version());
        node.put("revision", about.revision());
        node.put("java", about.java());
        node.put("schemaVersion", about.schemaVersion());
        node.put("featureLevel", about.featureLevel());
        Json.answer(ctx, 200, node);
    }

    /** Notes a request that was answered. */
    static void note(RequestCounts requests, Context ctx, float millis) {
        @Nullable Endpoint endpoint = ctx.endpoints().matchedHttpEndpoint();
        requests.answered(
                ctx.method().name(),
                endpoint == null ? "none" : endpoint.path,
                ctx.statusCode(),
                Duration.ofNanos((long) (millis * 1e6)));
    }
}
