package dev.rowlock.report;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.field.Times;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.http.RequestMemory.MemoryShare;
import dev.rowlock.report.Forecasts.ForecastRequest;
import dev.rowlock.report.Forecasts.LoadForecast;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Route of {@code /forecast}: the load ahead. */
public record ForecastRoutes(Forecasts forecasts, RequestMemory memory) {

    private static final int MOST_HOURS = 7 * 24;
    private static final int MOST_HOURS_BY_MINUTE = 24;
    /** Memory of seconds and plans while an answer is made. */
    private static final long BYTES = 24L << 20;

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.GET,
                "/forecast",
                Permission.of(VIEWER, NAMED),
                Set.of("hours", "by", "namespace", "node"),
                this::forecast);
    }

    private void forecast(Context ctx, Parameters parameters) {
        ForecastParameters asked = new ForecastParameters();
        Parameters.all(
                () -> asked.hours = parameters.number("hours", 1, MOST_HOURS, 24),
                () -> asked.byMinute = "minute".equals(parameters.word("by", List.of("hour", "minute"))),
                () -> parameters.text("namespace"),
                () -> parameters.text("node"));
        if (asked.byMinute && asked.hours > MOST_HOURS_BY_MINUTE) {
            throw ApiProblem.of(
                    400, "hours", "must be at most " + MOST_HOURS_BY_MINUTE + " with by=minute, not " + asked.hours);
        }
        ForecastRequest question = new ForecastRequest(
                asked.hours,
                asked.byMinute ? Duration.ofMinutes(1) : Duration.ofHours(1),
                Callers.of(ctx).only(parameters.text("namespace")),
                parameters.text("node"));
        LoadForecast answer =
                forecasts.kept(question).orElseGet(() -> make(Callers.of(ctx).name(), question));
        Json.answer(ctx, 200, json(answer, asked.byMinute));
    }

    @SuppressWarnings("try") // the share is held, not used
    private LoadForecast make(String who, ForecastRequest question) {
        try (MemoryShare part = memory.take(who, BYTES)) {
            return forecasts.forecast(question);
        }
    }

    private static final class ForecastParameters {
        private int hours;
        private boolean byMinute;
    }

    private static ObjectNode json(LoadForecast answer, boolean byMinute) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("from", Times.text(answer.from())).put("until", Times.text(answer.until()));
        node.put("by", byMinute ? "minute" : "hour");
        node.put("jobs", answer.jobs());
        node.put("withoutDuration", answer.unmeasured());
        node.put("notUnderstood", answer.notUnderstood());
        node.putObject("frozen").put("held", answer.held()).put("skipped", answer.skippedByFreeze());
        ArrayNode buckets = node.putArray("buckets");
        answer.buckets().forEach(bucket -> {
            ObjectNode one = buckets.addObject();
            one.put("at", Times.text(bucket.at()));
            one.put("starts", bucket.starts()).put("skipped", bucket.skipped());
            one.putObject("running").put("p50", bucket.usual()).put("p95", bucket.slow());
        });
        ArrayNode hot = node.putArray("hotMinutes");
        answer.hot().forEach(minute -> {
            ObjectNode one = hot.addObject();
            one.put("at", Times.text(minute.at())).put("starts", minute.starts());
            one.put("jobs", minute.jobs());
            ArrayNode named = one.putArray("mostStarts");
            minute.named()
                    .forEach(job -> named.addObject()
                            .put("namespace", job.job().namespace())
                            .put("job", job.job().name())
                            .put("starts", job.starts()));
        });
        node.put("hotMinutesComplete", answer.allNamed());
        return node;
    }
}
