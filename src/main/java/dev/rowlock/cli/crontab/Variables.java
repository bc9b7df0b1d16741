package dev.rowlock.cli.crontab;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.schedule.Zones;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Variables in front of an entry, as cron has them for all that follows. */
final class Variables {

    private static final Set<String> OF_MAIL = Set.of("MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING");
    private static final Set<String> OF_CRON = Set.of("LOGNAME", "USER", "START_HOURS_RANGE", "PREFERRED_HOUR");
    /** Zone as POSIX has it, where what lies west of Greenwich is positive. */
    private static final Pattern POSIX = Pattern.compile("[A-Za-z]{3,}([+-]?)([0-9]{1,2})(?::([0-5][0-9]))?(?::00)?");

    private static final int LARGEST_OFFSET = 18;

    private final Map<String, String> env = new TreeMap<>();
    private String zone;
    private String shell = "sh"; // of cron, unless it is said
    private @Nullable String zoneDoubt;
    private long delayMinutes;

    /** @param zone of the host */
    Variables(String zone) {
        this.zone = zone;
    }

    String zone() {
        return zone;
    }

    /**
     * Takes one.
     *
     * @return what a person should know; null: nothing
     */
    @Nullable
    String set(String name, String value) {
        if (name.equals("MAILTO")) {
            return value.isEmpty()
                    ? null
                    : "mails nothing: output and outcome of each run are kept (rowlock task logs); an alert rule tells"
                            + " people of failures (rowlock channel put, rowlock rule put)";
        }
        if (OF_MAIL.contains(name)) {
            return "is about mail, which is not sent";
        }
        if (OF_CRON.contains(name)) {
            return "is nothing that commands get from cron; left out";
        }
        return switch (name) {
            case "SHELL" -> shell(value);
            case "CRON_TZ" -> zone(value);
            case "RANDOM_DELAY" -> delay(value);
            default -> {
                env.put(name, value);
                yield name.equals("TZ")
                        ? "is for the commands alone, as cron does not schedule by it: if their times are meant in "
                                + value + ", write CRON_TZ=, or change zone"
                        : null;
            }
        };
    }

    private @Nullable String shell(String path) {
        String program = path.substring(path.lastIndexOf('/') + 1);
        shell = program.equals("bash") ? "bash" : "sh";
        return program.matches("bash|sh|dash") ? null : "is none of bash and sh: what follows runs with sh";
    }

    /** Returns a remark about the zone of each job from here on; null: none. */
    @Nullable
    String zoneDoubt() {
        return zoneDoubt;
    }

    private @Nullable String zone(String name) {
        Matcher posix = POSIX.matcher(name);
        if (posix.matches() && Integer.parseInt(posix.group(2)) <= LARGEST_OFFSET) {
            return posix(name, posix);
        }
        if (Zones.isNamed(name)) {
            zone = name;
            zoneDoubt = null;
            return null;
        }
        zoneDoubt = "CRON_TZ=" + name + " is no time zone: this is in " + zone + Zones.near(name);
        return "is no time zone: what follows is in " + zone + Zones.near(name);
    }

    /** Sets a zone of POSIX. Whole hours are zones of the database, and a job can have no other offset. */
    private String posix(String name, Matcher said) {
        int hours = Integer.parseInt(said.group(2));
        boolean isEast = said.group(1).equals("-");
        int most = isEast ? 14 : 12;
        if (hours > most || (said.group(3) != null && !said.group(3).equals("00"))) {
            zoneDoubt = "CRON_TZ=" + name + " is no zone that a job can have: this is in " + zone;
            return "is no zone that a job can have: what follows is in " + zone;
        }
        zone = hours == 0 ? "UTC" : "Etc/GMT" + (isEast ? "-" : "+") + hours;
        zoneDoubt = null;
        return "means " + hours + " hours " + (isEast ? "before" : "behind") + " UTC, as cron reads it (POSIX counts"
                + " westwards): " + zone;
    }

    private @Nullable String delay(String minutes) {
        if (!minutes.matches("[0-9]{1,4}")) {
            return "is no number of minutes; left out";
        }
        delayMinutes = Long.parseLong(minutes);
        return delayMinutes == 0 ? null : "becomes jitter: a delay of its own for each job, the same each time";
    }

    void addTo(ObjectNode job) {
        job.put("zone", zone).put("shell", shell);
        if (delayMinutes > 0) {
            job.put("jitter", delayMinutes + "m");
        }
        if (env.getOrDefault("HOME", "").startsWith("/")) {
            job.put("workdir", env.get("HOME")); // where cron starts commands
        }
        if (!env.isEmpty()) {
            env.forEach(job.putObject("env")::put);
        }
    }
}
