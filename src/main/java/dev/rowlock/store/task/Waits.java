package dev.rowlock.store.task;

/** What {@code task.waits_for} says of a row that is out of the scan. */
public final class Waits {

    private static final int LENGTH = 200;
    private static final String ERROR = "error: ";

    private Waits() {}

    /** The database refuses what is to be written of the row; see {@link Asides}. One line of printable ASCII, so that it can always be stored. */
    static String error(String what) {
        String line = what.lines().findFirst().orElse("").replaceAll("[^ -~]", "?");
        String text = ERROR + line;
        return text.length() <= LENGTH ? text : text.substring(0, LENGTH);
    }

    /** What is wrong, of a text that {@link #error} made. */
    public static String problem(String waitsFor) {
        return isError(waitsFor) ? waitsFor.substring(ERROR.length()) : waitsFor;
    }

    public static boolean isError(String waitsFor) {
        return waitsFor.startsWith(ERROR);
    }
}
