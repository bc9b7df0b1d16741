package dev.rowlock.schedule.preview;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.http.Refused;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.Zones;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Previews of schedules, before anything depends on them. */
public final class Previews {

    private final JobStore store;
    private final DefaultZone zone;

    /** Creates previews in which schedules without a zone are in UTC. */
    public Previews(JobStore store) {
        this(store, DefaultZone.UTC.zone());
    }

    /** @param zone of schedules that name none */
    public Previews(JobStore store, String zone) {
        this.store = store;
        this.zone = new DefaultZone(zone);
    }

    /**
     * Fire times of a schedule, with explanations.
     *
     * @param local the same fire times as the clocks show them there
     */
    public record Preview(
            String schedule,
            ZoneId zone,
            List<Instant> fireTimes,
            List<LocalFireTime> local,
            String description,
            List<String> warnings) {}

    /** Returns the next fire times of a schedule that no job has yet; {@code @every} counts from {@code from}. */
    public Preview preview(ObjectNode sent) {
        PreviewRequest request = PreviewRequest.parse(zone.in(sent));
        Instant start = request.from() == null ? store.now() : request.from();
        return preview(
                request.schedule(start, store.inForce(request.calendar())),
                start,
                request.count(),
                Stream.concat(Stream.of(request.zone()), request.schedule().zones().stream())
                        .distinct()
                        .flatMap(named -> Zones.warning(named).stream())
                        .toList());
    }

    /**
     * Returns the next fire times of a job, paused or not, up to its {@code maxRuns}.
     *
     * @param from null: the database's time
     */
    public Preview next(JobKey key, @Nullable Instant from, int count) {
        StoredJob job = store.find(key).orElseThrow(() -> Refused.noSuchJob(key));
        Schedule schedule = schedule(job);
        List<String> warnings = new ArrayList<>();
        if (job.definition().paused()) {
            warnings.add("the job is paused: none of these runs until it is resumed");
        }
        int listed = count;
        Integer most = job.definition().maxRuns();
        if (most != null) {
            int left = Math.max(0, most - store.runs(job.id()));
            listed = Math.min(count, left);
            warnings.add(
                    left == 0
                            ? "the job has run as often as its maxRuns of " + most + " allows"
                            : left + " of " + most
                                    + " runs (maxRuns) are left; what is skipped or missed is not one of them");
        }
        return preview(schedule, from == null ? store.now() : from, listed, warnings);
    }

    /** Returns the database's time. */
    public Instant now() {
        return store.now();
    }

    /** Returns the zone of a job's schedule; UTC if it has none, or this node does not understand it. */
    public ZoneId zone(JobKey key) {
        return store.find(key)
                .flatMap(job -> job.stored().schedule(job.createdAt()))
                .map(JobSchedule::zone)
                .orElse(ZoneId.of("UTC"));
    }

    private static JobSchedule schedule(StoredJob job) {
        if (!job.stored().isUnderstood()) {
            throw Refused.notUnderstood(job);
        }
        return JobSchedule.of(job.definition(), job.createdAt());
    }

    private static Preview preview(Schedule schedule, Instant from, int count, List<String> warnings) {
        List<Instant> fireTimes = new ArrayList<>();
        Optional<Instant> next = schedule.nextAfter(from);
        while (next.isPresent() && fireTimes.size() < count) {
            fireTimes.add(next.get());
            next = schedule.nextAfter(next.get());
        }
        return new Preview(
                schedule.normalized(),
                schedule.zone(),
                fireTimes,
                fireTimes.stream()
                        .map(t -> LocalFireTime.of(t, schedule.zoneAt(t)))
                        .toList(),
                schedule.description(),
                Stream.concat(warnings.stream(), schedule.warnings(from).stream())
                        .toList());
    }
}
