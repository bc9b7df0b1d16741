package dev.rowlock.api;

import dev.rowlock.job.TimeText;
import dev.rowlock.job.TimeText.Towards;
import dev.rowlock.job.Times;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Instants that the times in a query mean, by the database's clock. Where no offset is said, they are meant in the zone
 * that the query names, else in that of the job that it is about, else in UTC. What depended on clock or zone is said
 * in a header of the answer.
 */
final class MeantTimes {

    static final String HEADER = "Rowlock-Times";

    private final Context ctx;
    private final Parameters parameters;
    private final Supplier<Instant> clock;
    private final Supplier<ZoneId> zoneOfJob;
    private final List<String> said = new ArrayList<>();

    private @Nullable Instant now;
    private @Nullable ZoneId zone;

    /**
     * @param clock of the database
     * @param zoneOfJob asked only if it matters; UTC if the query is about no job
     */
    MeantTimes(Context ctx, Parameters parameters, Supplier<Instant> clock, Supplier<ZoneId> zoneOfJob) {
        this.ctx = ctx;
        this.parameters = parameters;
        this.clock = clock;
        this.zoneOfJob = zoneOfJob;
    }

    /** Returns a time that lies behind: a duration is how long ago, a time of day the last one. Null: none is named. */
    @Nullable
    Instant past(String name) {
        return at(name, Towards.PAST);
    }

    /** Returns one that lies ahead. */
    @Nullable
    Instant future(String name) {
        return at(name, Towards.FUTURE);
    }

    private @Nullable Instant at(String name, Towards towards) {
        TimeText time = parameters.time(name);
        if (time == null) {
            return null;
        }
        if (time.isWhole()) {
            return time.at(Instant.EPOCH, Parameters.UTC, towards);
        }
        Instant meant = time.at(now(), time.needsZone() ? zone() : Parameters.UTC, towards);
        said.add(name + "=" + Times.text(meant));
        ctx.header(HEADER, String.join("; ", said) + (zone == null ? "" : "; zone=" + zone.getId()));
        return meant;
    }

    /** The same for all times of one query. */
    private Instant now() {
        Instant read = now == null ? clock.get() : now;
        now = read;
        return read;
    }

    private ZoneId zone() {
        ZoneId named = parameters.zone();
        ZoneId found = zone != null ? zone : named != null ? named : zoneOfJob.get();
        zone = found;
        return found;
    }
}
