package dev.rowlock.cli.crontab;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The variables in front of an entry, as cron has them for all that follows. */
final class Variables {

    private static final Set<String> OF_MAIL = Set.of("MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING");
    private static final Set<String> OF_CRON = Set.of("LOGNAME", "USER", "START_HOURS_RANGE", "PREFERRED_HOUR");

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
                    : "mails nothing: output and outcome of each run are kept (rowlock task logs), and what fails"
                            + " can be asked for (rowlock job list --sort outcome)";
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
                yield name.startsWith("ROWLOCK_") ? "is a name that Rowlock sets itself: rename it" : null;
            }
        };
    }

    private @Nullable String shell(String path) {
        String program = path.replaceFirst(".*/", "");
        shell = program.equals("bash") ? "bash" : "sh";
        return program.matches("bash|sh|dash") ? null : "is none of bash and sh: what follows runs with sh";
    }

    /** What has to be said of the zone of each job from here on; null: nothing. */
    @Nullable
    String zoneDoubt() {
        return zoneDoubt;
    }

    private @Nullable String zone(String name) {
        try {
            zone = ZoneId.of(name).getId();
            zoneDoubt = null;
            return null;
        } catch (DateTimeException e) {
            zoneDoubt = "CRON_TZ=" + name + " is no time zone: this is in " + zone;
            return "is no time zone: what follows is in " + zone;
        }
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
