package dev.rowlock.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.field.Times;
import dev.rowlock.report.Overviews.Overview;
import dev.rowlock.report.Overviews.OverviewReading;
import dev.rowlock.report.count.ClusterHealth;
import dev.rowlock.report.count.ClusterHealth.Minute;
import dev.rowlock.report.count.ClusterHealth.Some;
import dev.rowlock.report.count.ClusterHealth.Verification;
import dev.rowlock.report.count.FinishPlans.DueFinish;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Answer of {@code /overview}. */
final class OverviewJson {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final List<Outcome> OUTCOMES = List.of(
            Outcome.SUCCEEDED,
            Outcome.FAILED,
            Outcome.TIMED_OUT,
            Outcome.KILLED,
            Outcome.LOST,
            Outcome.SKIPPED,
            Outcome.MISSED,
            Outcome.CANCELLED);

    private OverviewJson() {}

    static ObjectNode of(Overview answer) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        OverviewReading seen = answer.seen();
        node.put("at", seen == null ? null : Times.text(seen.health().databaseTime()));
        node.put("ageMs", seen == null ? null : answer.age().toMillis());
        node.set("database", database(answer));
        if (seen != null) {
            health(node, seen.health());
            node.set("nodes", nodes(seen.nodes()));
            Instant now = seen.health().databaseTime();
            node.set("lastHour", series(seen.health().minutes(), now.minus(MINUTE.multipliedBy(59)), now, MINUTE));
            node.set("lastDay", series(seen.health().minutes(), now.minus(HOUR.multipliedBy(23)), now, HOUR));
        }
        return node;
    }

    private static ObjectNode database(Overview answer) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        OverviewReading seen = answer.seen();
        node.put("state", answer.database().state().name());
        node.put("troubleMs", answer.database().trouble().toMillis());
        node.put("problem", answer.database().problem());
        node.put("version", seen == null ? null : seen.health().databaseVersion());
        return node.put("readMs", seen == null ? null : seen.took().toMillis());
    }

    private static void health(ObjectNode node, ClusterHealth health) {
        node.put("countedThrough", Times.text(health.countedThrough()));
        node.set("failing", some(health.failing(), (one, job) -> {
            named(one, job.job());
            one.setAll(ReportRoutes.now(job));
        }));
        node.set("late", some(health.late(), (one, task) -> {
            named(one.put("id", task.id()), task.job());
            one.put("fireTime", Times.text(task.fireTime())).put("dueAt", Times.text(task.dueAt()));
            one.put("state", task.state()).put("node", task.node());
        }));
        node.set("stuck", some(health.stuck(), (one, stuck) -> {
            named(one, stuck.job());
            one.put("hold", stuck.hold().name()).put("reason", stuck.reason());
            one.put("since", Times.text(stuck.since())).put("missed", stuck.missed());
        }));
        ObjectNode waiting = node.putObject("waiting");
        health.waiting()
                .forEach((hold, tasks) -> waiting.putObject(hold.name())
                        .put("tasks", tasks.tasks())
                        .put("more", tasks.more())
                        .put("example", tasks.example()));
        node.set("runningLong", some(health.longRunning(), (one, task) -> {
            named(one.put("id", task.id()), task.job());
            one.put("node", task.node()).put("startedAt", Times.text(task.startedAt()));
            one.put("runningMs", task.runningMillis()).put("p95Ms", task.p95());
        }));
        ArrayNode unfinished = node.putArray("unfinished");
        health.unfinished().forEach(due -> unfinished(unfinished.addObject(), due, health.databaseTime()));
        ArrayNode calendars = node.putArray("calendarsEnding");
        health.calendars()
                .forEach(calendar -> calendars
                        .addObject()
                        .put("name", calendar.name())
                        .put("knownUntil", calendar.knownUntil().toString()));
        Verification verification = health.verification();
        if (verification == null) {
            node.putNull("lastVerification");
        } else {
            node.putObject("lastVerification")
                    .put("at", Times.text(verification.at()))
                    .put("since", Times.orNull(verification.since()))
                    .put("until", Times.orNull(verification.until()))
                    .put("jobs", verification.jobs())
                    .put("wrongJobs", verification.wrong())
                    .put("fireTimes", verification.fireTimes());
        }
    }

    private static void unfinished(ObjectNode node, DueFinish due, Instant now) {
        named(node, due.key());
        node.put("fireTime", Times.text(due.fireTime())).put("finishBy", Times.text(due.finishBy()));
        node.put("marginMs", Duration.between(now, due.finishBy()).toMillis());
        node.put("expectedAt", Times.orNull(due.expected(now)))
                .put("reason", due.end().reason());
    }

    private static void named(ObjectNode node, JobKey job) {
        node.put("namespace", job.namespace()).put("job", job.name());
    }

    private static <T> ObjectNode some(Some<T> some, BiConsumer<ObjectNode, T> writer) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("count", some.count()).put("more", some.more());
        ArrayNode items = node.putArray("items");
        some.items().forEach(item -> writer.accept(items.addObject(), item));
        return node;
    }

    private static ArrayNode nodes(Cluster.Nodes nodes) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        nodes.sessions()
                .forEach(session -> array.addObject()
                        .put("node", session.session().node())
                        .put("state", session.session().state().name())
                        .put("capacity", session.session().capacity())
                        .put("prepared", session.session().prepared())
                        .put("executing", session.session().executing())
                        .put("heartbeatAt", Times.text(session.session().heartbeatAt())));
        Set<String> there = nodes.sessions().stream()
                .map(session -> session.session().node())
                .collect(Collectors.toSet());
        nodes.gone().stream()
                .filter(gone -> !there.contains(gone.node())) // an earlier life of a node that is there
                .forEach(gone -> array.addObject()
                        .put("node", gone.node())
                        .put("state", "GONE")
                        .put("since", Times.text(gone.goneAt()))
                        .put("reason", gone.reason()));
        return array;
    }

    /** Returns all buckets in sequence, also empty ones. */
    private static ArrayNode series(List<Minute> minutes, Instant first, Instant last, Duration width) {
        Map<Long, ObjectNode> buckets = new HashMap<>();
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        long step = width.toSeconds();
        for (long at = first.getEpochSecond() / step; at <= last.getEpochSecond() / step; at++) {
            ObjectNode bucket = array.addObject().put("at", Times.text(Instant.ofEpochSecond(at * step)));
            bucket.put("fires", 0L);
            OUTCOMES.forEach(outcome -> bucket.put(name(outcome), 0L));
            buckets.put(at, bucket);
        }
        for (Minute minute : minutes) {
            ObjectNode bucket = buckets.get(minute.at().getEpochSecond() / step);
            if (bucket != null) {
                bucket.put("fires", bucket.get("fires").asLong() + minute.fires());
                minute.outcomes()
                        .forEach((outcome, count) -> bucket.put(
                                name(outcome), bucket.get(name(outcome)).asLong() + count));
            }
        }
        return array;
    }

    /** Returns the field name, as in {@code timedOut}. */
    static String name(Outcome outcome) {
        return outcome == Outcome.TIMED_OUT ? "timedOut" : outcome.name().toLowerCase(Locale.ROOT);
    }
}
