package dev.rowlock.schedule;

import java.time.zone.ZoneRulesProvider;
import java.util.NavigableMap;

/** Time zone rules that this process evaluates schedules with: those of its Java. */
public final class TimeZoneData {

    private TimeZoneData() {}

    /** Returns the release of the IANA time zone database, such as {@code 2026a}; later ones compare greater. */
    public static String version() {
        NavigableMap<String, ?> versions = ZoneRulesProvider.getVersions("Europe/Berlin");
        return versions.lastKey();
    }
}
