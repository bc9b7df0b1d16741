package dev.rowlock.report.explain;

import dev.rowlock.definition.JobSchedule;
import dev.rowlock.field.Times;
import dev.rowlock.job.store.JobLives.Version;
import dev.rowlock.report.explain.Explanation.PauseFacts;
import dev.rowlock.report.explain.Explanation.ScheduleFacts;
import dev.rowlock.report.explain.Explanation.VersionFacts;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Schedule and pause at an instant, by the job's versions. */
final class ScheduleSaid {

    private ScheduleSaid() {}

    /**
     * Returns the schedule; empty if there was no job, its schedule is not known, or this node does not understand it.
     */
    static Optional<ScheduleFacts> schedule(Evidence found) {
        return found.inForce().flatMap(version -> found.schedule(version).map(schedule -> facts(found, schedule)));
    }

    private static ScheduleFacts facts(Evidence found, JobSchedule schedule) {
        Instant at = found.at();
        Instant since = found.scheduledSince().orElse(at);
        ZoneId zone = schedule.zoneAt(at);
        boolean asks = schedule.matches(at) && at.isAfter(since);
        return new ScheduleFacts(
                schedule.normalized(),
                zone.getId(),
                asks ? description(schedule, at) : schedule.description(),
                asks,
                Times.local(at, zone),
                schedule.lastBetween(since, at.minusMillis(1)).orElse(null),
                schedule.nextAfter(at).orElse(null),
                schedule.clockChange(at).orElse(null));
    }

    /** Describes the line that asks for an instant, of several. */
    private static String description(JobSchedule schedule, Instant at) {
        OptionalInt line = schedule.lineAt(at);
        int lines = schedule.lines().size();
        return lines == 1 || line.isEmpty()
                ? schedule.description()
                : "line " + (line.getAsInt() + 1) + " of " + lines + ": "
                        + schedule.lines().get(line.getAsInt()).description();
    }

    static Optional<VersionFacts> version(Evidence found) {
        return found.version()
                .map(version ->
                        new VersionFacts(version.number(), version.from(), version.until(), version.changedBy()));
    }

    /** Returns the pause; empty if the job was not paused, as far as is known. */
    static Optional<PauseFacts> pause(Evidence found) {
        Optional<Version> inForce = found.inForce().filter(Version::isPaused);
        return inForce.map(version -> {
            Instant since = version.from();
            boolean exact = false;
            for (Version earlier : found.versions()) {
                if (!earlier.isPaused()) {
                    exact = true;
                    break;
                }
                since = earlier.from();
            }
            boolean all = found.life() != null && since.equals(found.life().createdAt());
            return new PauseFacts(
                    since,
                    exact || all,
                    version.pause().until(),
                    version.pause().reason(),
                    resumedAt(version, found.later()));
        });
    }

    private static @Nullable Instant resumedAt(Version paused, List<Version> later) {
        for (Version version : later) {
            if (!version.isPaused()) {
                return version.from();
            }
        }
        return later.isEmpty() ? paused.until() : null;
    }
}
