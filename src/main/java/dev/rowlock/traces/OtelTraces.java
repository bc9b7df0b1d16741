package dev.rowlock.traces;

import dev.rowlock.definition.Outcome;
import dev.rowlock.field.Times;
import dev.rowlock.node.Executing;
import dev.rowlock.node.TaskTraces;
import dev.rowlock.task.Ending;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Trace for each task: one span from when it was to start to its end, and in it how long it waited and how long its
 * command ran. It is sent when the task has ended; what is not accepted soon enough is dropped.
 */
public final class OtelTraces implements TaskTraces {

    private static final String PATH = "/v1/traces";
    private static final int MOST_WAITING = 2_048;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final long LAST_SECONDS = 2;

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final Map<LaunchId, Live> live = new ConcurrentHashMap<>();

    /** @param whole from when it was to start to its end */
    private record Live(Span whole, Span run, Instant startedAt) {}

    private OtelTraces(SdkTracerProvider provider) {
        this.provider = provider;
        this.tracer = provider.get("rowlock");
    }

    /**
     * Creates traces that are sent over HTTP.
     *
     * @param endpoint of a collector, with or without the path for traces
     */
    public static OtelTraces to(String endpoint, String node, String version) {
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(url(endpoint))
                .setTimeout(PATIENCE)
                .setConnectTimeout(PATIENCE)
                .build();
        Resource resource = Resource.create(Attributes.of(
                AttributeKey.stringKey("service.name"), "rowlock",
                AttributeKey.stringKey("service.instance.id"), node,
                AttributeKey.stringKey("service.version"), version));
        return new OtelTraces(SdkTracerProvider.builder()
                .setResource(resource)
                .addSpanProcessor(BatchSpanProcessor.builder(new Delivery(exporter, endpoint))
                        .setMaxQueueSize(MOST_WAITING)
                        .setScheduleDelay(BETWEEN)
                        .setExporterTimeout(PATIENCE)
                        .build())
                .build());
    }

    static String url(String endpoint) {
        String base = endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
        return base.endsWith(PATH) ? base : base + PATH;
    }

    @Override
    public String started(Executing task, Instant now) {
        Task started = task.task();
        Instant asked = started.lateFrom().isBefore(now) ? started.lateFrom() : now;
        Span whole = tracer.spanBuilder(task.definition().key().toString())
                .setNoParent()
                .setSpanKind(SpanKind.INTERNAL)
                .setStartTimestamp(asked)
                .setAllAttributes(attributes(task))
                .startSpan();
        Span run = tracer.spanBuilder("run")
                .setParent(Context.root().with(whole))
                .setStartTimestamp(now)
                .startSpan();
        live.put(task.launch(), new Live(whole, run, now));
        SpanContext context = run.getSpanContext();
        return "00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                + context.getTraceFlags().asHex();
    }

    private static Attributes attributes(Executing task) {
        Task started = task.task();
        return Attributes.builder()
                .put("rowlock.job", task.definition().key().toString())
                .put("rowlock.task", started.id())
                .put("rowlock.launch", task.launch().text())
                .put("rowlock.attempt", (long) started.attempt())
                .put("rowlock.cause", started.cause().name())
                .put("rowlock.fire_time", Times.text(started.fireTime()))
                .build();
    }

    @Override
    public @Nullable String ended(Executing task, @Nullable Ending ending) {
        @Nullable Live ended = live.remove(task.launch());
        if (ended == null || ending == null) {
            return null; // a span that is not ended is never sent
        }
        Instant at = Objects.requireNonNullElse(ending.endedAt(), ended.startedAt);
        tracer.spanBuilder("wait")
                .setParent(Context.root().with(ended.whole))
                .setStartTimestamp(
                        task.task().lateFrom().isBefore(ended.startedAt)
                                ? task.task().lateFrom()
                                : ended.startedAt)
                .startSpan()
                .end(ended.startedAt);
        if (ending.exitCode() != null) {
            ended.run.setAttribute("rowlock.exit_code", (long) ending.exitCode());
        }
        ended.whole.setAttribute("rowlock.outcome", ending.outcome().name());
        if (ending.outcome() != Outcome.SUCCEEDED && ending.outcome() != Outcome.SKIPPED) {
            String reason =
                    Objects.requireNonNullElse(ending.reason(), ending.outcome().name());
            ended.run.setStatus(StatusCode.ERROR, reason);
            ended.whole.setStatus(StatusCode.ERROR, reason);
        }
        ended.run.end(at);
        ended.whole.end(at);
        return ended.whole.getSpanContext().getTraceId();
    }

    @Override
    public void close() {
        provider.shutdown().join(LAST_SECONDS, TimeUnit.SECONDS);
    }
}
