package dev.rowlock.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule to look at before a job has it.
 *
 * @param from fire times after it; null: after now
 */
public record PreviewRequest(
        String text,
        ZoneId zone,
        DaylightSaving rule,
        @Nullable Instant from,
        int count) {

    private static final List<String> KNOWN = List.of("schedule", "zone", "daylightSaving", "from", "count");

    /** @throws InvalidDefinition with everything that is wrong */
    public static PreviewRequest parse(ObjectNode sent) {
        Fields fields = new Fields(sent);
        fields.refuseUnknown("a preview", KNOWN);
        ZoneId zone = ScheduleFields.zone(fields);
        DaylightSaving rule = ScheduleFields.daylightSaving(fields);
        Instant from = fields.instant("from");
        String text = ScheduleFields.schedule(fields, zone, rule, from);
        int count = fields.number("count", 1, 1000, 10);
        if (!fields.problems().isEmpty()) {
            throw new InvalidDefinition(fields.problems());
        }
        return new PreviewRequest(text, zone, rule, from, count);
    }

    /** @param anchor what {@code @every} counts from */
    public Schedule schedule(Instant anchor) {
        return Schedule.parse(text, zone, rule, anchor);
    }
}
