package dev.rowlock.field;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Suggestion for an unknown word. */
public final class Suggestion {

    /** Most letters of a word that are compared. */
    private static final int MOST = 40;

    private Suggestion() {}

    /** Returns the end of a sentence; empty if no known word is near. */
    public static String of(String text, List<String> known) {
        String wanted = cut(text);
        return known.stream()
                .filter(k -> distance(wanted, cut(k)) <= Math.max(1, Math.min(3, k.length() / 3)))
                .findFirst()
                .map(k -> "; did you mean '" + k + "'?")
                .orElse("");
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(MOST, text.length())).toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the number of letters to insert, remove or replace. Takes time in proportion to the product of both
     * lengths.
     */
    public static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, j -> j);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
