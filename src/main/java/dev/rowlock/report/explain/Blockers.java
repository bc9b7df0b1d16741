package dev.rowlock.report.explain;

import dev.rowlock.definition.Group;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.report.explain.Explanation.PauseFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Obstacles that would keep a future occurrence from running, if nothing changed until then.
 *
 * @param pause null: the job is not paused
 * @param noNode why no node could run it
 * @param group the job's; null: it is in none, or there is no such group
 */
record Blockers(
        @Nullable PauseFacts pause,
        Optional<String> noNode,
        @Nullable Group group) {

    /** Returns the remark that the job is paused, which precedes any fire time. */
    Optional<String> paused(Evidence found) {
        if (pause == null || pause.resumedAt() != null) {
            return Optional.empty();
        }
        @Nullable Instant until = pause.until();
        return Optional.of(found.key() + " has been paused since " + Texts.time(pause.since()) + reason(pause)
                + (until == null
                        ? ": nothing of its schedule runs until it is resumed."
                        : ": nothing of its schedule runs before " + Texts.time(until) + "."));
    }

    /** Returns whether the pause, if any, will have ended by itself by then. */
    boolean isOverBy(Instant at) {
        return pause == null || (pause.until() != null && pause.until().isBefore(at));
    }

    List<String> sentences(Evidence found) {
        List<String> sentences = new ArrayList<>();
        noNode.ifPresent(why -> sentences.add("As things stand, it would wait: " + why + "."));
        @Nullable String name = found.definition().map(JobDefinition::group).orElse(null);
        if (name != null && group == null) {
            sentences.add("As things stand, it would wait: there is no group " + name + ".");
        } else if (group != null && group.limit() == 0) {
            sentences.add("As things stand, it would wait: group " + name + " is stopped (limit 0).");
        }
        return sentences;
    }

    /** Returns how full the group is. */
    Optional<String> groupNow() {
        if (group == null) {
            return Optional.empty();
        }
        return Optional.of(
                group.limit() == 0
                        ? "Group " + group.name() + " is stopped (limit 0)."
                        : "Group " + group.name() + " executes " + group.executing() + " of at most " + group.limit()
                                + (group.limit() == 1 ? " task." : " tasks."));
    }

    static String reason(@Nullable PauseFacts pause) {
        return pause == null || pause.reason() == null ? "" : " (" + pause.reason() + ")";
    }
}
