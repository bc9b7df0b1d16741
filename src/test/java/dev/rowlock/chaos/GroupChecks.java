package dev.rowlock.chaos;

import dev.rowlock.chaos.Asked.Stop;
import dev.rowlock.chaos.Asked.Waiting;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Version;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Overlap;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** No more of a group execute than its limit lets start, none while that is 0, and what waited starts once it is not. */
final class GroupChecks {

    private static final long ALLOWED_MILLIS = 5000;

    private final Evidence evidence;
    private final Findings findings;
    private final Map<Long, Ended> history = new HashMap<>();
    private Map<String, List<Execution>> groups = Map.of();

    GroupChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        evidence.ledger().history().forEach(row -> history.put(row.id(), row));
    }

    void check(List<Execution> all) {
        groups = all.stream()
                .filter(e -> e.definition().group() != null)
                .collect(Collectors.groupingBy(
                        e -> Objects.requireNonNull(e.definition().group())));
        groups.forEach(this::notMoreThanItsLimit);
        List<Stop> stops = evidence.asked().stops;
        long judged = stops.stream().filter(this::goesOn).count();
        findings.judged(stops.size() + " groups were stopped, for "
                + Texts.seconds(stops.stream()
                        .mapToLong(stop -> stop.until() - stop.from())
                        .sum())
                + " in all, with up to "
                + stops.stream().mapToInt(Stop::most).max().orElse(0) + " tasks behind one; " + judged
                + " were judged when they went on");
    }

    /** A limit that is lowered kills nothing: what counts is whether one more might start. */
    private void notMoreThanItsLimit(String group, List<Execution> runs) {
        for (Execution next : runs) {
            int limit = evidence.conditions().highestLimit(group, next.decided(), next.from());
            if (next.others(runs) >= limit) {
                findings.add(
                        Kind.CROWDED,
                        "group " + group + " with a limit of at most " + limit + " had " + next.others(runs)
                                + " others at the start of " + next);
            }
        }
    }

    /** False: nobody can say whether anything should have started. */
    private boolean goesOn(Stop stop) {
        long until = stop.opened() + ALLOWED_MILLIS;
        List<Execution> runs = groups.getOrDefault(stop.group(), List.of());
        long running = runs.stream()
                .filter(run -> run.from() < stop.until() && run.until() >= stop.until())
                .count();
        List<Waiting> ready =
                stop.waiting().stream().filter(seen -> couldStart(seen, stop)).toList();
        if (ready.isEmpty()
                || !evidence.isQuiet(stop.until(), until)
                || evidence.conditions().lowestLimit(stop.group(), stop.opened() + 1, until) <= running
                || evidence.takingWork(stop.until(), until).stream()
                        .noneMatch(node -> hasRoom(node, stop.until(), until))) {
            return false;
        }
        long stalled = evidence.stalls().within(stop.opened(), until + ALLOWED_MILLIS);
        if (runs.stream().noneMatch(run -> run.from() >= stop.until() && run.from() <= until + stalled)) {
            findings.add(
                    Kind.LATE,
                    "nothing of group " + stop.group() + " started within " + Texts.seconds(ALLOWED_MILLIS) + " after "
                            + stop.opened() + ", when its limit was no longer 0, though this waited: " + ready);
        }
        return true;
    }

    private boolean hasRoom(String node, long from, long until) {
        return evidence.conditions().fewestSlots(node, from, until) == Conditions.SLOTS;
    }

    /** Whether it certainly waited for nothing but its group, until that was opened and after. */
    private boolean couldStart(Waiting seen, Stop stop) {
        @Nullable Ended row = history.get(seen.task());
        if (row == null || !row.isScheduled() || row.cause().equals("RETRY")) {
            return false;
        }
        Instant from = evidence.timeOf(seen.at());
        Instant until = evidence.timeOf(stop.opened() + ALLOWED_MILLIS);
        Instant over = row.started() == null ? row.ended() : row.started();
        List<Version> inForce = evidence.ledger().versions().get(row.job()).stream()
                .filter(version -> version.from().isBefore(until)
                        && (version.until() == null || version.until().isAfter(from)))
                .toList();
        return over.isAfter(evidence.timeOf(stop.opened()))
                && inForce.size() == 1
                && (inForce.get(0).until() == null || inForce.get(0).until().isAfter(until))
                && !inForce.get(0).paused()
                && !evidence.mayBeHeld(row, seen.at(), stop.opened() + ALLOWED_MILLIS)
                && waitsForItsGroup(inForce.get(0).definition(), stop.group());
    }

    private static boolean waitsForItsGroup(JobDefinition job, String group) {
        return group.equals(job.group())
                && job.nodes().isEmpty()
                && job.maxPerNode() == null
                && job.startDeadline() == null
                && !job.broadcast()
                && job.overlap() != Overlap.REPLACE;
    }
}
