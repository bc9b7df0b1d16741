package dev.rowlock.node;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.DatabaseClock.Doubt;
import dev.rowlock.cluster.store.ClockNotes;
import dev.rowlock.cluster.store.ClockNotes.NotedLeap;
import dev.rowlock.cluster.store.ClockNotes.Notes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch over the database's clock. It logs that the clock has leapt ahead, tells nodes that start meanwhile, and
 * notices that an operator has accepted it. The clock also leaps for a node that its hypervisor paused: a node that has
 * read it all the time bears witness. Reads nothing while no node is in doubt.
 */
public final class ClockWatch implements Step {

    private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);
    private static final Duration REST = Duration.ofSeconds(2);

    private final DatabaseClock clock;
    private final LongSupplier nanos;
    private final ClockNotes notes;
    private @Nullable Instant said;
    private @Nullable Instant told;
    private volatile @Nullable Instant ahead;

    public ClockWatch(DatabaseClock clock, LongSupplier nanos, ClockNotes notes) {
        this.clock = clock;
        this.nanos = nanos;
        this.notes = notes;
    }

    /** Returns the problem for operators; empty if there is none. */
    public static Optional<String> problem(DatabaseClock clock) {
        return clock.doubt()
                .map(doubt -> "the database's clock leapt ahead by "
                        + doubt.by().toSeconds()
                        + " s: nothing is started, missed or deleted until it is set back, has stood for another "
                        + doubt.left().toSeconds() + " s, or POST /api/v1/cluster/clock/accept says that it is right");
    }

    /**
     * Returns why times of the tables lie ahead of the clock, for operators; empty: none did when this node started.
     */
    public Optional<String> behind() {
        Instant latest = ahead;
        if (latest == null || !clock.isKnown() || !clock.now().isBefore(latest)) {
            return Optional.empty();
        }
        return Optional.of("the database's clock shows " + clock.now().truncatedTo(ChronoUnit.SECONDS)
                + ", and its tables know of " + latest.truncatedTo(ChronoUnit.SECONDS)
                + ": it was set back, or is that of another server, as after a restore. What was scheduled ahead"
                + " starts when it gets there: set it right, or let jobs go on from now"
                + " (POST /api/v1/jobs/{ns}/{name}/reschedule)");
    }

    /** Returns why times of the tables lie ahead of the clock, or that none do, or that it is not known yet. */
    public String said() {
        return behind().orElse(
                        clock.isKnown()
                                ? "not behind what the tables know of"
                                : "not known yet: this node has not read the database's time");
    }

    /** Compares the clock with the times of its tables. Called before the clock is first read. */
    private void compare() {
        ClockNotes.Latest latest = notes.latest();
        if (latest.noted().isAfter(latest.now().plus(DatabaseClock.STEP))) {
            ahead = latest.noted();
            log.error(
                    "the database's clock shows {}, and its tables know of {}: set it right before jobs run, see"
                            + " docs/operations.md, Restore",
                    latest.now(),
                    latest.noted());
        }
    }

    /**
     * Adopts the doubts of others before the clock is first read. A node that starts while it is wrong could not know.
     */
    public void recall() {
        if (clock.isKnown()) {
            return;
        }
        compare();
        long askedNanos = nanos.getAsLong();
        Notes noted = notes.read();
        noted.doubt().filter(doubt -> stands(doubt, noted)).ifPresent(doubt -> {
            clock.recall(
                    doubt.before().orElse(Instant.MIN),
                    doubt.since(),
                    doubt.by(),
                    noted.now(),
                    askedNanos,
                    nanos.getAsLong());
        });
    }

    private static boolean stands(NotedLeap doubt, Notes noted) {
        boolean accepted = noted.accepted()
                .filter(at -> !at.isBefore(doubt.since()) && !at.isAfter(noted.now()))
                .isPresent();
        return !accepted
                && !noted.now().isBefore(doubt.since())
                && noted.now().isBefore(doubt.since().plus(DatabaseClock.STANDS));
    }

    @Override
    public Pass runOnce() {
        Optional<Doubt> doubt = clock.doubt();
        if (doubt.isPresent()) {
            tell(doubt.get());
            hear(notes.read(), doubt.get());
        } else if (clock.isDoubtedByAny()) {
            bearWitness();
        }
        if (told != null && clock.doubt().isEmpty()) {
            if (clock.now().isBefore(told)) {
                notes.dueAgain(); // it has come back
            }
            notes.clear();
            log.warn("the database's clock is in no doubt any more: it is {} now", clock.now());
            told = null;
        }
        return Pass.rest(REST);
    }

    private void hear(Notes noted, Doubt doubt) {
        if (noted.doubt().isEmpty()) {
            write(doubt); // another node's doubt had replaced ours, and is over
        }
        noted.accepted().filter(clock::accept).ifPresent(at -> {
            log.warn("the database's clock was accepted by an operator: it is {} now", at);
        });
        noted.witness().filter(seen -> clock.wentBy(seen.from(), seen.to())).ifPresent(seen -> {
            log.warn(
                    "this node was paused: another one has read the database's clock without a leap from {} to {}",
                    seen.from(),
                    seen.to());
        });
    }

    /**
     * Testifies only to what this node has seen itself, see {@link DatabaseClock#steadyFrom}, and deletes doubts that
     * nobody else will.
     */
    private void bearWitness() {
        long askedNanos = nanos.getAsLong();
        Notes noted = notes.read();
        noted.doubt().ifPresent(doubt -> {
            if (!stands(doubt, noted)) {
                notes.forget(doubt);
            } else {
                clock.steadyFrom(noted.now(), askedNanos)
                        .filter(from -> from.isBefore(doubt.since()) && !isKnown(from, doubt, noted))
                        .ifPresent(from -> notes.write(new ClockNotes.Witness(from, noted.now())));
            }
        });
    }

    /**
     * Returns whether another node has testified to as much. The one that has read the clock for longest goes on, as
     * there may be several doubts.
     */
    private static boolean isKnown(Instant from, NotedLeap doubt, Notes noted) {
        return noted.witness()
                .filter(other -> !other.to().isBefore(doubt.since())
                        && !other.from().plus(DatabaseClock.STEP).isAfter(from))
                .isPresent();
    }

    private void tell(Doubt doubt) {
        if (!doubt.since().equals(said)) {
            problem(clock).ifPresent(log::error);
            said = doubt.since();
        }
        if (!doubt.since().equals(told)) {
            write(doubt);
            told = doubt.since();
        }
    }

    private void write(Doubt doubt) {
        notes.write(new NotedLeap(Optional.of(doubt.before()), doubt.since(), doubt.by()));
    }
}
