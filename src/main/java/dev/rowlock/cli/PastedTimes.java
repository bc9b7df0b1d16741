package dev.rowlock.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Times as tables print them, {@code 2026-12-01 03:00:00 +01:00}, among the words of a command line. Whoever copies one
 * forgets the quotes: the shell makes three words of it, and an offset such as {@code -05:00} looks like an option.
 */
final class PastedTimes {

    private static final Pattern DAY = Pattern.compile("(?:--[a-z]+=)?[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern TIME = Pattern.compile("[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]{1,9})?)?");
    private static final Pattern OFFSET = Pattern.compile("[+-][0-9]{2}:[0-9]{2}");

    private PastedTimes() {}

    /** Returns the words with each such time as one of them. */
    static List<String> joined(List<String> words) {
        List<String> joined = new ArrayList<>();
        int at = 0;
        while (at < words.size()) {
            int length = length(words.subList(at, words.size()));
            joined.add(String.join(" ", words.subList(at, at + length)));
            at += length;
        }
        return joined;
    }

    /** Returns how many of the first words are one time; 1 if they are none. */
    private static int length(List<String> words) {
        if (words.size() < 2
                || !DAY.matcher(words.get(0)).matches()
                || !TIME.matcher(words.get(1)).matches()) {
            return 1;
        }
        return words.size() > 2 && OFFSET.matcher(words.get(2)).matches() ? 3 : 2;
    }
}
