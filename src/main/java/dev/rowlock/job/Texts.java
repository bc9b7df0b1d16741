package dev.rowlock.job;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What every text that is to be stored, or passed to a command, must satisfy. */
final class Texts {

    private Texts() {}

    /** What is wrong with a text; null if nothing is. */
    static @Nullable String problem(String text, int maxBytes) {
        if (text.indexOf('\0') >= 0) {
            return "must not contain a NUL character";
        }
        try {
            int bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(text))
                    .remaining();
            return bytes > maxBytes ? "must be at most " + maxBytes + " bytes long, not " + bytes : null;
        } catch (CharacterCodingException e) {
            return "is not well-formed Unicode: it has half of a surrogate pair";
        }
    }
}
