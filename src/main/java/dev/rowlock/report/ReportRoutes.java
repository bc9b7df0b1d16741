package dev.rowlock.report;

import static dev.rowlock.access.Reach.CLUSTER;
import static dev.rowlock.access.Reach.PATH;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.definition.Outcome;
import dev.rowlock.field.Times;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.Parameters;
import dev.rowlock.report.Stats.StatsReport;
import dev.rowlock.report.count.DayStats;
import dev.rowlock.report.count.Histogram;
import dev.rowlock.report.count.JobStats;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /overview} and {@code /jobs/…/stats}: how the cluster and its jobs fare. */
public record ReportRoutes(Reports reports) {

    private static final int MOST_DAYS = 400;
    private static final List<Outcome> OUTCOMES = List.of(
            Outcome.SUCCEEDED,
            Outcome.FAILED,
            Outcome.TIMED_OUT,
            Outcome.KILLED,
            Outcome.LOST,
            Outcome.SKIPPED,
            Outcome.MISSED);

    public void register(Endpoints endpoints) {
        endpoints.api(
                HandlerType.GET,
                "/overview",
                Permission.of(VIEWER, CLUSTER),
                Set.of(),
                (ctx, parameters) -> Json.answer(
                        ctx, 200, OverviewJson.of(reports.overviews().overview())));
        endpoints.api(
                HandlerType.GET, "/jobs/{ns}/{name}/stats", Permission.of(VIEWER, PATH), Set.of("days"), this::stats);
    }

    private void stats(Context ctx, Parameters parameters) {
        StatsReport stats = reports.stats().of(parameters.job(), parameters.number("days", 1, MOST_DAYS, 30));
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("namespace", stats.job().namespace()).put("job", stats.job().name());
        node.put("countedThrough", Times.text(stats.countedThrough()));
        stats.now().ifPresentOrElse(now -> node.set("now", now(now)), () -> node.putNull("now"));
        node.set("total", day(stats.total()));
        ArrayNode days = node.putArray("days");
        stats.days().forEach(day -> days.add(day(day)));
        Json.answer(ctx, 200, node);
    }

    /** Returns how a job fares now. */
    static ObjectNode now(JobStats stats) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("result", stats.succeeded() ? "SUCCEEDED" : "FAILED").put("streak", stats.streak());
        node.put("since", Times.text(stats.streakSince()));
        node.put("lastTask", stats.lastTask())
                .put("lastOutcome", stats.lastOutcome().name());
        node.put("lastReason", stats.lastReason()).put("lastEndedAt", Times.text(stats.lastEnded()));
        node.putObject("durationMs").put("p50", stats.p50()).put("p95", stats.p95());
        return node;
    }

    private static ObjectNode day(DayStats day) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (day.day() != null) {
            node.put("day", day.day().toString());
        }
        node.put("runs", day.runs());
        long succeeded = day.of(Outcome.SUCCEEDED);
        node.put("successPercent", day.runs() == 0 ? null : Math.round(1000.0 * succeeded / day.runs()) / 10.0);
        for (Outcome outcome : OUTCOMES) {
            node.put(OverviewJson.name(outcome), day.of(outcome));
        }
        node.set("durationMs", spread(day.durations(), day.longest()));
        node.set("latenessMs", spread(day.latenesses(), day.latest()));
        return node;
    }

    private static ObjectNode spread(Histogram histogram, @Nullable Long max) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("p50", atMost(histogram.percentile(50), max));
        return node.put("p95", atMost(histogram.percentile(95), max)).put("max", max);
    }

    /** Caps an estimate at the maximum, as the middle of a bucket may lie above all that it holds. */
    private static @Nullable Long atMost(@Nullable Long value, @Nullable Long max) {
        return value == null || max == null ? value : Long.valueOf(Math.min(value, max));
    }
}
