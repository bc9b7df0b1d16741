package dev.rowlock.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Overlap;
import dev.rowlock.definition.Overrides;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.JobChange.RememberedRun;
import dev.rowlock.job.store.JobQueries.KnownNodes;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Origin;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.request.RequestKey;
import dev.rowlock.task.rule.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Manual run of a job.
 *
 * @param key the same key makes one task; null: there is none
 * @param nodes those that may be named
 */
record AskedRun(
        Origin origin, Overrides overrides, @Nullable RequestKey key, KnownNodes nodes) {

    /** Returns the key under which a requested run is stored. */
    static @Nullable RequestKey key(OnBehalf asker, @Nullable String sent, Overrides asked) {
        return RequestKey.of(
                asker,
                sent,
                String.valueOf(asked.command()),
                new TreeMap<>(asked.env()),
                String.valueOf(asked.node()),
                String.valueOf(asked.overlap()));
    }

    /** Creates the run under the job's stripe row. */
    Run carryOut(JobChange change) {
        Optional<RememberedRun> known = key == null ? Optional.empty() : change.remembered(key.key());
        if (key != null && known.isPresent()) {
            key.requireBody(known.get().body());
            return new Run(known.get().task(), List.of());
        }
        overrides.check(change.job().definition());
        List<String> warnings = new ArrayList<>(overlaps(change));
        if (overrides.node() != null) {
            checkNode(overrides.node(), change.job().definition()).ifPresent(warnings::add);
        }
        change.freeze()
                .ifPresent(freeze -> warnings.add("this run starts although the job is frozen: "
                        + freeze.last().said()));
        long id = change.tasks().insert(change.job().version(), change.now(), origin, Cause.MANUAL);
        if (!overrides.isEmpty()) {
            change.tasks().override(id, overrides);
        }
        if (key != null) {
            change.remember(key.key(), key.body(), id);
        }
        change.note("job", made(id));
        return new Run(id, List.copyOf(warnings));
    }

    private ObjectNode made(long id) {
        ObjectNode made = JsonNodeFactory.instance.objectNode().put("task", id);
        return overrides.isEmpty() ? made : made.set("overrides", Overrides.tree(overrides.text()));
    }

    /** Checks the node of a run; warns if it is known, but not alive. */
    private Optional<String> checkNode(String node, JobDefinition job) {
        if (nodes.live().containsKey(node)) {
            if (!Selector.parse(job.nodes()).matches(node, nodes.live().getOrDefault(node, Map.of()))) {
                throw new InvalidDefinition(List.of(new FieldProblem(
                        "node", "node " + node + " does not match '" + job.nodes() + "', the nodes of the job")));
            }
            return Optional.empty();
        }
        if (nodes.gone().contains(node)) {
            return Optional.of("node " + node + " is not there: this run waits for it, and is recorded as MISSED if it"
                    + " does not come in time");
        }
        throw new InvalidDefinition(List.of(new FieldProblem(
                "node",
                "'" + node + "' is not there; "
                        + (nodes.live().isEmpty()
                                ? "no node is there at all"
                                : "there are "
                                        + String.join(
                                                ", ", new TreeSet<>(nodes.live().keySet()))))));
    }

    private List<String> overlaps(JobChange change) {
        Overlap overlap =
                overrides.overlap() == null ? change.job().definition().overlap() : overrides.overlap();
        return change.tasks().live().stream()
                .filter(task -> task.state() == TaskState.EXECUTING)
                .flatMap(task -> overlap(task.id(), overlap).stream())
                .toList();
    }

    private static Optional<String> overlap(long executing, Overlap overlap) {
        String running = "the job is running (task " + executing + "): ";
        return switch (overlap) {
            case SKIP ->
                Optional.of(running + "this run will be recorded as SKIPPED unless that one ends at once; kill it"
                        + " first, or wait for its end");
            case QUEUE -> Optional.of(running + "this run waits until that one has ended");
            case REPLACE -> Optional.of(running + "that one is killed, and this run starts when it has ended");
            case ALLOW -> Optional.empty();
        };
    }
}
