package dev.rowlock.schedule;

/** Refusal of a schedule; the message names the field, the text, what is allowed, and where possible the remedy. */
public final class ScheduleProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ScheduleProblem(String message) {
        super(message);
    }
}
