package dev.rowlock.task.request;

import dev.rowlock.access.OnBehalf;
import dev.rowlock.access.TokenText;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Key under which a caller may repeat a request, as it is stored. Other callers may use the same key for requests of
 * theirs.
 *
 * @param key hash of the caller and the {@code Idempotency-Key}
 * @param body hash of what the request asks for
 */
public record RequestKey(String key, String body) {

    private static final int BODY_CHARS = 32;

    /** @param sent the header; null: the request cannot be repeated */
    public static @Nullable RequestKey of(OnBehalf asker, @Nullable String sent, Object... asked) {
        if (sent == null) {
            return null;
        }
        String who = asker.caller() == null ? "" : asker.caller().name();
        return new RequestKey(
                TokenText.hash(who + "\n" + sent),
                TokenText.hash(List.of(asked).toString()).substring(0, BODY_CHARS));
    }

    /** @throws InvalidDefinition the key was used for a request that asked for something else */
    public void requireBody(String known) {
        if (!known.equals(body)) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "Idempotency-Key",
                    "was sent with a request that asked for something else; send another key with this one")));
        }
    }
}
