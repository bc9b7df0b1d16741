package dev.rowlock.schedule.preview;

import dev.rowlock.field.Times;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Fire time as the clocks show it in the zone of its schedule.
 *
 * @param local with its offset, so that the two of an hour that is repeated differ
 * @param offset of the zone from UTC at that time
 */
public record LocalFireTime(Instant at, String local, ZoneId zone, String offset) {

    public static LocalFireTime of(Instant at, ZoneId zone) {
        ZoneOffset offset = zone.getRules().getOffset(at);
        return new LocalFireTime(
                at, Times.local(at, zone), zone, offset.getTotalSeconds() == 0 ? "+00:00" : offset.getId());
    }
}
