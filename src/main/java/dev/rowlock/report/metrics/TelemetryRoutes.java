package dev.rowlock.report.metrics;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Admission;
import dev.rowlock.access.Permission;
import dev.rowlock.access.Reach;
import dev.rowlock.access.Role;
import dev.rowlock.access.Shares;
import dev.rowlock.http.Answers;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Bearer;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.RequestCounts;
import dev.rowlock.report.metrics.MetricsPage.MetricsText;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of a node's telemetry: its metrics and its version. */
public final class TelemetryRoutes {

    /** Number of answers at once: each is built afresh, of some hundred kilobytes. */
    private static final int AT_ONCE = 4;

    private final Telemetry telemetry;
    private final Admission tokens;
    private final Shares scrapes = new Shares("readers of metrics", AT_ONCE);

    public TelemetryRoutes(Telemetry telemetry, Admission tokens) {
        this.telemetry = telemetry;
        this.tokens = tokens;
    }

    public void register(Endpoints endpoints) {
        endpoints.open("/metrics", this::metrics);
        endpoints.api(
                HandlerType.GET,
                "/version",
                Permission.of(Role.VIEWER, Reach.NONE),
                Set.of(),
                (ctx, parameters) -> version(ctx));
    }

    @SuppressWarnings("try") // the share is held, not used
    private void metrics(Context ctx) {
        if (!mayReadMetrics(ctx)) {
            throw new ApiProblem(
                    401, telemetry.refusal(), Map.of("WWW-Authenticate", "Bearer realm=\"rowlock metrics\""));
        }
        try (Shares.Share share = scrapes.take(Shares.ofAddress(ctx.req().getRemoteAddr()))) {
            MetricsText page = telemetry.metrics().page(ctx.header("Accept"));
            ctx.contentType(page.contentType());
            Answers.whole(ctx, page.text());
        }
    }

    /** Returns whether the sender may read metrics. The metrics token is checked first, as that needs no database. */
    private boolean mayReadMetrics(Context ctx) {
        @Nullable String token = Bearer.token(ctx);
        return telemetry.mayRead().test(token) || (token != null && isOfApi(token, ctx));
    }

    private boolean isOfApi(String token, Context ctx) {
        return tokens.find(token, ctx.req().getRemoteAddr())
                .filter(grant -> grant.namespaces().isEmpty())
                .isPresent();
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
    public static void note(RequestCounts requests, Context ctx, float millis) {
        @Nullable Endpoint endpoint = ctx.endpoints().matchedHttpEndpoint();
        requests.answered(
                ctx.method().name(),
                endpoint == null ? "none" : endpoint.path,
                ctx.statusCode(),
                Duration.ofNanos((long) (millis * 1e6)));
    }
}
