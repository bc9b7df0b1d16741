package dev.rowlock.job;

import java.util.List;
import java.util.Locale;

/** What somebody most likely meant who wrote something that is not known. */
final class Suggestion {

    /** So many letters of a word are compared. */
    private static final int MOST = 40;

    private Suggestion() {}

    /** The end of a sentence; empty if nothing is near. */
    static String of(String text, List<String> known) {
        String wanted = cut(text);
        return known.stream()
                .filter(k -> Spelling.distance(wanted, cut(k)) <= Math.max(1, Math.min(3, k.length() / 3)))
                .findFirst()
                .map(k -> "; did you mean '" + k + "'?")
                .orElse("");
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(MOST, text.length())).toLowerCase(Locale.ROOT);
    }
}
