package dev.rowlock.report.explain;

import dev.rowlock.cluster.store.SessionLog;
import dev.rowlock.cluster.store.SessionLog.SessionLife;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Contact of nodes with the database, and its gaps.
 *
 * @param knownSince null: that is not known
 */
record Presence(List<SessionLife> lives, @Nullable Instant knownSince) {

    /** Most ended sessions of the time that a task waited. More are a flood, for which there is the log. */
    private static final int MOST = 1_000;
    /** Absence that nobody would ask about, as when a node is replaced. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Time without any live node; it may go on. */
    record PresenceGap(Instant from, Instant until) {
        long millis() {
            return Duration.between(from, until).toMillis();
        }
    }

    static Presence between(SessionLog log, Instant from, Instant until) {
        List<SessionLife> lives = log.between(from, until, MOST);
        long ended = lives.stream().filter(life -> life.goneAt() != null).count();
        return new Presence(lives, ended == MOST ? null : log.knownSince());
    }

    boolean isKnownAt(Instant t) {
        return knownSince != null && !t.isBefore(knownSince);
    }

    /** Returns the live sessions at a time, in order of nodes. */
    List<SessionLife> at(Instant t) {
        return lives.stream()
                .filter(life -> life.isThereAt(t))
                .sorted(Comparator.comparing(SessionLife::node))
                .toList();
    }

    Optional<SessionLife> session(@Nullable String id) {
        return lives.stream().filter(life -> life.id().equals(id)).findFirst();
    }

    /** Returns the present gap; null if a node is alive, or if that is not known. */
    @Nullable
    PresenceGap goingOn(Instant now) {
        if (!isKnownAt(now) || lives.stream().anyMatch(life -> life.isThereAt(now))) {
            return null;
        }
        return lives.stream()
                .map(SessionLife::heartbeatAt)
                .max(Comparator.naturalOrder())
                .map(last -> new PresenceGap(last, now))
                .orElse(null);
    }

    /** Returns the gaps within a period, as far as they are known. */
    List<PresenceGap> gaps(Instant from, Instant until) {
        List<PresenceGap> gaps = new ArrayList<>();
        Instant covered = knownSince != null && knownSince.isAfter(from) ? knownSince : from;
        List<SessionLife> byStart = lives.stream()
                .sorted(Comparator.comparing(SessionLife::startedAt))
                .toList();
        for (SessionLife life : knownSince == null ? List.<SessionLife>of() : byStart) {
            Instant start = earlier(life.startedAt(), until);
            addIfLong(gaps, new PresenceGap(covered, start));
            covered = later(covered, life.silent() ? life.heartbeatAt() : until);
        }
        if (knownSince != null) {
            addIfLong(gaps, new PresenceGap(covered, until));
        }
        return gaps;
    }

    private static void addIfLong(List<PresenceGap> gaps, PresenceGap gap) {
        if (Duration.between(gap.from, gap.until).compareTo(SHORT) >= 0) {
            gaps.add(gap);
        }
    }

    static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
