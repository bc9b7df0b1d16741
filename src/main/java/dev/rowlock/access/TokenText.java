package dev.rowlock.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Token made by Rowlock: {@code rowlock_ID_SECRET}. The id is public and finds its row; the secret has 256 random bits,
 * so its bare SHA-256 is as good as any slow hash. The prefix lets repository scanners find leaks.
 *
 * @param text is shown once
 */
public record TokenText(String id, String text) {

    private static final Pattern FORM = Pattern.compile("rowlock_([a-z0-9]{12})_[A-Za-z0-9_-]{43}");
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int ID_LENGTH = 12;
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Creates a token with a new id. */
    public static TokenText make() {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < ID_LENGTH; i++) {
            id.append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
        }
        return withId(id.toString());
    }

    /** Creates a token with a new secret and an existing id. */
    public static TokenText withId(String id) {
        return new TokenText(id, "rowlock_" + id + "_" + secret());
    }

    /** Returns the hash stored in the database. */
    public String hash() {
        return hash(text);
    }

    /** Returns the public id of a token; null if the token does not have the form that Rowlock gives it. */
    static @Nullable String idOf(String token) {
        Matcher form = FORM.matcher(token);
        return form.matches() ? form.group(1) : null;
    }

    /** Returns the SHA-256 of a text, in lower-case hex. */
    public static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    static String secret() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "TokenText[id=" + id + "]";
    }
}
