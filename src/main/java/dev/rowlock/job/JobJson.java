package dev.rowlock.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.Times;
import dev.rowlock.http.Json;
import dev.rowlock.task.JobFacts;
import dev.rowlock.task.JobFacts.SetAside;
import dev.rowlock.task.request.TaskJson;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs as the API shows them. */
public final class JobJson {

    /** Fields of its last task that a job shows. */
    private static final List<String> BRIEF = List.of(
            "id",
            "fireTime",
            "attempt",
            "cause",
            "state",
            "outcome",
            "reason",
            "node",
            "startedAt",
            "endedAt",
            "durationMs",
            "exitCode");

    private JobJson() {}

    public static ObjectNode job(JobView view) {
        JobFacts facts = view.facts();
        ObjectNode node = view.job().stored().json();
        node.put("state", facts.state());
        node.set("hold", hold(view));
        node.put("pausedUntil", Times.orNull(view.job().pause().until()));
        node.put("pauseReason", view.job().pause().reason());
        node.put("nextFireTime", Times.orNull(facts.nextFireTime()));
        node.put("nextFireTimeLocal", localFireTime(view));
        node.set(
                "lastTask",
                facts.lastTask().map(t -> TaskJson.of(t).retain(BRIEF)).orElse(null));
        node.set("skippedSince", Json.tree(facts.skippedSince().orElse(null)));
        node.set("streak", Json.tree(facts.streak()));
        if (facts.recent() != null) {
            node.set("recent", Json.tree(facts.recent()));
        }
        if (!facts.warnings().isEmpty()) {
            node.set("warnings", Json.tree(facts.warnings()));
        }
        node.put("version", view.job().version());
        node.put("createdAt", Times.text(view.job().createdAt()));
        return node.put("updatedAt", Times.text(view.job().updatedAt()));
    }

    /** Returns the next fire time in the schedule's zone; null if there is none. */
    private static @Nullable String localFireTime(JobView view) {
        Instant next = view.facts().nextFireTime();
        return next == null
                ? null
                : view.job()
                        .stored()
                        .schedule(view.job().createdAt())
                        .map(schedule -> Times.local(next, schedule.zoneAt(next)))
                        .orElse(null);
    }

    /** Returns why the job is held although nobody paused it; null if it is not. */
    private static @Nullable ObjectNode hold(JobView view) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        SetAside setAside = view.facts().setAside();
        if (!view.job().stored().isUnderstood()) {
            return node.put("kind", "NOT_UNDERSTOOD")
                    .put(
                            "reason",
                            "this node does not understand the definition and leaves the job to nodes that do: "
                                    + view.job().stored().problem());
        }
        if (setAside != null) {
            return node.put("kind", "SET_ASIDE")
                    .put("reason", setAside.why())
                    .put("tasks", setAside.tasks())
                    .put("nextTryAt", Times.orNull(setAside.lookAt()));
        }
        String noNode = view.facts().noNode();
        if (noNode != null) {
            return node.put("kind", "NODE").put("reason", noNode);
        }
        String frozen = view.facts().frozen();
        return frozen == null ? null : node.put("kind", "FREEZE").put("reason", frozen);
    }
}
