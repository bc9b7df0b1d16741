package dev.rowlock.definition;

import static dev.rowlock.field.Field.optional;
import static dev.rowlock.field.Field.required;
import static dev.rowlock.field.FieldType.duration;
import static dev.rowlock.field.FieldType.flag;
import static dev.rowlock.field.FieldType.number;
import static dev.rowlock.field.FieldType.numbers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.Place;
import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Policy for trying failed occurrences of a job again.
 *
 * @param max how often one occurrence is
 * @param backoff the delay before the first retry; it doubles with each further one
 * @param maxBackoff the longest delay
 * @param onExitCodes which exit codes are worth a retry; null: all that are no success
 * @param onTimeout whether a timeout is
 */
public record Retry(
        int max,
        Duration backoff,
        Duration maxBackoff,
        @Nullable Set<Integer> onExitCodes,
        boolean onTimeout) {

    /** Default of {@code maxBackoff}. */
    private static final Duration LONGEST = Duration.ofHours(1);

    static final FieldTable<Retry> TABLE = new FieldTable<>(
            "retry",
            Retry.class,
            List.of(
                    required("max", number(1, 100), 1, "how often one occurrence is tried again"),
                    optional(
                            "backoff",
                            duration("1s", "1d"),
                            Duration.ofSeconds(30),
                            "the delay before the first retry"),
                    optional("maxBackoff", duration("1s", "7d"), LONGEST, "the longest delay"),
                    optional(
                            "onExitCodes", numbers(0, 255), null, "the exit codes worth a retry; `null`: all failures"),
                    optional("onTimeout", flag(), true, "whether a timeout is worth a retry")),
            List.of());

    /** Checks for what is acceptable by itself, but makes no sense. */
    void check(JobDefinition job, Place place) {
        if (maxBackoff.compareTo(backoff) < 0) {
            String usual =
                    maxBackoff.equals(LONGEST) ? "; it is " + Durations.format(LONGEST) + " if you leave it out" : "";
            place.field("maxBackoff").refuse("must not be shorter than backoff, " + Durations.format(backoff) + usual);
        }
        if (onExitCodes != null) {
            onExitCodes.stream()
                    .filter(job.successExitCodes()::contains)
                    .forEach(code -> place.field("onExitCodes")
                            .refuse(code + " means success, by successExitCodes: it is never tried again"));
            onExitCodes.stream()
                    .filter(job::declinesWith)
                    .forEach(code -> place.field("onExitCodes")
                            .refuse(code + " means that the run declined, by skipExitCodes: it is never tried again"));
        }
    }

    /** Returns the JSON that {@link #read} reads. */
    public String json() {
        return TABLE.write(this).toString();
    }

    /** @throws IllegalArgumentException if it is not what {@link #json} writes */
    public static Retry read(ObjectNode json) {
        Place whole = new Place("", new ArrayList<>());
        Retry read = TABLE.read(json, whole);
        if (!whole.problems().isEmpty()) {
            throw new IllegalArgumentException("not a retry: " + whole.problems());
        }
        return read;
    }
}
