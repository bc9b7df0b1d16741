package dev.rowlock.explain;

import dev.rowlock.store.session.SessionLog;
import dev.rowlock.store.session.SessionLog.Life;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes were in contact with the database, and when none was.
 *
 * @param knownSince null: that is not known
 */
record Presence(List<Life> lives, @Nullable Instant knownSince) {

    /** More that ended within the time that a task waited are a flood, of which the log tells. */
    private static final int MOST = 1_000;
    /** A node that is replaced is away for that long, and nobody would ask. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** A time in which no node was there; it may go on. */
    record Gap(Instant from, Instant until) {
        long millis() {
            return Duration.between(from, until).toMillis();
        }
    }

    static Presence between(SessionLog log, Instant from, Instant until) {
        List<Life> lives = log.between(from, until, MOST);
        long ended = lives.stream().filter(life -> life.goneAt() != null).count();
        return new Presence(lives, ended == MOST ? null : log.knownSince());
    }

    boolean isKnownAt(Instant t) {
        return knownSince != null && !t.isBefore(knownSince);
    }

    /** By node. */
    List<Life> at(Instant t) {
        return lives.stream()
                .filter(life -> life.isThereAt(t))
                .sorted(Comparator.comparing(Life::node))
                .toList();
    }

    Optional<Life> session(@Nullable String id) {
        return lives.stream().filter(life -> life.id().equals(id)).findFirst();
    }

    /** That in which no node is there; null: one is, or it is not known. */
    @Nullable
    Gap goingOn(Instant now) {
        if (!isKnownAt(now) || lives.stream().anyMatch(life -> life.isThereAt(now))) {
            return null;
        }
        return lives.stream()
                .map(Life::heartbeatAt)
                .max(Comparator.naturalOrder())
                .map(last -> new Gap(last, now))
                .orElse(null);
    }

    /** What of that time no node was there, as far as it is known. */
    List<Gap> gaps(Instant from, Instant until) {
        List<Gap> gaps = new ArrayList<>();
        Instant covered = knownSince != null && knownSince.isAfter(from) ? knownSince : from;
        List<Life> byStart =
                lives.stream().sorted(Comparator.comparing(Life::startedAt)).toList();
        for (Life life : knownSince == null ? List.<Life>of() : byStart) {
            Instant start = earlier(life.startedAt(), until);
            addIfLong(gaps, new Gap(covered, start));
            covered = later(covered, life.silent() ? life.heartbeatAt() : until);
        }
        if (knownSince != null) {
            addIfLong(gaps, new Gap(covered, until));
        }
        return gaps;
    }

    private static void addIfLong(List<Gap> gaps, Gap gap) {
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
