package dev.rowlock.schedule;

import java.util.Locale;

/**
 * User's text inside a message: in quotes, of a readable length, with nothing that a log or a terminal would act on.
 */
final class Quoted {

    private static final int MAX_LENGTH = 80;

    private Quoted() {}

    static String of(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        int at = 0;
        while (at < text.length() && quoted.length() <= MAX_LENGTH) {
            int c = text.codePointAt(at);
            if (c >= ' ' && c < 127) {
                quoted.append((char) c);
            } else if (Character.isLetterOrDigit(c)) {
                quoted.appendCodePoint(c);
            } else {
                quoted.append(String.format(Locale.ROOT, "<U+%04X>", c));
            }
            at += Character.charCount(c);
        }
        return quoted.append(at < text.length() ? "…\"" : "\"").toString();
    }
}
