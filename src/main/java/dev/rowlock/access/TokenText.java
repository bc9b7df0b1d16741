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
 * A token that Rowlock makes: {@code rowlock_ID_SECRET}. The id is public and finds its row; the secret has 256 random
 * bits, so that its bare SHA-256 is as good as any slow hash. The prefix lets scanners of repositories find leaks.
 *
 * @param text is shown once
 */
public record TokenText(String id, String text) {

    private static final Pattern FORM = Pattern.compile("rowlock_([a-z0-9]{12})_[A-Za-z0-9_-]{43}");
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int ID_LENGTH = 12;
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A new one. */
    public static TokenText make() {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < ID_LENGTH; i++) {
            id.append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
        }
        return withId(id.toString());
    }

    /** A new secret under an id that there is. */
    public static TokenText withId(String id) {
        return new TokenText(id, "rowlock_" + id + "_" + secret());
    }

    /** As the database keeps it. */
    public String hash() {
        return hash(text);
    }

    /** The public part of a token; null: Rowlock did not make it like this. */
    static @Nullable String idOf(String token) {
        Matcher form = FORM.matcher(token);
        return form.matches() ? form.group(1) : null;
    }

    /** SHA-256 of a text, in lower-case hex. */
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

    /** Never the token. */
    @Override
    public String toString() {
        return "TokenText[id=" + id + "]";
    }
}
