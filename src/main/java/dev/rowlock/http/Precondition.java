package dev.rowlock.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.access.TokenText;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.http.Refused.Reason;
import java.util.Optional;
import java.util.Set;

/**
 * Condition under which a change is made.
 *
 * @param tags it must have one of these ETags; empty: any
 * @param existing it must exist
 * @param missing it must not exist
 */
public record Precondition(Set<String> tags, boolean existing, boolean missing) {

    public static final Precondition NONE = new Precondition(Set.of(), false, false);

    private static final int TAG_CHARS = 16;

    /** Returns the ETag of something without a version. */
    public static String tag(JsonNode definition) {
        return TokenText.hash(definition.toString()).substring(0, TAG_CHARS);
    }

    public void check(Optional<StoredJob> job) {
        check("the job", job.map(seen -> String.valueOf(seen.version())));
    }

    public void check(StoredJob job) {
        check(Optional.of(job));
    }

    /**
     * Checks the condition, under the lock of the change.
     *
     * @param what such as {@code the group}
     * @param tag empty: it does not exist
     * @throws Refused it does not hold
     */
    public void check(String what, Optional<String> tag) {
        if (tag.isEmpty() && (existing || !tags.isEmpty())) {
            throw new Refused(Reason.OTHER_VERSION, what + " does not exist, but If-Match asks for one that does");
        }
        if (tag.isPresent() && missing) {
            throw new Refused(Reason.OTHER_VERSION, what + " exists, but If-None-Match asks for one that does not");
        }
        if (tag.isPresent() && !tags.isEmpty() && !tags.contains(tag.get())) {
            throw new Refused(
                    Reason.OTHER_VERSION,
                    what + " is at version " + tag.get() + ", not at the one named in If-Match; read it again");
        }
    }
}
