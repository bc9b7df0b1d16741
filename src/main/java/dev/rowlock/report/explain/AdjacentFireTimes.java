package dev.rowlock.report.explain;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.job.store.JobLives.Version;
import dev.rowlock.report.explain.Explanation.ScheduleFacts;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fire times before and after an instant, as they came about: of whatever schedule was in force by then. */
final class AdjacentFireTimes {

    private final Evidence found;
    private final EvidenceLoader gathering;
    private final @Nullable Integer maxRuns;
    private final boolean isUsedUp;

    /** @param runs how many occurrences were started, if that is limited */
    AdjacentFireTimes(Evidence found, EvidenceLoader gathering, int runs) {
        this.found = found;
        this.gathering = gathering;
        this.maxRuns = found.newest()
                .map(version -> version.stored().definition())
                .map(JobDefinition::maxRuns)
                .orElse(null);
        this.isUsedUp = maxRuns != null && runs >= maxRuns;
    }

    /**
     * Next fire time.
     *
     * @param at null: there is none, or it is not known
     * @param by the version that asks for it; null: the one that was in force at the instant
     * @param known whether all versions that matter were read, and understood
     */
    private record FollowingFireTime(
            @Nullable Instant at, @Nullable Version by, boolean known) {}

    /** Returns the fire time after another one; empty if none follows, or if that is not known. */
    Optional<Instant> after(Instant fireTime) {
        return Optional.ofNullable(following(fireTime).at());
    }

    private FollowingFireTime following(Instant t) {
        FollowingFireTime next = byVersions(t);
        boolean never = next.at() != null && isUsedUp && !isRecorded(next.at());
        return never ? new FollowingFireTime(null, null, true) : next;
    }

    private FollowingFireTime byVersions(Instant t) {
        @Nullable Version first = found.inForce().orElse(null);
        Instant from = t;
        List<Version> all =
                Stream.concat(found.inForce().stream(), found.later().stream()).toList();
        for (Version version : all) {
            if (found.schedule(version).isEmpty()) {
                return new FollowingFireTime(null, null, false);
            }
            @Nullable Instant until = version.until();
            Optional<Instant> next = found.schedule(version).get().nextAfter(from);
            if (next.isPresent() && (until == null || !next.get().isAfter(until))) {
                boolean same = first != null && version.stored().saysWhenLike(first.stored());
                return new FollowingFireTime(next.get(), same ? null : version, true);
            }
            from = until == null || until.isBefore(from) ? from : until;
        }
        return new FollowingFireTime(null, null, found.later().size() < EvidenceLoader.MOST_VERSIONS);
    }

    private boolean isRecorded(Instant fireTime) {
        return !fireTime.isAfter(found.now())
                && gathering.neighbour(found, fireTime).main() != null;
    }

    /** Describes the neighbours in sentences. */
    String text(ScheduleFacts said) {
        @Nullable Instant before = said.before();
        if (isUsedUp && before != null && !isRecorded(before)) {
            return "The job had reached its maxRuns (" + maxRuns + "): no fire time follows.";
        }
        String text = before == null ? none() : "The fire time before it is " + time(before, said);
        FollowingFireTime next = following(found.at());
        if (next.at() == null) {
            return text + (next.known() ? "; none follows" + why() : "") + ".";
        }
        String by = next.by() == null
                ? ""
                : ", by the schedule of version " + next.by().number();
        return text + (before == null ? "; the next one is " : ", and the one after it ") + time(next.at(), said) + by
                + ".";
    }

    /** Says that there was none since the schedule was in force, as far back as there are versions. */
    private String none() {
        String since = found.scheduledSince().map(Texts::time).orElse("its beginning");
        return "It " + (found.isAhead() ? "has" : "had") + " no fire time between " + since + " and then";
    }

    private String why() {
        if (isUsedUp) {
            return ", as the job has reached its maxRuns (" + maxRuns + ")";
        }
        @Nullable Instant deleted = found.life() == null ? null : found.life().deletedAt();
        return deleted == null ? "" : ", as the job was deleted at " + Texts.time(deleted);
    }

    /** Describes what became of the previous fire time; blank if nothing is recorded of it. */
    String before(ScheduleFacts said) {
        if (said.before() == null) {
            return "";
        }
        Evidence other = gathering.neighbour(found, said.before());
        return other.main() == null ? "" : " " + new Summary(other, other.main(), null, null).text();
    }

    private static String time(Instant t, ScheduleFacts said) {
        return Texts.time(t, ZoneId.of(said.zone()));
    }
}
