package dev.rowlock.engine.schedule;

import java.util.Optional;
import java.util.stream.Stream;

/** What does not go on though the node takes work: tasks that it leaves to others, and those that the cluster has set aside. */
public final class TaskProblems {

    private final NotUnderstood notUnderstood;
    private final Reconsidering reconsidering;

    public TaskProblems(NotUnderstood notUnderstood, Reconsidering reconsidering) {
        this.notUnderstood = notUnderstood;
        this.reconsidering = reconsidering;
    }

    public Optional<String> text() {
        return Stream.of(notUnderstood.problem(), reconsidering.problem())
                .flatMap(Optional::stream)
                .reduce((one, other) -> one + ". Also: " + other);
    }
}
