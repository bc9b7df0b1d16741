package dev.rowlock.secret;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Value of a secret. It has no text of its own, so that it cannot slip into a log or a message. */
public final class SecretValue {

    /** Minimum length: a shorter value could not be masked, as it would be found in all kinds of output. */
    public static final int MIN_CHARS = 4;

    public static final int MAX_BYTES = 64 * 1024;

    private final String text;

    private SecretValue(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException with its {@link #problem} */
    public static SecretValue of(String text) {
        problem(text).ifPresent(problem -> {
            throw new IllegalArgumentException("a secret " + problem);
        });
        return new SecretValue(text);
    }

    /** Returns what is wrong with a text as a secret, to end a sentence with; never the text itself. */
    public static Optional<String> problem(String text) {
        if (text.codePointCount(0, text.length()) < MIN_CHARS) {
            return Optional.of("must have at least " + MIN_CHARS
                    + " characters: a shorter one could not be masked in the output of commands");
        }
        if (text.indexOf('\0') >= 0) {
            return Optional.of("must not contain a NUL character: no variable of the environment can hold it");
        }
        try {
            int bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(text))
                    .remaining();
            return bytes > MAX_BYTES
                    ? Optional.of("must be at most " + MAX_BYTES + " bytes long, not " + bytes)
                    : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.of("must be well-formed Unicode; it has half of a surrogate pair");
        }
    }

    /** Returns the text for the environment of a command, and for masking; for nothing else. */
    public String reveal() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretValue value && value.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return Masks.MASK;
    }
}
