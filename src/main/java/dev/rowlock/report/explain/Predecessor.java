package dev.rowlock.report.explain;

import dev.rowlock.task.TaskView;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Task of the same job that was in the way of another one while it waited itself. Its own wait is the cause that a
 * person looks for: "task 12 was still waiting to start" sends them on to task 12.
 */
record Predecessor(Attempt attempt) {

    /** Most of them that are followed: each of several in a queue may wait for the one before it. */
    private static final int FARTHEST = 3;

    /** Describes those in the way of a task, nearest first; blank if none is, or if it was executing. */
    static String text(Attempt of, LongFunction<Optional<Attempt>> tasks) {
        StringBuilder text = new StringBuilder();
        Optional<Predecessor> next = of(of, tasks);
        for (int i = 0; i < FARTHEST && next.isPresent(); i++) {
            text.append(' ').append(next.get().sentence());
            next = of(next.get().attempt, tasks);
        }
        return text.toString();
    }

    private static Optional<Predecessor> of(Attempt of, LongFunction<Optional<Attempt>> tasks) {
        return of.blockedBy()
                .flatMap(tasks::apply)
                .filter(other -> isBefore(other.task(), of.task()))
                .map(Predecessor::new);
    }

    /** Returns whether a task came before another one, and had not started when that one ended. */
    private static boolean isBefore(TaskView other, TaskView task) {
        @Nullable Instant started = other.startedAt();
        @Nullable Instant ended = task.endedAt();
        boolean wasWaiting = started == null || (ended != null && started.isAfter(ended));
        return wasWaiting && !other.fireTime().isAfter(task.fireTime());
    }

    private String sentence() {
        TaskView task = attempt.task();
        String which = "Task " + task.id() + ", which is in its way, ";
        String why = Objects.requireNonNullElse(attempt.waitedFor(), "what for is not known");
        if (task.startedAt() != null) {
            return "Task " + task.id() + ", which was in its way, waited until " + Texts.time(task.startedAt()) + ": "
                    + why + ".";
        }
        if (task.isEnded()) {
            return "Task " + task.id() + ", which was in its way, did not run either: " + TaskTimeline.outcome(task)
                    + ".";
        }
        if (task.hold() != null) {
            return which + "has been waiting"
                    + (task.queuedAt() == null ? "" : " since " + Texts.time(task.queuedAt())) + " (" + task.hold()
                    + "): " + why + ".";
        }
        return which + (task.dueAt() == null ? "is due" : "has been due since " + Texts.time(task.dueAt()))
                + ", and no node has started it.";
    }
}
