package dev.rowlock.report.explain;

import dev.rowlock.report.explain.Explanation.AttemptFacts;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Origin;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.store.Trails.Trail;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Task, with what is recorded of it beyond what people see.
 *
 * @param trail null: it went while this was read
 */
record Attempt(TaskView task, @Nullable Trail trail) {

    /** Order in which attempts follow each other. */
    static final Comparator<Attempt> ORDER = Comparator.<Attempt, Instant>comparing(a -> a.task.fireTime())
            .thenComparing(a -> a.task.origin().text())
            .thenComparing(a -> a.task.attempt())
            .thenComparing(a -> a.task.id());

    /** Task that a reason names. */
    private static final Pattern TASK = Pattern.compile("\\btask ([0-9]{1,18})\\b");

    long id() {
        return task.id();
    }

    Origin origin() {
        return task.origin();
    }

    boolean isPart() {
        return task.origin().isPart();
    }

    /** Returns whether it is about a fire time of the schedule, on one node or as a broadcast. */
    boolean isOfFireTime() {
        return origin().hasFireTime() && !isPart();
    }

    /** Returns whether it ended without having run. */
    boolean cameToNothing() {
        return task.isEnded() && task.startedAt() == null && !isExpanded();
    }

    boolean isExpanded() {
        return "EXPANDED".equals(task.outcome());
    }

    boolean isLost() {
        return "LOST".equals(task.outcome());
    }

    boolean isAgain() {
        return task.cause().equals(Cause.RETRY.name()) || task.cause().equals(Cause.RECOVERY.name());
    }

    /** Returns since when the task is late if it was started, otherwise when it was due last. */
    @Nullable
    Instant dueSince() {
        @Nullable Instant started = task.startedAt();
        @Nullable Long late = task.latenessMs();
        return started != null && late != null ? started.minusMillis(late) : task.dueAt();
    }

    /** Returns the node that prepared the task; null if none has, or if that is not known. */
    @Nullable
    String preparedBy() {
        if (trail == null || trail.preparedAt() == null) {
            return null;
        }
        return trail.takenFrom() == null ? task.node() : trail.takenNode();
    }

    boolean wasTakenOver() {
        return trail != null && trail.takenFrom() != null && task.startedAt() != null;
    }

    /** Returns the session that prepared the task, if another one started it. */
    @Nullable
    String takenFromSession() {
        @Nullable String launch = trail == null ? null : trail.takenFrom();
        return launch == null ? null : launch.replaceFirst("-[0-9]+$", "");
    }

    /** Returns the policy that held the task, and why; null if none did, or if that is not known. */
    @Nullable
    String waitedFor() {
        if (task.hold() != null && task.holdReason() != null) {
            return task.holdReason();
        }
        @Nullable String text = trail == null ? null : trail.waitedFor();
        return text == null ? null : text.replaceFirst("^[a-z]+: ", "");
    }

    /** Returns the task of the same job for which this one did not start; empty: there is none, or it is not known. */
    Optional<Long> blockedBy() {
        if (task.startedAt() != null) {
            return Optional.empty();
        }
        if (task.supersededBy() != null) {
            return Optional.of(task.supersededBy());
        }
        boolean isQueued = Hold.OVERLAP.name().equals(task.hold())
                || (trail != null
                        && trail.waitedFor() != null
                        && trail.waitedFor().startsWith("overlap"));
        Matcher named = TASK.matcher(isQueued ? Objects.requireNonNullElse(waitedFor(), "") : "");
        return named.find() ? Optional.of(Long.valueOf(named.group(1))) : Optional.empty();
    }

    boolean waitedForGroup() {
        return trail != null && trail.waitedFor() != null && trail.waitedFor().startsWith("group");
    }

    AttemptFacts facts() {
        return new AttemptFacts(
                task.id(),
                task.attempt(),
                task.cause(),
                task.origin(),
                task.state(),
                task.outcome(),
                task.reason() == null ? null : task.isEnded() ? task.reason() : task.holdReason(),
                task.hold(),
                task.fireTime(),
                task.lastFireTime(),
                task.occurrences(),
                task.dueAt(),
                task.queuedAt(),
                waitedFor(),
                trail == null ? null : trail.preparedAt(),
                preparedBy(),
                wasTakenOver() ? preparedBy() : null,
                task.startedAt(),
                task.node(),
                task.endedAt(),
                task.durationMs(),
                task.supersededBy(),
                task.replacedBy());
    }
}
