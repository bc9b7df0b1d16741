package dev.rowlock.schedule;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Time zones by name: those of the IANA database, whatever Java's tables leave out of it. */
public final class Zones {

    /**
     * Links of the database that Java lacks, or has only from some version on, with their targets. Whoever names one
     * gets that name back: only to compute, its target takes its place.
     */
    private static final Map<String, String> LINKS = Map.of(
            "EST", "America/Panama",
            "MST", "America/Phoenix",
            "HST", "Pacific/Honolulu",
            "ROC", "Asia/Taipei",
            "GMT+0", "Etc/GMT",
            "GMT-0", "Etc/GMT");

    /** Zones that those may mean who name such a link: their clocks change, and those of the link do not. */
    private static final Map<String, String> CHANGING = Map.of("EST", "America/New_York", "MST", "America/Denver");

    private static final Set<String> NAMES = Stream.concat(
                    ZoneId.getAvailableZoneIds().stream(), LINKS.keySet().stream())
            .collect(Collectors.toUnmodifiableSet());

    private Zones() {}

    /** Returns the names of the database, in alphabetical order. */
    public static Set<String> names() {
        return new TreeSet<>(NAMES);
    }

    /** Returns whether the database has this name. */
    public static boolean isNamed(String name) {
        return NAMES.contains(name);
    }

    /**
     * Returns the zone of this name: one of the database, or an offset such as {@code +02:00}.
     *
     * @throws DateTimeException there is none
     */
    public static ZoneId of(String name) {
        return ZoneId.of(LINKS.getOrDefault(name, name));
    }

    /** Returns what is wrong with a name that is none, with the one that is most likely meant. */
    public static String problem(String name) {
        return Quoted.of(name) + " is not a time zone of the IANA database, such as Europe/Berlin" + near(name);
    }

    /** Returns the end of a sentence that says which zone is most likely meant; empty if none is near. */
    public static String near(String name) {
        return ZoneNames.nearest(name)
                .map(id -> "; did you mean \"" + id + "\"?")
                .orElse("");
    }

    /** Returns a warning for a name that many take for a zone whose clocks change. */
    public static Optional<String> warning(String name) {
        return Optional.ofNullable(CHANGING.get(name))
                .map(other -> "zone: the clocks of " + name + " (" + LINKS.get(name)
                        + " in the IANA database) never change; if they are to go with daylight saving time, name "
                        + other);
    }
}
