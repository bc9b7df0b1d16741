package dev.rowlock.task;

import dev.rowlock.definition.Outcome;

/** Reason why an occurrence did not run: the word for it; the reason in its history row is a sentence. */
public enum NotRunReason {
    /** Another task of the job was in its way, and its policy lets it not wait, or no further one wait. */
    OVERLAP(Outcome.SKIPPED),
    /** A later occurrence went first: this was a retry, or waited to replace what runs. */
    SUPERSEDED(Outcome.SKIPPED),
    /** A freeze skipped it, or kept a later occurrence. */
    FREEZE(Outcome.SKIPPED),
    /** No node was alive in time. */
    MISFIRE(Outcome.MISSED),
    /** The occurrence waited for longer than it may. */
    DEADLINE(Outcome.MISSED),
    /** The occurrence waited for longer than it may for a node that its selector matches. */
    NO_NODE(Outcome.MISSED),
    /** The occurrence was the part of a node in a broadcast, and that node is gone. */
    NODE_GONE(Outcome.MISSED);

    private final Outcome outcome;

    NotRunReason(Outcome outcome) {
        this.outcome = outcome;
    }

    /** Returns {@code SKIPPED} or {@code MISSED}. */
    public Outcome outcome() {
        return outcome;
    }
}
