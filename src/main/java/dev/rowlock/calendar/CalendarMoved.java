package dev.rowlock.calendar;

/** Signal that a calendar was changed while a job was being saved by its version before: to be tried again. */
public final class CalendarMoved extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CalendarMoved(String name) {
        super("calendar " + name + " is being changed; try again", null, false, false);
    }
}
