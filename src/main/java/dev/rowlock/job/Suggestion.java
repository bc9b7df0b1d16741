package dev.rowlock.job;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What somebody most likely meant who wrote something that is not known. */
final class Suggestion {

    private Suggestion() {}

    /** The end of a sentence; empty if nothing is near. */
    static String of(String text, List<String> known) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(k -> distance(wanted, k.toLowerCase(Locale.ROOT)) <= Math.max(1, Math.min(3, k.length() / 3)))
                .findFirst()
                .map(k -> "; did you mean '" + k + "'?")
                .orElse("");
    }

    /** Levenshtein's distance, of texts cut to 40 characters. */
    private static int distance(String left, String right) {
        String a = left.substring(0, Math.min(40, left.length()));
        String b = right.substring(0, Math.min(40, right.length()));
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
