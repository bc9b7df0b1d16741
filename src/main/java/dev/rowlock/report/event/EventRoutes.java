package dev.rowlock.report.event;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.Permission;
import dev.rowlock.access.Shares;
import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Answers;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.http.RequestMemory.MemoryShare;
import dev.rowlock.job.JobJson;
import dev.rowlock.job.JobView;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.request.TaskJson;
import dev.rowlock.task.request.TaskRoutes;
import dev.rowlock.task.request.Tasks;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Route of {@code /events}: changes as server-sent events. */
public record EventRoutes(EventHub hub, Tasks tasks, Shares streams, RequestMemory heap, LongSupplier nanoTime) {

    private static final String TYPE = "text/event-stream;charset=utf-8";
    /** Interval of signs of life: this server, and many a proxy, closes a connection that is silent for 30 s. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(10);
    /** Longest duration of a stream. Then the client reconnects, and its token is checked again. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private static final byte[] BEGIN = "retry: 2000\n\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] COMMENT = ": nothing happened\n\n".getBytes(StandardCharsets.UTF_8);
    /** Memory of the events that are sent to a client which reconnects. */
    private static final long LARGEST = 8 << 20;

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.GET,
                "/events",
                Permission.of(VIEWER, NAMED),
                Set.of("namespace", "job", "lastEventId"),
                this::stream);
    }

    @SuppressWarnings("try") // the share is held, not used
    private void stream(Context ctx, Parameters parameters) throws IOException {
        Parameters.all(
                () -> parameters.text("namespace"), () -> TaskRoutes.job(parameters), () -> seen(ctx, parameters));
        JobKey job = TaskRoutes.job(parameters);
        Event.Filter filter = filter(Callers.of(ctx), parameters, job);
        Optional<Instant> seen = seen(ctx, parameters);
        if (job != null) {
            TaskRoutes.requireKnown(tasks.by(Callers.of(ctx)), job);
        }
        ctx.contentType(TYPE);
        if (ctx.method().equals(HandlerType.HEAD)) {
            return;
        }
        try (Shares.Share share = streams.take(Shares.of(Callers.of(ctx)));
                EventHub.Listener listener = listen(Callers.of(ctx), filter, seen)) {
            ctx.header("X-Accel-Buffering", "no");
            ctx.res().flushBuffer();
            send(ctx, BEGIN);
            long endNanos = nanoTime.getAsLong() + LONGEST.toNanos();
            while (nanoTime.getAsLong() - endNanos < 0) {
                Optional<byte[]> next = listener.await(SIGN_OF_LIFE);
                if (next.isEmpty() || !Callers.isStillIn(ctx)) {
                    return;
                }
                send(ctx, next.get().length == 0 ? COMMENT : next.get());
            }
        }
    }

    private static Event.Filter filter(Caller caller, Parameters parameters, @Nullable JobKey job) {
        String namespace = job == null ? parameters.text("namespace") : job.namespace();
        if (namespace != null) {
            caller.requireNamespace(namespace);
        }
        return new Event.Filter(namespace, job == null ? null : job.name(), caller.namespaces());
    }

    @SuppressWarnings("try") // the share is held, not used
    private EventHub.Listener listen(Caller caller, Event.Filter filter, Optional<Instant> seen) {
        if (seen.isEmpty()) {
            return hub.listen(filter, null);
        }
        try (MemoryShare part = heap.take(caller.name(), LARGEST)) {
            return hub.listen(filter, seen.get());
        }
    }

    private static void send(Context ctx, byte[] bytes) throws IOException {
        Answers.more(ctx, bytes);
    }

    /**
     * Returns the last event that the client has seen. Browsers send it in a header when they reconnect; a parameter
     * may give it the first time, too.
     */
    private static Optional<Instant> seen(Context ctx, Parameters parameters) {
        String header = ctx.header("Last-Event-ID");
        String id = header == null || header.isEmpty() ? parameters.text("lastEventId") : header;
        if (id == null) {
            return Optional.empty();
        }
        Instant seen = Event.timeOf(id);
        if (seen == null) {
            String field = id.equals(header) ? "Last-Event-ID" : "lastEventId";
            throw ApiProblem.of(400, field, "is not the id of an event that this server gave out; leave it out");
        }
        return Optional.of(seen);
    }

    /** Returns an event as it is sent; JSON has no line breaks of its own. */
    public static byte[] text(Event event) {
        String text = "id: " + event.id() + "\nevent: " + event.name() + "\ndata: " + json(event.thing()) + "\n\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode json(Object thing) {
        if (thing instanceof TaskView task) {
            return TaskJson.of(task);
        }
        return thing instanceof JobView job ? JobJson.job(job) : Json.tree(thing);
    }
}
