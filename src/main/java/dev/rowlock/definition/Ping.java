package dev.rowlock.definition;

import static dev.rowlock.field.Field.optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * URLs that an outside watchdog waits for; each may be null.
 *
 * @param start asked for when a run starts
 * @param success when it succeeded
 * @param failure when it ended otherwise; {@link #EXIT_CODE} in it stands for the exit code, or {@code fail}
 */
public record Ping(
        @Nullable String start,
        @Nullable String success,
        @Nullable String failure) {

    static final String EXIT_CODE = "{exitCode}";

    static final FieldTable<Ping> TABLE = new FieldTable<>(
            "ping",
            Ping.class,
            List.of(
                    optional("start", AlertFieldTypes.url(), null, "asked for when a run starts"),
                    optional("success", AlertFieldTypes.url(), null, "when it succeeded"),
                    optional(
                            "failure",
                            AlertFieldTypes.url(),
                            null,
                            "when it did not; `" + EXIT_CODE + "` in it is the exit code, or `fail`")),
            List.of());

    /** Reads the stored pings of a job. */
    public static Ping stored(ObjectNode stored) {
        return TABLE.read(stored, new Place("", new ArrayList<>()));
    }

    boolean isNone() {
        return start == null && success == null && failure == null;
    }

    /** Returns the URL to tell how a run ended; null: none. */
    public @Nullable String ended(Outcome outcome, @Nullable Integer exitCode) {
        String url = outcome == Outcome.SUCCEEDED || outcome == Outcome.SKIPPED ? success : failure;
        return url == null ? null : url.replace(EXIT_CODE, exitCode == null ? "fail" : String.valueOf(exitCode));
    }
}
