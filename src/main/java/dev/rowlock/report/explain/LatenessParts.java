package dev.rowlock.report.explain;

import dev.rowlock.report.explain.Explanation.Lateness;
import dev.rowlock.report.explain.Presence.PresenceGap;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parts of a task's delay. Each moment counts once: holds first, then the absence of nodes. */
final class LatenessParts {

    /** Milliseconds from which a delay needs a reason. */
    static final long NOTABLE = 1_000;

    private final Attempt attempt;
    private final Presence presence;
    private final Instant started;
    private final Instant from;
    private final Instant heldFrom;
    private final Instant heldUntil;

    private LatenessParts(Attempt attempt, Presence presence, Instant started) {
        this.attempt = attempt;
        this.presence = presence;
        this.started = started;
        this.from = Objects.requireNonNullElse(attempt.dueSince(), started);
        @Nullable Instant queued = attempt.task().queuedAt();
        @Nullable Instant due = attempt.task().dueAt();
        this.heldFrom = queued == null ? started : within(queued);
        this.heldUntil = queued == null ? started : Presence.later(heldFrom, due == null ? started : within(due));
    }

    /** Returns the parts; empty if the task was not started. */
    static Optional<LatenessParts> of(@Nullable Attempt attempt, Presence presence) {
        return attempt == null || attempt.task().startedAt() == null
                ? Optional.empty()
                : Optional.of(new LatenessParts(
                        attempt, presence, Objects.requireNonNull(attempt.task().startedAt())));
    }

    /** Returns when nothing held the task any more and it could have been started. */
    Instant free() {
        return heldFrom.equals(heldUntil) ? from : heldUntil;
    }

    /** Returns the part that neither a hold nor the absence of nodes explains. */
    long rest() {
        return total() - hold() - nobody();
    }

    /** @param full whether the nodes executed as much as they may when it was free to start */
    Lateness facts(boolean full) {
        long rest = rest();
        boolean takeover = attempt.wasTakenOver();
        boolean slot = !takeover && full;
        return new Lateness(
                total(),
                hold(),
                nobody(),
                slot ? rest : 0,
                takeover ? rest : 0,
                takeover || slot ? 0 : rest,
                process());
    }

    private long total() {
        return millis(from, started);
    }

    private long hold() {
        return millis(heldFrom, heldUntil);
    }

    private long nobody() {
        return gaps(from, heldFrom) + gaps(heldUntil, started);
    }

    private long gaps(Instant a, Instant b) {
        return a.isBefore(b)
                ? presence.gaps(a, b).stream().mapToLong(PresenceGap::millis).sum()
                : 0;
    }

    /**
     * Returns the time of the process itself, as well as can be told: the end is by the database's clock, the duration
     * by the node's own.
     */
    private @Nullable Long process() {
        @Nullable Instant ended = attempt.task().endedAt();
        @Nullable Long duration = attempt.task().durationMs();
        return ended == null || duration == null ? null : Math.max(0, millis(started, ended) - duration);
    }

    private Instant within(Instant t) {
        return Presence.earlier(Presence.later(t, from), started);
    }

    private static long millis(Instant a, Instant b) {
        return Math.max(0, Duration.between(a, b).toMillis());
    }
}
