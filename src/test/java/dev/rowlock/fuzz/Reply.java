package dev.rowlock.fuzz;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What came back.
 *
 * @param status 0: the connection was closed without an answer
 * @param headers by their names in lower case
 */
record Reply(int status, Map<String, List<String>> headers, String body, long nanos) {

    static final Reply NONE = new Reply(0, Map.of(), "", 0);

    /** Whether it has no end. */
    boolean goesOn() {
        return header("Content-Type").startsWith("text/event-stream");
    }

    /** The first of this name; empty if there is none. */
    public String header(String name) {
        return Objects.requireNonNull(
                headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of("")).get(0));
    }
}
