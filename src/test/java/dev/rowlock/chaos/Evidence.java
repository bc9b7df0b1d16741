package dev.rowlock.chaos;

import dev.rowlock.chaos.Ledger.Ended;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that a run has left behind.
 *
 * @param gone session id → uptime by which it was certainly gone
 * @param offsetMillis the database's time in milliseconds since 1970 minus the uptime
 * @param judgedUntil fire times up to here must be accounted for
 * @param takenBack tasks of which a node says that it took their start back, as no command had been started
 * @param stalls when the machine itself let everybody wait
 * @param conditions what nodes and groups were set to
 * @param asked what operators have asked for besides runs
 */
record Evidence(
        Ledger ledger,
        List<Mark> marks,
        Map<String, Long> gone,
        List<Injected> injected,
        List<Operators.Run> runs,
        long offsetMillis,
        Instant judgedUntil,
        Set<Long> takenBack,
        Stalls stalls,
        Conditions conditions,
        List<SessionWatch.Presence> sessions,
        Asked asked) {

    /** One launch as its own marks tell of it. */
    record Launch(String id, List<Mark> marks) {

        Mark first() {
            return marks.get(0);
        }

        long fromUptime() {
            return first().uptimeMillis();
        }

        long untilUptime() {
            return marks.stream().mapToLong(Mark::uptimeMillis).max().orElseThrow();
        }

        /** The exit code that it has announced; -1 if it did not come to its end. */
        int exitCode() {
            return marks.stream()
                    .filter(m -> m.kind() == Mark.Kind.END)
                    .mapToInt(Mark::exitCode)
                    .findFirst()
                    .orElse(-1);
        }

        long count(Mark.Kind kind) {
            return marks.stream().filter(m -> m.kind() == kind).count();
        }

        @Override
        public String toString() {
            Mark start = first();
            return "launch " + id + " of " + start.job() + " (task " + start.task() + ", fire time " + start.fireTime()
                    + ", attempt " + start.attempt() + ", " + start.cause() + ", node " + start.node() + ", uptime "
                    + fromUptime() + " to " + untilUptime() + ", exit code " + exitCode() + ")";
        }
    }

    /** By launch id. */
    Map<String, Launch> launches() {
        Map<String, List<Mark>> byLaunch = new LinkedHashMap<>();
        marks.forEach(m ->
                byLaunch.computeIfAbsent(m.launch(), id -> new ArrayList<>()).add(m));
        Map<String, Launch> launches = new LinkedHashMap<>();
        byLaunch.forEach((id, own) -> launches.put(id, new Launch(id, own)));
        return launches;
    }

    /** Whether no fault reached into this stretch, or ended so shortly before that it may still be felt. */
    boolean isQuiet(long from, long until) {
        return injected.stream().noneMatch(f -> f.touches(from - Lateness.AFTERMATH_MILLIS, until));
    }

    /** Whether the database's clock was wrong at some moment of this stretch. */
    boolean wasClockWrong(long from, long until) {
        return injected.stream().anyMatch(f -> f.kind() == FaultKind.DATABASE_CLOCK && f.touches(from, until));
    }

    /** Nodes that were there and took work all the while. */
    Set<String> takingWork(long from, long until) {
        Set<String> nodes = new LinkedHashSet<>();
        for (SessionWatch.Presence session : sessions) {
            if (session.fromMillis() <= from
                    && session.untilMillis() >= until
                    && !conditions.mayBeDrained(session.node(), from, until)) {
                nodes.add(session.node());
            }
        }
        return nodes;
    }

    /** Whether operators have left some node undrained, with all of its slots, all the while. */
    boolean wasRoom(long from, long until) {
        return sessions.stream()
                .map(SessionWatch.Presence::node)
                .anyMatch(node -> !conditions.mayBeDrained(node, from, until)
                        && conditions.fewestSlots(node, from, until) >= Conditions.SLOTS);
    }

    /** Whether its job was paused at some moment from its fire time to its end. */
    boolean wasPaused(Ended row) {
        return ledger.versions().get(row.job()).stream()
                .anyMatch(v -> v.paused()
                        && !v.from().isAfter(row.ended())
                        && (v.until() == null || !v.until().isBefore(row.fire())));
    }

    /** Whether a freeze, or a task of a backfill, may have been in the way of a row at some moment of this stretch. */
    boolean mayBeHeld(Ended row, long from, long until) {
        Map<String, String> labels = ledger.versionOf(row).definition().labels();
        return asked.freezes.stream()
                        .anyMatch(freeze -> freeze.covers(row.key(), labels)
                                && freeze.span(this).mayHold(from, until))
                || ledger.backfills().stream()
                        .anyMatch(backfill -> backfill.job() == row.job()
                                && backfill.over() != null
                                && uptimeOf(backfill.created()) <= until
                                && uptimeOf(backfill.over()) >= from);
    }

    long uptimeOf(Instant databaseTime) {
        return databaseTime.toEpochMilli() - offsetMillis;
    }

    /** What the database's clock shows at that moment, if it is right. */
    Instant timeOf(long uptimeMillis) {
        return Instant.ofEpochMilli(uptimeMillis + offsetMillis);
    }

    /** When the database's clock, which may have been set back, has shown that time last. */
    long latestUptimeOf(Instant databaseTime) {
        long latest = uptimeOf(databaseTime);
        for (Injected fault : injected) {
            long shown = uptimeOf(databaseTime) - DatabaseClock.stepOf(fault).toMillis();
            if (fault.touches(shown, shown)) {
                latest = Math.max(latest, shown);
            }
        }
        return latest;
    }
}
