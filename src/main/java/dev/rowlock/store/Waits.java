package dev.rowlock.store;

/** What {@code task.waits_for} says of a row that is out of the scan. */
final class Waits {

    private static final int LENGTH = 200;
    private static final String ERROR = "error: ";

    private Waits() {}

    /** Something is wrong with the row or its job, and a person has to look. One line of printable ASCII, so that it can always be stored. */
    static String error(String what) {
        String line = what.lines().findFirst().orElse("").replaceAll("[^ -~]", "?");
        String text = ERROR + line;
        return text.length() <= LENGTH ? text : text.substring(0, LENGTH);
    }

    static boolean isError(String waitsFor) {
        return waitsFor.startsWith(ERROR);
    }
}
