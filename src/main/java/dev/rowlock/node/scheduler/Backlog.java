package dev.rowlock.node.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backlog of this node: how late what it has prepared is, and why. It is logged once when the node falls behind and
 * once when it has caught up. {@link #observe} and {@link #nothing} are for one thread, all else for any.
 */
public final class Backlog {

    /** Lateness, and time for which it lasts, of a node that is behind: a late start alone says nothing. */
    static final Duration BEHIND = Duration.ofSeconds(2);
    /** Greatest lateness, through all of {@link #CALM}, of a node that has caught up. */
    static final Duration ON_TIME = Duration.ofMillis(500);

    static final Duration CALM = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Backlog.class);

    private final LongSupplier nanos;
    private final IntSupplier slots;
    private volatile @Nullable Oldest oldest;
    private @Nullable Long lateSince;
    private @Nullable Long calmSince;
    private boolean said;
    private Duration worst = Duration.ZERO;

    /** Reason why due tasks wait. */
    public enum BacklogReason {
        /** Wait for a slot: as many commands run as may. */
        SLOTS,
        /** Wait for its turn: more becomes due than the node and its database can start. */
        PACE
    }

    private record Oldest(Instant dueAt, BacklogReason reason) {}

    /**
     * @param nanos the monotonic clock
     * @param slots how many the node has
     */
    Backlog(LongSupplier nanos, IntSupplier slots) {
        this.nanos = nanos;
        this.slots = slots;
    }

    /** Returns the lateness of the task that has waited longest, if it waits for this reason; zero if none does. */
    public Duration late(BacklogReason reason, Instant now) {
        Oldest known = oldest;
        return known == null || known.reason != reason ? Duration.ZERO : late(known, now);
    }

    /** Notes that nothing waits here, or nothing that this node might start. */
    void nothing() {
        oldest = null;
        calm();
    }

    /**
     * Notes that something waits; call at least once a second.
     *
     * @param dueAt of the task that has waited longest
     * @param due counts what is due; called only for a log line
     */
    void observe(Instant dueAt, BacklogReason reason, Instant now, IntSupplier due) {
        Oldest known = new Oldest(dueAt, reason);
        oldest = known;
        Duration late = late(known, now);
        if (late.compareTo(ON_TIME) < 0) {
            calm();
            return;
        }
        calmSince = null;
        worst = worst.compareTo(late) < 0 ? late : worst;
        if (late.compareTo(BEHIND) < 0) {
            lateSince = said ? lateSince : null;
            return;
        }
        long since = lateSince == null ? nanos.getAsLong() : lateSince;
        lateSince = since;
        if (!said && since(since).compareTo(BEHIND) >= 0) {
            said = true;
            log.warn(
                    "This node is behind: {} tasks or more are due, the oldest for {} s; {}",
                    due.getAsInt(),
                    seconds(late),
                    why(reason));
        }
    }

    private String why(BacklogReason reason) {
        return switch (reason) {
            case SLOTS ->
                "none of its " + slots.getAsInt() + " slots is free. Look at what runs (view v_running); raise"
                        + " node.capacity if the machine bears it, or add a node";
            case PACE ->
                "more becomes due than it can start. Add a node, spread the fire times with jitter, or see"
                        + " whether the database is slow (rowlock_database_transaction_seconds)";
        };
    }

    private void calm() {
        long now = nanos.getAsLong();
        long since = calmSince == null ? now : calmSince;
        calmSince = since;
        if (!said) {
            lateSince = null;
            worst = Duration.ZERO;
        } else if (since(since).compareTo(CALM) >= 0 && lateSince != null) {
            log.info(
                    "This node has caught up after {} s; what it started was up to {} s late",
                    seconds(since(lateSince).minus(since(since))),
                    seconds(worst));
            said = false;
            lateSince = null;
            worst = Duration.ZERO;
        }
    }

    private Duration since(long when) {
        return Duration.ofNanos(nanos.getAsLong() - when);
    }

    private static Duration late(Oldest known, Instant now) {
        Duration late = Duration.between(known.dueAt, now);
        return late.isNegative() ? Duration.ZERO : late;
    }

    private static String seconds(Duration duration) {
        return duration.toSeconds() + "." + duration.toMillisPart() / 100;
    }
}
