package dev.rowlock.explain;

import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.JobKey;
import dev.rowlock.job.JobSchedule;
import dev.rowlock.store.job.JobLives.Clock;
import dev.rowlock.store.job.JobLives.Life;
import dev.rowlock.store.job.JobLives.Version;
import dev.rowlock.task.Origin;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was found of an instant of a job.
 *
 * @param life the job that bore the name then; null: none did, or none is known
 * @param versions that came into force before the instant, the newest first; not all, if there are many
 * @param later that came into force afterwards, the first ones
 * @param own that of the task that is asked about; null: there is none, or it is not kept
 * @param attempts all tasks of the occurrence
 * @param main the one that this is about; null: there is none
 */
record Case(
        JobKey key,
        Instant at,
        Clock clock,
        @Nullable Life life,
        List<Version> versions,
        List<Version> later,
        @Nullable Version own,
        List<Attempt> attempts,
        @Nullable Attempt main) {

    Instant now() {
        return clock.now();
    }

    boolean isAhead() {
        return at.isAfter(now());
    }

    /** The version in force at the instant, that moment included when it was replaced. */
    Optional<Version> inForce() {
        return versions.stream()
                .findFirst()
                .filter(version -> version.until() == null || !version.until().isBefore(at));
    }

    /** The last version that is known of the job. */
    Optional<Version> newest() {
        return later.isEmpty() ? versions.stream().findFirst() : Optional.of(later.get(later.size() - 1));
    }

    /** The version that the task belongs to, or else the one in force. */
    Optional<Version> version() {
        return Optional.ofNullable(own).or(this::inForce);
    }

    Optional<JobDefinition> definition() {
        return version().map(version -> version.stored().definition());
    }

    /** What a version asks for; empty if this node does not understand it. */
    Optional<JobSchedule> schedule(Version version) {
        return version.stored().schedule(life == null ? version.from() : life.createdAt());
    }

    /** Since when the schedule of the version in force has been in force, as far as the versions reach. */
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

    /** Those that are attempts at the same, in their order. */
    List<Attempt> sameOrigin() {
        return main == null
                ? List.of()
                : attempts.stream()
                        .filter(other -> other.origin().equals(main.origin()))
                        .sorted(Attempt.ORDER)
                        .toList();
    }

    /** What the main one has become, if it was a broadcast. */
    List<Attempt> parts() {
        return main == null || !main.isExpanded()
                ? List.of()
                : attempts.stream()
                        .filter(Attempt::isPart)
                        .sorted(Attempt.ORDER)
                        .toList();
    }

    /** The attempt that came after the main one; empty: none has. */
    Optional<Attempt> nextAttempt() {
        return main == null
                ? Optional.empty()
                : sameOrigin().stream()
                        .filter(other -> other.task().attempt() > main.task().attempt())
                        .findFirst();
    }

    /** What an instant is about: what the schedule asked for and its last attempt, before what people asked for. */
    static @Nullable Attempt main(List<Attempt> attempts) {
        return attempts.stream()
                .min(Comparator.<Attempt>comparingInt(attempt -> rank(attempt.origin()))
                        .thenComparing(attempt -> -attempt.task().attempt())
                        .thenComparing(Attempt::id))
                .orElse(null);
    }

    private static int rank(Origin origin) {
        List<Boolean> ranks = Stream.of(origin.isSchedule(), origin.isPart() && origin.isScheduled(), origin.isRun())
                .toList();
        int rank = ranks.indexOf(true);
        return rank < 0 ? ranks.size() : rank;
    }
}
