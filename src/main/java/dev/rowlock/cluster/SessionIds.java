package dev.rowlock.cluster;

import java.security.SecureRandom;

/** Generator of session ids, a fresh one for each time that a node joins. Thread-safe. */
public final class SessionIds {

    private static final char[] LETTERS = "abcdefghijkmnpqrstuvwxyz23456789".toCharArray();
    private static final int LENGTH = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SessionIds() {}

    public static String fresh() {
        StringBuilder id = new StringBuilder(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            id.append(LETTERS[RANDOM.nextInt(LETTERS.length)]);
        }
        return id.toString();
    }
}
