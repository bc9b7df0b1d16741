package dev.rowlock.cli.call;

import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.TimeText.Towards;
import dev.rowlock.schedule.Zones;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option of commands that take times: where those are meant that say no offset. */
public final class TimeZoneOption {

    static final String FORMS = "03:00, 'yesterday 14:00', '2026-12-01 03:00'";

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = {
                "Where times without an offset are meant; default: where the schedule of the job is, or UTC.",
                "Tables print an offset: a time copied with it is that instant, also without quotes."
            })
    private @Nullable ZoneId zone;

    /** Returns the instant of a time in the past. */
    public Instant past(Remote command, When when, @Nullable JobKey job) {
        return at(command, when, job, Towards.PAST);
    }

    /** Returns the instant of a time in the future. */
    public Instant future(Remote command, When when, @Nullable JobKey job) {
        return at(command, when, job, Towards.FUTURE);
    }

    /** Returns the instant; if it depends on a zone, that is said, as another one may be meant. */
    private Instant at(Remote command, When when, @Nullable JobKey job, Towards towards) {
        Instant now = command.around().clock().instant();
        if (!when.needsZone()) {
            return when.text().at(now, ZoneId.of("UTC"), towards);
        }
        ZoneId where = zone(command, job);
        Instant at = when.text().at(now, where, towards);
        command.say("\"" + when.said() + "\" is "
                + command.printer().moments().in(where).absolute(at) + ", in " + where.getId());
        return at;
    }

    private ZoneId zone(Remote command, @Nullable JobKey job) {
        ZoneId found = zone == null ? ofJob(command, job) : zone;
        zone = found; // asked for once
        return found;
    }

    /** Returns the zone of a job; UTC for one that does not exist, which is said when it is asked for. */
    private static ZoneId ofJob(Remote command, @Nullable JobKey job) {
        if (job != null) {
            try {
                String zone =
                        command.ask(JobOptions.ask("GET", job, "")).path("zone").asText("UTC");
                return Zones.of(zone);
            } catch (RequestRefused | DateTimeException e) {
                command.heard(String.valueOf(e.getMessage()));
            }
        }
        return ZoneId.of("UTC");
    }
}
