package dev.rowlock.schedule.preview;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.schedule.Schedule;

/**
 * Zone of schedules whose authors named none. It is written into what they sent, so that the stored definition means
 * the same on nodes with another setting, and after the setting is changed.
 */
public record DefaultZone(String zone) {

    public static final DefaultZone UTC = new DefaultZone("UTC");

    public ObjectNode in(ObjectNode sent) {
        if (sent.hasNonNull("zone") || Schedule.namesZone(sent.path("schedule").asText(""))) {
            return sent;
        }
        return sent.deepCopy().put("zone", zone);
    }
}
