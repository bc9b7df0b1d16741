package dev.rowlock.report.explain;

import dev.rowlock.report.explain.Explanation.AttemptFacts;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Origin;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.store.Trails.Trail;
import java.time.Instant;
import java.util.Comparator;
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

    long id() {
        return task.id();
    }

    Origin origin() {
        return task.origin();
    }

    boolean isPart() {
        return task.origin().isPart();
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
