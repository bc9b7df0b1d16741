package dev.rowlock.api;

import dev.rowlock.control.HeapShare;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Adds endpoints to the server, each with the query parameters that it knows. */
final class Endpoints {

    /** A body is in memory as bytes, text, tree, definition and statement; many small values take the most. */
    private static final long BODY_IN_HEAP = 40;

    private final RoutesConfig routes;
    private final HeapShare heap;
    private final long maxBody;
    private final Map<String, Set<String>> methods = new LinkedHashMap<>();

    /** @param heap where bodies find their room */
    Endpoints(RoutesConfig routes, HeapShare heap, long maxBody) {
        this.routes = routes;
        this.heap = heap;
        this.maxBody = maxBody;
    }

    /** Answers a request whose query has no parameter but those of the endpoint. */
    @FunctionalInterface
    interface ApiHandler {
        void handle(Context ctx, Parameters parameters) throws Exception;
    }

    /** An endpoint of the API whose answer is small, or which sees to its room in the heap itself. */
    void api(HandlerType method, String path, Set<String> parameters, ApiHandler handler) {
        api(method, path, parameters, 0, handler);
    }

    /** @param bytes what it may take of the heap besides the body of the request */
    void api(HandlerType method, String path, Set<String> parameters, long bytes, ApiHandler handler) {
        add(method, "/api/v1" + path, ctx -> {
            Parameters sent = new Parameters(ctx);
            sent.allowOnly(parameters);
            heap.with(bytes + BODY_IN_HEAP * body(ctx, maxBody), () -> handler.handle(ctx, sent));
        });
    }

    /** Answers a request with what it has of the heap, which it may give back. */
    @FunctionalInterface
    interface LargeHandler {
        void handle(Context ctx, Parameters parameters, HeapShare.Part part) throws Exception;
    }

    /**
     * An endpoint of the API without parameters, whose body may be larger than others.
     *
     * @param bytes what it may take of the heap besides the body of the request
     */
    void large(HandlerType method, String path, long bytes, long largestBody, LargeHandler handler) {
        add(method, "/api/v1" + path, ctx -> {
            Parameters sent = new Parameters(ctx);
            sent.allowOnly(Set.of());
            try (HeapShare.Part part = heap.take(bytes + BODY_IN_HEAP * body(ctx, largestBody))) {
                handler.handle(ctx, sent, part);
            }
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
            routes.options(path, ctx -> ctx.status(204).header("Allow", allow));
            for (HandlerType other : HandlerType.commonHttp()) {
                if (!known.contains(other.name())) {
                    routes.addHttpHandler(other, path, ctx -> {
                        String detail = other.name() + " is not possible here, only " + allow;
                        throw new ApiProblem(405, detail, Map.of("Allow", allow));
                    });
                }
            }
        });
    }

    /** How large the body may be. */
    private static long body(Context ctx, long maxBody) {
        long announced = ctx.req().getContentLengthLong();
        if (announced >= 0) {
            return Math.min(announced, maxBody);
        }
        return ctx.header("Transfer-Encoding") == null ? 0 : maxBody;
    }

    private void add(HandlerType method, String path, Handler handler) {
        routes.addHttpHandler(method, path, handler);
        methods.computeIfAbsent(path, p -> new TreeSet<>()).add(method.name());
        if (method.equals(HandlerType.GET)) {
            add(HandlerType.HEAD, path, handler); // the server leaves the body out
        }
    }
}
