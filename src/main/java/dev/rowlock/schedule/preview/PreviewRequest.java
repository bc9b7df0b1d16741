package dev.rowlock.schedule.preview;

import static dev.rowlock.field.Field.optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.JobFields;
import dev.rowlock.definition.ScheduleLines;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.Zones;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Request to preview a schedule before a job has it.
 *
 * @param from fire times after it; null: after now
 */
public record PreviewRequest(
        ScheduleLines schedule,
        String zone,
        DaylightSaving daylightSaving,
        @Nullable Instant from,
        int count) {

    public static final FieldTable<PreviewRequest> TABLE = new FieldTable<>(
            "a preview",
            PreviewRequest.class,
            List.of(
                    JobFields.SCHEDULE,
                    JobFields.ZONE,
                    JobFields.DAYLIGHT_SAVING,
                    optional("from", FieldType.instant(), null, "fire times after it; `null`: after now"),
                    optional("count", FieldType.number(1, 1000), 10, "how many fire times")),
            List.of());

    /** @throws InvalidDefinition with everything that is wrong */
    public static PreviewRequest parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        PreviewRequest read = TABLE.read(sent, whole);
        JobFields.checkSchedule(read.schedule, read.zone, read.daylightSaving, read.from, whole);
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    /** @param anchor what {@code @every} counts from */
    public Schedule schedule(Instant anchor) {
        return schedule.make(Zones.of(zone), daylightSaving, anchor);
    }
}
