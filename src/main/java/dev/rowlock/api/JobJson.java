package dev.rowlock.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.control.JobView;
import dev.rowlock.job.JobFacts;
import dev.rowlock.job.JobFacts.SetAside;
import dev.rowlock.job.TaskView;
import dev.rowlock.job.Times;
import org.jspecify.annotations.Nullable;

/** Jobs and tasks as the API shows them. */
final class JobJson {

    private JobJson() {}

    static ObjectNode job(JobView view) {
        ObjectNode node = view.job().stored().json();
        node.put("state", view.facts().state());
        node.set("hold", hold(view));
        node.put("nextFireTime", Times.orNull(view.facts().nextFireTime()));
        node.set("lastTask", view.facts().lastTask().map(JobJson::brief).orElse(null));
        node.set(
                "skippedSince",
                view.facts().skippedSince().map(JobJson::skipped).orElse(null));
        node.put("version", view.job().version());
        node.put("createdAt", Times.text(view.job().createdAt()));
        node.put("updatedAt", Times.text(view.job().updatedAt()));
        return node;
    }

    /** Why the job does not go on although nobody paused it; null if it does. */
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
        return setAside == null
                ? null
                : node.put("kind", "SET_ASIDE")
                        .put("reason", setAside.why())
                        .put("tasks", setAside.tasks())
                        .put("nextTryAt", Times.orNull(setAside.lookAt()));
    }

    static ObjectNode task(TaskView t) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", t.id());
        node.put("namespace", t.job().namespace());
        node.put("job", t.job().name());
        node.put("jobVersion", t.jobVersion());
        node.put("fireTime", Times.text(t.fireTime()));
        node.put("dueAt", Times.orNull(t.dueAt()));
        node.put("origin", t.origin());
        node.put("attempt", t.attempt());
        node.put("cause", t.cause());
        node.put("state", t.state());
        node.put("outcome", t.outcome());
        node.put("reason", t.reason());
        node.put("node", t.node());
        node.put("session", t.session());
        node.put("launchId", t.launchId());
        node.put("startedAt", Times.orNull(t.startedAt()));
        node.put("endedAt", Times.orNull(t.endedAt()));
        node.put("latenessMs", t.latenessMs());
        node.put("durationMs", t.durationMs());
        node.put("exitCode", t.exitCode());
        node.put("signal", t.signal());
        node.put("occurrences", t.occurrences());
        node.put("lastFireTime", Times.text(t.lastFireTime()));
        node.put("outputBytes", t.outputBytes());
        return node;
    }

    private static ObjectNode skipped(JobFacts.Skipped skipped) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("count", skipped.count());
        node.put("exact", skipped.exact());
        node.put("outcome", skipped.outcome());
        node.put("reason", skipped.reason());
        node.put("lastFireTime", Times.text(skipped.lastFireTime()));
        return node;
    }

    private static ObjectNode brief(TaskView t) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", t.id());
        node.put("fireTime", Times.text(t.fireTime()));
        node.put("attempt", t.attempt());
        node.put("cause", t.cause());
        node.put("state", t.state());
        node.put("outcome", t.outcome());
        node.put("reason", t.reason());
        node.put("node", t.node());
        node.put("startedAt", Times.orNull(t.startedAt()));
        node.put("endedAt", Times.orNull(t.endedAt()));
        node.put("durationMs", t.durationMs());
        node.put("exitCode", t.exitCode());
        return node;
    }
}
