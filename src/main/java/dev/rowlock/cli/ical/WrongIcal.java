package dev.rowlock.cli.ical;

/** Refusal of a file that is no calendar; the message goes on from its name. */
public final class WrongIcal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongIcal(String message) {
        super(message);
    }
}
