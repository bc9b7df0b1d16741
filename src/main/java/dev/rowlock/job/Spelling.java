package dev.rowlock.job;

import java.util.Arrays;

/** How far a word that nobody knows is from one that might have been meant. */
public final class Spelling {

    private Spelling() {}

    /** The number of letters to insert, remove or replace. Takes time in proportion to the product of both lengths. */
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
