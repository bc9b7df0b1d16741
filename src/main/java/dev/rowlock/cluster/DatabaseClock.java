package dev.rowlock.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Estimate of the database's time between samples, by the monotonic clock: the sample of the last minute with the
 * smallest round trip counts. A sample that does not fit replaces all (the clock was set, or another server answers),
 * unless it leaps ahead by more than {@link #STEP} and not just back to where it had been. All that such a leap skips
 * would be missed, and young history deleted. So it is in doubt until it has stood for {@link #STANDS} or somebody has
 * accepted it; meanwhile the time goes on as if there had been no leap. Thread-safe.
 */
public final class DatabaseClock {

    /** Size from which a leap ahead is doubted. */
    public static final Duration STEP = Duration.ofMinutes(1);

    /** Time that a leap has to stand until it is believed. */
    public static final Duration STANDS = Duration.ofMinutes(5);

    /** Time within which a clock that was set back may return without being doubted. */
    private static final Duration REMEMBERED = Duration.ofDays(1);

    private static final Duration KEPT = Duration.ofMinutes(1);
    /** Bound on the drift of a crystal: less than one part in this many. */
    private static final long DRIFT_DIVISOR = 5_000;

    /**
     * @param epochNanosAtZero what the database's clock showed, at the least, when the monotonic clock was zero
     * @param widthNanos how much later it may have been: the round trip
     * @param uptimeMillis how long the machine had been up
     */
    private record Sample(long epochNanosAtZero, long widthNanos, long takenNanos, long uptimeMillis) {

        boolean agreesWith(Sample earlier) {
            long slack = Math.max(0, takenNanos - earlier.takenNanos) / DRIFT_DIVISOR;
            return epochNanosAtZero <= earlier.epochNanosAtZero + earlier.widthNanos + slack
                    && earlier.epochNanosAtZero <= epochNanosAtZero + widthNanos + slack;
        }

        /** Returns the time that the database's clock showed. */
        Instant shown() {
            return instant(epochNanosAtZero + takenNanos);
        }

        /**
         * Returns how much the database's clock gained on the monotonic one, which stands still while the machine is
         * suspended.
         */
        Duration gainedSince(Sample earlier) {
            long up = (uptimeMillis - earlier.uptimeMillis) * 1_000_000;
            long suspended = Math.max(0, up - (takenNanos - earlier.takenNanos));
            return Duration.ofNanos(epochNanosAtZero - earlier.epochNanosAtZero - earlier.widthNanos - suspended);
        }
    }

    /**
     * Leap that is not believed yet.
     *
     * @param before what the database's clock showed when it was last read without doubt
     * @param since what it showed when the leap was noticed
     * @param by how far it leapt ahead
     * @param left how long until it is believed if it stands
     */
    public record Doubt(Instant before, Instant since, Duration by, Duration left) {}

    private record Leap(Sample first, Sample last, Instant before, Instant since, Duration by) {}

    private final LongSupplier nanos;
    private final LongSupplier uptimeMillis;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private @Nullable Leap leap;
    /** Last sample before the clock was set back. */
    private @Nullable Sample before;

    private @Nullable Long knownNanos;

    /** Time that the database's clock showed when it was first read, or was last set by much. */
    private Instant steadyFrom = Instant.MAX;

    private volatile boolean doubtedByAny;

    /** @param uptimeMillis how long the machine has been up, suspended or not, unlike the monotonic clock */
    public DatabaseClock(LongSupplier nanos, LongSupplier uptimeMillis) {
        this.nanos = nanos;
        this.uptimeMillis = uptimeMillis;
    }

    /** Notes the time that the database's clock showed between two readings of the monotonic clock. */
    public synchronized void sample(Instant databaseTime, long askedNanos, long answeredNanos) {
        long epochNanos = Math.addExact(
                Math.multiplyExact(databaseTime.getEpochSecond(), 1_000_000_000L), databaseTime.getNano());
        Sample fresh = new Sample(
                epochNanos - answeredNanos, answeredNanos - askedNanos, answeredNanos, uptimeMillis.getAsLong());
        knownNanos = knownNanos == null ? Long.valueOf(answeredNanos) : knownNanos;
        Sample last = samples.peekLast();
        if (last == null || fresh.agreesWith(last)) {
            steadyFrom = last == null ? databaseTime : steadyFrom;
            leap = null;
            add(fresh);
        } else if (fresh.gainedSince(last).compareTo(STEP) <= 0) {
            remember(last, fresh);
            replaceBy(fresh);
        } else if (before != null && returnsTo(before, fresh)) {
            replaceBy(fresh);
        } else {
            doubt(fresh, last.shown(), databaseTime, fresh.gainedSince(last));
        }
    }

    private void remember(Sample last, Sample fresh) {
        boolean setBack = fresh.gainedSince(last).compareTo(STEP.negated()) < 0;
        if (setBack && (before == null || !returnsTo(before, last))) {
            before = last;
        }
    }

    private static boolean returnsTo(Sample before, Sample fresh) {
        return fresh.takenNanos() - before.takenNanos() < REMEMBERED.toNanos()
                && fresh.gainedSince(before).compareTo(STEP) <= 0;
    }

    /**
     * Takes over a doubt of other nodes, which counts from when theirs began. Call before the first sample.
     *
     * @param before see {@link Doubt}
     * @param shown what the database's clock shows now
     */
    public synchronized void recall(
            Instant before, Instant since, Duration by, Instant shown, long askedNanos, long answeredNanos) {
        sample(shown.minus(by), askedNanos, answeredNanos);
        Sample right = samples.getLast();
        long atZero = right.epochNanosAtZero() + by.toNanos();
        long began = answeredNanos - Duration.between(since, shown).toNanos();
        leap = new Leap(
                new Sample(atZero, right.widthNanos(), began, right.uptimeMillis()),
                new Sample(atZero, right.widthNanos(), answeredNanos, right.uptimeMillis()),
                before,
                since,
                by);
    }

    private void doubt(Sample fresh, Instant lastShown, Instant shown, Duration by) {
        if (leap == null || fresh.gainedSince(leap.last()).abs().compareTo(STEP) > 0) {
            leap = new Leap(fresh, fresh, leap == null ? lastShown : leap.before(), shown, by);
            return;
        }
        leap = new Leap(leap.first(), fresh, leap.before(), leap.since(), leap.by());
        if (fresh.takenNanos() - leap.first().takenNanos() >= STANDS.toNanos()) {
            replaceBy(fresh);
        }
    }

    private void replaceBy(Sample fresh) {
        if (leap != null || fresh.gainedSince(samples.getLast()).abs().compareTo(STEP) > 0) {
            steadyFrom = fresh.shown();
        }
        leap = null;
        samples.clear();
        samples.addLast(fresh);
    }

    private void add(Sample fresh) {
        samples.removeIf(old -> fresh.takenNanos() - old.takenNanos() > KEPT.toNanos());
        samples.addLast(fresh);
    }

    /** Returns the leap in doubt, if any. */
    public synchronized Optional<Doubt> doubt() {
        return Optional.ofNullable(leap).map(l -> {
            Duration stood = Duration.ofNanos(nanos.getAsLong() - l.first().takenNanos());
            Duration left = STANDS.minus(stood);
            return new Doubt(l.before(), l.since(), l.by(), left.isNegative() ? Duration.ZERO : left);
        });
    }

    /**
     * Accepts an operator's word that the clock was right when it showed {@code at}. Returns false if that was about
     * another leap.
     */
    public synchronized boolean accept(Instant at) {
        if (leap == null
                || at.isBefore(leap.since())
                || at.isAfter(showing(leap.last()).plus(STEP))) {
            return false;
        }
        replaceBy(leap.last());
        return true;
    }

    /**
     * Returns since when this node has read the clock without a leap, in the clock's own time; empty if the clock does
     * not show now what it should. Only a node that has seen all of the time between can vouch for another's clock.
     *
     * @param shown what the database's clock shows, read at {@code askedNanos} or a little later
     */
    public synchronized Optional<Instant> steadyFrom(Instant shown, long askedNanos) {
        boolean asExpected = leap == null
                && !samples.isEmpty()
                && Duration.between(at(askedNanos), shown).abs().compareTo(STEP.dividedBy(2)) < 0;
        return asExpected ? Optional.of(steadyFrom) : Optional.empty();
    }

    /**
     * Accepts a leap that another node did not see between two times: this node was paused. Returns false if there is
     * no doubt, or if the other has not seen all of the time that this one missed.
     */
    public synchronized boolean wentBy(Instant from, Instant to) {
        return leap != null && !from.isAfter(leap.before()) && accept(to);
    }

    /** Returns whether this node, or another, had announced a doubt as of the last heartbeat. */
    public boolean isDoubtedByAny() {
        return doubtedByAny;
    }

    /** Notes whether any node has announced a doubt. */
    public void doubtedByAny(boolean doubted) {
        doubtedByAny = doubted;
    }

    /**
     * Returns whether this time may be written down: the clock has been read, and this time does not put it in doubt.
     */
    public synchronized boolean isBelieved(Instant shown) {
        return isKnown() && !shown.isAfter(latest());
    }

    /**
     * Returns whether the clock may be trusted with a step that cannot be undone: it is not in doubt, and was not first
     * read just now.
     *
     * @param kept how old is what would be deleted; a clock that was right for so long need not stand for longer
     */
    public synchronized boolean mayDelete(Duration kept) {
        Duration stands = kept.isZero() || kept.compareTo(STANDS) > 0 ? STANDS : kept;
        return leap == null && knownNanos != null && nanos.getAsLong() - knownNanos >= stands.toNanos();
    }

    /** Returns the latest time that the clock may show without being in doubt. */
    public Instant latest() {
        return now().plus(STEP);
    }

    private Instant showing(Sample sample) {
        return instant(sample.epochNanosAtZero() + nanos.getAsLong());
    }

    /** Returns the database's time now. Asking before the first sample is a mistake. */
    public Instant now() {
        return at(nanos.getAsLong());
    }

    /** Returns a lower bound of the database's time: what has passed by then has passed. */
    public synchronized Instant earliest() {
        return instant(best().epochNanosAtZero() + nanos.getAsLong());
    }

    /** Returns the best estimate of the database's time at a moment of the monotonic clock. */
    public synchronized Instant at(long atNanos) {
        Sample best = best();
        return instant(best.epochNanosAtZero() + best.widthNanos() / 2 + atNanos);
    }

    /** Returns the sample with the shortest round trip. */
    private Sample best() {
        Sample best = null;
        for (Sample sample : samples) {
            best = best == null || sample.widthNanos() <= best.widthNanos() ? sample : best;
        }
        if (best == null) {
            throw new IllegalStateException("the database's clock has not been read yet");
        }
        return best;
    }

    private static Instant instant(long epochNanos) {
        return Instant.ofEpochSecond(
                Math.floorDiv(epochNanos, 1_000_000_000L), Math.floorMod(epochNanos, 1_000_000_000L));
    }

    public synchronized boolean isKnown() {
        return !samples.isEmpty();
    }
}
