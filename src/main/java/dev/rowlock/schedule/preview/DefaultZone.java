package dev.rowlock.schedule.preview;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.schedule.Schedule;
import java.util.stream.StreamSupport;

/**
 * Zone of schedules whose authors named none. It is written into what they sent, so that the stored definition means
 * the same on nodes with another setting, and after the setting is changed.
 */
public record DefaultZone(String zone) {

    public static final DefaultZone UTC = new DefaultZone("UTC");

    public ObjectNode in(ObjectNode sent) {
        if (sent.hasNonNull("zone") || namesZone(sent.path("schedule"))) {
            return sent;
        }
        return sent.deepCopy().put("zone", zone);
    }

    /** Returns whether a schedule, or each line of it, names a zone itself. */
    private static boolean namesZone(JsonNode schedule) {
        if (schedule.isArray()) {
            return !schedule.isEmpty()
                    && StreamSupport.stream(schedule.spliterator(), false).allMatch(DefaultZone::namesZone);
        }
        return schedule.hasNonNull("zone")
                || Schedule.namesZone(schedule.path("schedule").asText(schedule.asText("")));
    }
}
