package dev.rowlock.schedule;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;

/** Time zones by name: those of the IANA database, whatever Java's tables leave out of it. */
public final class Zones {

    /** Links of the database that Java lacks, or has only from some version on, with their targets. */
    private static final Map<String, String> LINKS = Map.of(
            "EST", "America/Panama",
            "MST", "America/Phoenix",
            "HST", "Pacific/Honolulu",
            "ROC", "Asia/Taipei");

    private Zones() {}

    /** Returns the name that Java knows for a zone, or the same text. */
    public static String known(String name) {
        return LINKS.getOrDefault(name, name);
    }

    /**
     * Returns the zone of this name: one of the database, or an offset such as {@code +02:00}.
     *
     * @throws DateTimeException there is none
     */
    public static ZoneId of(String name) {
        return ZoneId.of(known(name));
    }
}
