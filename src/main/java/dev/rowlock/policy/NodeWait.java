package dev.rowlock.policy;

import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a task that is due on a node that may not run it.
 *
 * @param reason why it waits, or does not run, for people
 * @param until when it waits no more
 */
public record NodeWait(Kind kind, String reason, Instant until) {

    private static final int NAMED = 5;

    /** What may become of it. */
    public enum Kind {
        /** It is given back: another node may run it. */
        RELEASE,
        /** No node may: it waits for one. */
        HOLD,
        /** It has waited for as long as it may, and ends as {@code MISSED}. */
        MISS
    }

    /**
     * A task as it is found under the lock.
     *
     * @param since when it began to wait for a node; null: it does not yet
     * @param startDeadline how late after its fire time it may start; null: it waits for {@code threshold}
     */
    public record Facts(
            Selector selector,
            Instant fireTime,
            @Nullable Instant since,
            Instant now,
            @Nullable Duration startDeadline,
            Duration threshold) {

        private Instant until() {
            if (startDeadline != null) {
                return fireTime.plus(startDeadline);
            }
            return (since == null ? now : since).plus(threshold);
        }

        private String limit() {
            return startDeadline != null
                    ? "within " + Durations.format(startDeadline) + " after its fire time (startDeadline)"
                    : "for " + Durations.format(threshold) + " (misfire.threshold, as there is no startDeadline)";
        }
    }

    /** @param nodes those that are alive */
    public static NodeWait of(Facts task, List<Placement.Node> nodes) {
        Instant until = task.until();
        if (nodes.stream().anyMatch(node -> node.takes(task.selector))) {
            return new NodeWait(Kind.RELEASE, "", until);
        }
        String what = "no node that takes work" + (task.selector.isAny() ? "" : " matches " + task.selector);
        String alive = "; alive: " + names(nodes);
        return task.now.isBefore(until)
                ? new NodeWait(Kind.HOLD, what + alive, until)
                : new NodeWait(Kind.MISS, what.replace(" matches ", " matched ") + " " + task.limit() + alive, until);
    }

    private static String names(List<Placement.Node> nodes) {
        String named = nodes.stream()
                .limit(NAMED)
                .map(node -> node.name() + (node.takesWork() ? "" : " (drained or stopping)"))
                .collect(Collectors.joining(", "));
        return nodes.size() > NAMED ? named + " and " + (nodes.size() - NAMED) + " more" : named;
    }
}
