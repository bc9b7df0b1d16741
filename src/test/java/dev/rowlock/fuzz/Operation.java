package dev.rowlock.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be asked of the server, as its contract tells it.
 *
 * @param path with the names of its parameters in braces
 * @param role that the caller needs; null: none
 * @param reach what the permission means for a caller that is limited to namespaces; null if it needs none
 * @param body its schema; null: it takes none
 * @param example of a body
 * @param statuses that it may answer with
 */
record Operation(
        String method,
        String path,
        @Nullable String role,
        @Nullable String reach,
        List<Parameter> parameters,
        @Nullable JsonNode body,
        @Nullable JsonNode example,
        Set<Integer> statuses) {

    /** @param in {@code path}, {@code query} or {@code header} */
    record Parameter(String name, String in, JsonNode schema) {}

    /** Whether it changes nothing. */
    boolean reads() {
        return method.equals("GET");
    }

    /** Whether its answer may go on for long. */
    boolean streams() {
        return path.endsWith("/events");
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
