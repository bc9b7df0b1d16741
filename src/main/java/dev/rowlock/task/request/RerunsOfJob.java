package dev.rowlock.task.request;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Overrides;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.task.Origin;
import dev.rowlock.task.request.Reruns.CreatedRerun;
import dev.rowlock.task.request.Reruns.JobReruns;
import dev.rowlock.task.request.Reruns.LeftOut;
import dev.rowlock.task.rerun.RerunTasks;
import dev.rowlock.task.rule.RerunDecision;
import dev.rowlock.task.rule.RerunDecision.Original;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reruns of one job, decided again under its stripe row: another request may have come first.
 *
 * @param key under which the request remembers what it made; null: it need not
 * @param commands whether runs may be made with a command or variables of their own
 */
record RerunsOfJob(@Nullable String key, List<Long> originals, boolean commands) {

    static final String NOT_ALLOWED = "it ran with a command or variables of its own: that needs the role editor";

    /** Makes the reruns under the job's stripe row. */
    JobReruns carryOut(JobChange change) {
        RerunTasks tasks = change.reruns();
        Map<Long, Long> before = key == null ? Map.of() : tasks.made(key);
        Map<Long, String> overrides = tasks.overrides(originals);
        List<CreatedRerun> made = new ArrayList<>();
        List<LeftOut> leftOut = new ArrayList<>();
        ArrayNode again = JsonNodeFactory.instance.arrayNode();
        for (Original original : tasks.originals(originals)) {
            Optional<String> why = RerunDecision.leftOut(original);
            Long known = before.get(original.id());
            if (known != null) {
                made.add(Reruns.made(original, known));
            } else if (why.isPresent()) {
                leftOut.add(Reruns.left(original, why.get()));
            } else {
                int soFar = made.size();
                make(change, original, overrides.get(original.id()), made, leftOut);
                if (made.size() > soFar) {
                    again.add(original.id());
                }
            }
        }
        if (!again.isEmpty()) {
            change.note("job", JsonNodeFactory.instance.objectNode().set("runAgain", again));
        }
        return new JobReruns(
                made,
                leftOut,
                made.isEmpty()
                        ? null
                        : change.freeze().map(freeze -> freeze.last().said()).orElse(null));
    }

    private void make(
            JobChange change,
            Original original,
            @Nullable String asked,
            List<CreatedRerun> made,
            List<LeftOut> leftOut) {
        JobDefinition job = change.job().definition();
        boolean part = job.broadcast() && original.origin().isPart();
        String node = part ? original.origin().node() : null;
        Overrides overrides;
        try {
            overrides = on(node, Overrides.read(asked));
            overrides.check(job);
        } catch (InvalidDefinition | IllegalStateException e) {
            leftOut.add(Reruns.left(
                    original, "what was asked for in that run does not go with the job: " + e.getMessage()));
            return;
        }
        if (!commands && overrides.changesWhatRuns()) {
            leftOut.add(Reruns.left(original, NOT_ALLOWED));
            return;
        }
        Origin origin = node == null ? Origin.again(original.id()) : Origin.partAgain(node, original.id());
        long id = change.reruns().insert(original, origin, overrides);
        if (key != null) {
            change.reruns().remember(key, original.id(), id);
        }
        made.add(Reruns.made(original, id));
    }

    /** Returns the overrides of a rerun: a part of a broadcast runs again where it ran. */
    private static Overrides on(@Nullable String node, Overrides asked) {
        return node == null ? asked : new Overrides(asked.command(), asked.env(), node, asked.overlap());
    }
}
