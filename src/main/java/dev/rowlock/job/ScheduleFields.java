package dev.rowlock.job;

import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.ScheduleProblem;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields that say when: the same in a definition and in a preview. */
final class ScheduleFields {

    private static final List<String> ZONES =
            ZoneId.getAvailableZoneIds().stream().sorted().toList();

    private ScheduleFields() {}

    static ZoneId zone(Fields fields) {
        String text = fields.text("zone", 100);
        if (text == null) {
            return ZoneId.of("UTC");
        }
        if (Collections.binarySearch(ZONES, text) >= 0) {
            return ZoneId.of(text);
        }
        String near = text.length() < 4 ? "" : Fields.suggestion(text, ZONES); // EST is like EET only in its letters
        fields.refuse("zone", "'" + text + "' is not a time zone of the IANA database, such as Europe/Berlin" + near);
        return ZoneOffset.UTC;
    }

    static DaylightSaving daylightSaving(Fields fields) {
        return fields.word("daylightSaving", DaylightSaving.class, DaylightSaving.SHIFT);
    }

    /** The text of the schedule, checked; whatever it was if it is not acceptable. */
    static String schedule(Fields fields, ZoneId zone, DaylightSaving rule, @Nullable Instant anchor) {
        String text = fields.text("schedule", 1024);
        if (text == null || text.isBlank()) {
            if (text != null || fields.value("schedule") == null) {
                fields.refuse("schedule", "is required: a cron expression such as '0 3 * * *', @every, @at or @manual");
            }
            return "";
        }
        try {
            Schedule.parse(text.strip(), zone, rule, anchor == null ? Instant.EPOCH : anchor);
        } catch (ScheduleProblem e) {
            fields.refuse("schedule", String.valueOf(e.getMessage()));
        }
        return text.strip();
    }
}
