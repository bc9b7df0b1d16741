package dev.rowlock.http;

import dev.rowlock.access.Caller;
import dev.rowlock.access.Permission;
import dev.rowlock.access.Reach;
import dev.rowlock.http.RequestMemory.MemoryShare;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Registration of endpoints, each with the permission that it requires and the query parameters that it knows. */
public final class Endpoints {

    /** Memory of a body as bytes, text, tree, definition and statement; many small values take the most. */
    private static final long BODY_IN_HEAP = 40;

    private final RoutesConfig routes;
    private final RequestMemory heap;
    private final long maxBody;
    private final RequestShares shares;
    private final List<Route> table = new ArrayList<>();
    private final Map<String, Set<String>> methods = new LinkedHashMap<>();

    /**
     * @param heap where bodies find their room
     * @param shares of those who ask
     */
    public Endpoints(RoutesConfig routes, RequestMemory heap, long maxBody, RequestShares shares) {
        this.routes = routes;
        this.heap = heap;
        this.maxBody = maxBody;
        this.shares = shares;
    }

    /**
     * Endpoint, and the permission that it requires.
     *
     * @param needs null: it answers anybody
     * @param parameters of its query
     */
    public record Route(
            String method, String path, @Nullable Permission needs, Set<String> parameters) {}

    /** Handler of a request whose query has no parameters but those of the endpoint. */
    @FunctionalInterface
    public interface ApiHandler {
        void handle(Context ctx, Parameters parameters) throws Exception;
    }

    /** Adds an API endpoint whose answer is small, or which reserves its own memory. */
    public void api(HandlerType method, String path, Permission needs, Set<String> parameters, ApiHandler handler) {
        api(method, path, needs, parameters, 0, handler);
    }

    /** @param bytes what it may take of the heap besides the body of the request */
    public void api(
            HandlerType method, String path, Permission needs, Set<String> parameters, long bytes, ApiHandler handler) {
        guarded(method, path, needs, parameters, ctx -> {
            Parameters sent = new Parameters(ctx);
            sent.allowOnly(parameters);
            MemoryShare part = share(ctx, bytes, maxBody);
            try {
                handler.handle(ctx, sent);
            } finally {
                part.close();
            }
        });
    }

    /** Adds an API endpoint without parameters that is open to anybody: its body must be small. */
    public void anybody(HandlerType method, String path, Handler handler) {
        String whole = "/api/v1" + path;
        table.add(new Route(method.name(), whole, null, Set.of()));
        add(method, whole, shares.ofStrangers(ctx -> {
            new Parameters(ctx).allowOnly(Set.of());
            handler.handle(ctx);
        }));
    }

    /** Handler with a share of the heap, which it may give back early. */
    @FunctionalInterface
    public interface LargeHandler {
        void handle(Context ctx, Parameters parameters, MemoryShare part) throws Exception;
    }

    /**
     * Adds an API endpoint without parameters whose body may be larger than others.
     *
     * @param bytes what it may take of the heap besides the body of the request
     */
    public void large(
            HandlerType method, String path, Permission needs, long bytes, long largestBody, LargeHandler handler) {
        large(method, path, needs, Set.of(), bytes, largestBody, handler);
    }

    /** Adds an API endpoint whose body may be larger than others. */
    public void large(
            HandlerType method,
            String path,
            Permission needs,
            Set<String> parameters,
            long bytes,
            long largestBody,
            LargeHandler handler) {
        guarded(method, path, needs, parameters, ctx -> {
            Parameters sent = new Parameters(ctx);
            sent.allowOnly(parameters);
            try (MemoryShare part = share(ctx, bytes, largestBody)) {
                handler.handle(ctx, sent, part);
            }
        });
    }

    /** Adds an endpoint outside of the API that needs no token. */
    public void open(String path, Handler handler) {
        open(path, Set.of(), handler);
    }

    /** @param parameters that it checks by itself */
    public void open(String path, Set<String> parameters, Handler handler) {
        table.add(new Route(HandlerType.GET.name(), path, null, parameters));
        add(HandlerType.GET, path, shares.ofStrangers(handler));
    }

    /** Adds an endpoint that is served apart from all others: its answer is small, and it waits for nothing. */
    public void health(String path, Handler handler) {
        table.add(new Route(HandlerType.GET.name(), path, null, Set.of()));
        add(HandlerType.GET, path, handler);
    }

    /** Returns every endpoint, in order of registration. */
    public List<Route> table() {
        return List.copyOf(table);
    }

    /** Adds an endpoint with all checks of the caller that need no data. */
    private void guarded(HandlerType method, String path, Permission needs, Set<String> parameters, Handler handler) {
        String whole = "/api/v1" + path;
        if ((needs.reach() == Reach.PATH) != path.contains("{ns}")) {
            throw new IllegalArgumentException(path + " has a namespace that is not checked, or none to check");
        }
        table.add(new Route(method.name(), whole, needs, parameters));
        add(method, whole, ctx -> {
            Caller caller = Callers.of(ctx);
            caller.require(needs);
            if (needs.reach() == Reach.PATH) {
                caller.requireNamespace(ctx.pathParam("ns"));
            }
            EntityTags.refuseIgnored(ctx, method, path);
            shares.ofCaller(ctx, caller, handler);
        });
    }

    /** Completes the registration: adds the answers to all other methods. Call last. */
    public void close() {
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

    /** Waits for the body first, so that nothing else is held for a slow client. */
    @SuppressWarnings("try") // the room is held, not used
    private MemoryShare share(Context ctx, long bytes, long largestBody) {
        String who = Callers.of(ctx).name();
        try (MemoryShare room = heap.takeForBody(who, RequestBody.yetToCome(ctx, largestBody))) {
            return heap.take(who, bytes + BODY_IN_HEAP * RequestBody.await(ctx, largestBody));
        }
    }

    private void add(HandlerType method, String path, Handler handler) {
        routes.addHttpHandler(method, path, handler);
        methods.computeIfAbsent(path, p -> new TreeSet<>()).add(method.name());
        if (method.equals(HandlerType.GET)) {
            add(HandlerType.HEAD, path, handler); // the server leaves the body out
        }
    }
}
