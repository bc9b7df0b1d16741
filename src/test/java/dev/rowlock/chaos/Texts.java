package dev.rowlock.chaos;

import java.io.PrintWriter;
import java.io.StringWriter;

/** For people who read a report. */
final class Texts {

    private Texts() {}

    static String trace(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    static String seconds(long millis) {
        return String.format(java.util.Locale.ROOT, "%.2f s", millis / 1000.0);
    }
}
