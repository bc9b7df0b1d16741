package dev.rowlock.report.explain;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.job.store.JobLives.Clock;
import dev.rowlock.job.store.JobLives.JobLife;
import dev.rowlock.job.store.JobLives.Version;
import dev.rowlock.task.Origin;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything found about an instant of a job.
 *
 * @param life the job that bore the name then; null: none did, or none is known
 * @param versions that came into force before the instant, the newest first; not all, if there are many
 * @param later that came into force afterwards, the first ones
 * @param own that of the task that is asked about; null: there is none, or it is not kept
 * @param attempts all tasks of the occurrence
 * @param main the one that this is about; null: there is none
 * @param requesters who asked for it
 */
record Evidence(
        JobKey key,
        Instant at,
        Clock clock,
        @Nullable JobLife life,
        List<Version> versions,
        List<Version> later,
        @Nullable Version own,
        List<Attempt> attempts,
        @Nullable Attempt main,
        Requesters requesters) {

    Instant now() {
        return clock.now();
    }

    boolean isAhead() {
        return at.isAfter(now());
    }

    /** Returns the version in force at the instant, including one that was replaced at that very moment. */
    Optional<Version> inForce() {
        return versions.stream()
                .findFirst()
                .filter(version -> version.until() == null || !version.until().isBefore(at));
    }

    /** Returns the last known version of the job. */
    Optional<Version> newest() {
        return later.isEmpty() ? versions.stream().findFirst() : Optional.of(later.get(later.size() - 1));
    }

    /** Returns the version of the task, or else the one in force. */
    Optional<Version> version() {
        return Optional.ofNullable(own).or(this::inForce);
    }

    Optional<JobDefinition> definition() {
        return version().map(version -> version.stored().definition());
    }

    /** Returns the schedule of a version; empty if this node does not understand it. */
    Optional<JobSchedule> schedule(Version version) {
        return version.stored().schedule(life == null ? version.from() : life.createdAt());
    }

    /** Returns since when the schedule of the version in force has been in force, as far back as there are versions. */
    Optional<Instant> scheduledSince() {
        return inForce().map(version -> {
            Instant since = version.from();
            for (Version earlier : versions) {
                if (!version.stored().saysWhenLike(earlier.stored())) {
                    return since;
                }
                since = earlier.from();
            }
            return since;
        });
    }

    /** Returns the other tasks of the main one's fire time, by the schedule, backfills or reruns, in order. */
    List<Attempt> otherOrigins() {
        return main == null || !main.isOfFireTime()
                ? List.of()
                : attempts.stream()
                        .filter(other -> other.isOfFireTime() && !other.origin().equals(main.origin()))
                        .sorted(Comparator.comparing(Attempt::id))
                        .toList();
    }

    /** Returns the attempts at the same occurrence, in order. */
    List<Attempt> sameOrigin() {
        return main == null
                ? List.of()
                : attempts.stream()
                        .filter(other -> other.origin().equals(main.origin()))
                        .sorted(Attempt.ORDER)
                        .toList();
    }

    /** Returns the parts of the main attempt, if that was a broadcast. */
    List<Attempt> parts() {
        return main == null || !main.isExpanded()
                ? List.of()
                : attempts.stream()
                        .filter(attempt -> attempt.isPart() && isOfMain(attempt.origin()))
                        .sorted(Attempt.ORDER)
                        .toList();
    }

    /** Returns whether a part is one of the broadcast, and not one that a backfill made for the same fire time. */
    private boolean isOfMain(Origin part) {
        @Nullable Origin own = main == null ? null : main.origin();
        return own != null
                && part.isBackfill() == own.isBackfill()
                && (!part.isBackfill() || part.backfill() == own.backfill());
    }

    /** Returns the attempt after the main one, if any: also one that a backfill or a rerun made. */
    Optional<Attempt> nextAttempt() {
        return main == null
                ? Optional.empty()
                : sameOrigin().stream()
                        .filter(other -> other.task().attempt() > main.task().attempt())
                        .findFirst()
                        .or(() -> otherOrigins().stream()
                                .filter(other -> other.id() > main.id() && !other.cameToNothing())
                                .findFirst());
    }

    /**
     * Returns the attempt that an instant is about: the last one at its fire time, whoever made it, before one that
     * somebody requested then. What ended without having run stands behind what did or may.
     */
    static @Nullable Attempt main(List<Attempt> attempts) {
        Map<Origin, Attempt> last = attempts.stream()
                .collect(Collectors.toMap(
                        Attempt::origin,
                        Function.identity(),
                        BinaryOperator.maxBy(Comparator.<Attempt>comparingInt(
                                        attempt -> attempt.task().attempt())
                                .thenComparing(Attempt::id))));
        return last.values().stream()
                .min(Comparator.<Attempt>comparingInt(Evidence::rank)
                        .thenComparing(Attempt::cameToNothing)
                        .thenComparing(Comparator.comparing(Attempt::id).reversed()))
                .orElse(null);
    }

    private static int rank(Attempt attempt) {
        Origin origin = attempt.origin();
        List<Boolean> ranks = Stream.of(attempt.isOfFireTime(), origin.isPart() && origin.isScheduled(), origin.isRun())
                .toList();
        int rank = ranks.indexOf(true);
        return rank < 0 ? ranks.size() : rank;
    }
}
