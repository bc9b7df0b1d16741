package dev.rowlock.job;

/** Why an occurrence did not run: the word for it, where the reason in its row of history is a sentence. */
public enum NotRunReason {
    /** Another task of the job was in its way, and its policy lets it not wait, or no further one wait. */
    OVERLAP(Outcome.SKIPPED),
    /** A later occurrence went first: it was a retry, or waited to replace what runs. */
    SUPERSEDED(Outcome.SKIPPED),
    /** No node was there in time. */
    MISFIRE(Outcome.MISSED),
    /** It waited for longer than it may. */
    DEADLINE(Outcome.MISSED),
    /** Likewise, for a node that its selector matches. */
    NO_NODE(Outcome.MISSED),
    /** It was the part that a node has in a broadcast, and that node is gone. */
    NODE_GONE(Outcome.MISSED);

    private final Outcome outcome;

    NotRunReason(Outcome outcome) {
        this.outcome = outcome;
    }

    /** {@code SKIPPED} or {@code MISSED}. */
    public Outcome outcome() {
        return outcome;
    }
}
