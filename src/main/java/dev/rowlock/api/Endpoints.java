package dev.rowlock.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Adds endpoints to the server, each with the query parameters that it knows. */
final class Endpoints {

    private final RoutesConfig routes;
    private final Map<String, Set<String>> methods = new LinkedHashMap<>();

    Endpoints(RoutesConfig routes) {
        this.routes = routes;
    }

    /** An endpoint of the API. */
    void api(HandlerType method, String path, Set<String> parameters, Handler handler) {
        add(method, "/api/v1" + path, ctx -> {
            new Parameters(ctx).allowOnly(parameters);
            handler.handle(ctx);
        });
    }

    /** An endpoint outside of the API; it needs no token. */
    void open(String path, Handler handler) {
        add(HandlerType.GET, path, handler);
    }

    /** To be called last: what else may be asked of each path. */
    void close() {
        methods.forEach((path, known) -> {
            known.add("OPTIONS");
            String allow = String.join(", ", known);
            routes.options(path, ctx -> allow(ctx.status(204), allow));
            for (HandlerType other : HandlerType.commonHttp()) {
                if (!known.contains(other.name())) {
                    routes.addHttpHandler(other, path, ctx -> {
                        throw new ApiProblem(
                                405,
                                other.name() + " is not possible here, only " + allow,
                                List.of(),
                                Map.of("Allow", allow));
                    });
                }
            }
        });
    }

    private static void allow(Context ctx, String methods) {
        ctx.header("Allow", methods);
    }

    private void add(HandlerType method, String path, Handler handler) {
        routes.addHttpHandler(method, path, handler);
        methods.computeIfAbsent(path, p -> new TreeSet<>()).add(method.name());
        if (method.equals(HandlerType.GET)) {
            add(HandlerType.HEAD, path, handler); // the server leaves the body out
        }
    }
}
