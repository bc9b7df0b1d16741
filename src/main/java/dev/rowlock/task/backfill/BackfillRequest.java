package dev.rowlock.task.backfill;

import static dev.rowlock.field.Field.optional;
import static dev.rowlock.field.Field.required;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Request to run the fire times of a period that has passed.
 *
 * @param from fire times from then on
 * @param until fire times before it; null: now
 * @param only which of them
 * @param order in which they start
 * @param parallel how many of them may execute at once
 * @param priority of their tasks, in place of the job's
 * @param dryRun only counts what would run
 */
public record BackfillRequest(
        Instant from,
        @Nullable Instant until,
        FireTimeChoice only,
        FireTimeOrder order,
        int parallel,
        int priority,
        boolean dryRun) {

    /** Largest number of fire times of one request. */
    public static final int MOST = 10_000;

    /** Choice among the fire times of the period. */
    public enum FireTimeChoice {
        ALL,
        /** Those without a run that succeeded or declined, and without one that waits or executes. */
        NOT_SUCCEEDED;

        /** Returns the choice of this name; {@link #NOT_SUCCEEDED}, as it has been made, for one of a later version. */
        static FireTimeChoice read(String name) {
            return name.equals(ALL.name()) ? ALL : NOT_SUCCEEDED;
        }
    }

    /** Order in which fire times start. */
    public enum FireTimeOrder {
        OLDEST_FIRST,
        NEWEST_FIRST;

        /** Returns the order of this name; {@link #OLDEST_FIRST} for one of a later version. */
        static FireTimeOrder read(String name) {
            return name.equals(NEWEST_FIRST.name()) ? NEWEST_FIRST : OLDEST_FIRST;
        }
    }

    public static final FieldTable<BackfillRequest> TABLE = new FieldTable<>(
            "a backfill",
            BackfillRequest.class,
            List.of(
                    required("from", FieldType.instant(), Instant.EPOCH, "fire times from then on"),
                    optional("until", FieldType.instant(), null, "fire times before it, not after now; `null`: now"),
                    optional(
                            "only",
                            FieldType.word(FireTimeChoice.class),
                            FireTimeChoice.NOT_SUCCEEDED,
                            "which: `NOT_SUCCEEDED` leaves out those that succeeded, declined, wait or execute"),
                    optional(
                            "order",
                            FieldType.word(FireTimeOrder.class),
                            FireTimeOrder.OLDEST_FIRST,
                            "in which they start"),
                    optional("parallel", FieldType.number(1, 1000), 1, "how many of them may execute at once"),
                    optional("priority", FieldType.number(-100, 100), -50, "of its tasks, in place of the job's"),
                    optional("dryRun", FieldType.flag(), false, "only count what would run")),
            List.of());

    /** @throws InvalidDefinition with everything that is wrong */
    public static BackfillRequest parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        BackfillRequest read = TABLE.read(sent, whole);
        if (whole.problems().isEmpty() && read.until != null && !read.until.isAfter(read.from)) {
            whole.field("until").refuse("must lie after from");
        }
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }
}
