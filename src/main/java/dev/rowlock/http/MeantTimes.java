package dev.rowlock.http;

import dev.rowlock.field.TimeText;
import dev.rowlock.field.TimeText.Towards;
import dev.rowlock.field.Times;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Instants meant by the times of a query, on the database's clock. Without an offset, they are in the zone of the
 * query, otherwise in that of its job, otherwise in UTC. A header of the answer states what depended on clock or zone.
 */
public final class MeantTimes {

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
    public MeantTimes(Context ctx, Parameters parameters, Supplier<Instant> clock, Supplier<ZoneId> zoneOfJob) {
        this.ctx = ctx;
        this.parameters = parameters;
        this.clock = clock;
        this.zoneOfJob = zoneOfJob;
    }

    /** Returns a time in the past: a duration is how long ago, a time of day the last one. Null if none is named. */
    public @Nullable Instant past(String name) {
        return at(name, Towards.PAST);
    }

    /** Returns a time in the future. Null if none is named. */
    public @Nullable Instant future(String name) {
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

    /** Returns the time now, the same for all times of one query. */
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
