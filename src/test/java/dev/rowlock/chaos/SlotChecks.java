package dev.rowlock.chaos;

import dev.rowlock.chaos.Evidence.Launch;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Version;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Overlap;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A node has so many slots and no more, and one that is full keeps nothing that another could start. */
final class SlotChecks {

    /** A node learns of another number with its heartbeat; what has not heard for longer starts nothing. */
    private static final long LEARNT_MILLIS = ChaosNode.LONG_TIMEOUT.toMillis();

    /** What is due is prepared some seconds before. */
    private static final long AHEAD_MILLIS = 5000;

    /** Others leave it to the node that has prepared it for a second, and start it within a few more. */
    private static final long ALLOWED_MILLIS = 6000;

    private static final Set<Overlap> WAITS_FOR_OTHERS = Set.of(Overlap.QUEUE, Overlap.REPLACE);

    private final Evidence evidence;
    private final Findings findings;
    /** By node: how many commands of one session it executed from each moment on. */
    private final Map<String, NavigableMap<Long, Integer>> load = new HashMap<>();

    private long judged;
    private long worst;

    SlotChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
    }

    void check(List<Execution> all) {
        Map<String, NavigableMap<Long, Integer>> bySession = new HashMap<>();
        for (Execution run : all) {
            count(bySession.computeIfAbsent(run.launch().first().session(), s -> new TreeMap<>()), run);
            count(load.computeIfAbsent(run.node(), n -> new TreeMap<>()), run);
        }
        bySession.values().forEach(SlotChecks::sum);
        load.values().forEach(SlotChecks::sum);
        for (Execution run : all) {
            hasSlot(run, bySession.get(run.launch().first().session()));
        }
        Map<String, Launch> launches = evidence.launches();
        evidence.ledger().history().stream()
                .filter(this::waitsForNothing)
                .forEach(row -> isNotKept(row, launches.get(String.valueOf(row.launch()))));
        findings.judged(judged + " occurrences were due while a node was full and another idle, and no fault near;"
                + " the latest started after " + Texts.seconds(worst));
    }

    private static void count(NavigableMap<Long, Integer> changes, Execution run) {
        changes.merge(run.from(), 1, Integer::sum);
        changes.merge(run.until(), -1, Integer::sum);
    }

    private static void sum(NavigableMap<Long, Integer> changes) {
        int running = 0;
        for (Map.Entry<Long, Integer> change : changes.entrySet()) {
            running += change.getValue();
            change.setValue(running);
        }
    }

    private static int most(@Nullable NavigableMap<Long, Integer> load, long from, long until) {
        if (load == null) {
            return 0;
        }
        Map.Entry<Long, Integer> before = load.floorEntry(from);
        int most = before == null ? 0 : before.getValue();
        for (int running : load.subMap(from, true, until, true).values()) {
            most = Math.max(most, running);
        }
        return most;
    }

    private void hasSlot(Execution run, NavigableMap<Long, Integer> session) {
        int slots = evidence.conditions().mostSlots(run.node(), run.decided() - LEARNT_MILLIS, run.from());
        int running = most(session, run.from(), run.from());
        if (running > slots && run.from() < run.until()) {
            findings.add(
                    Kind.CROWDED, "node " + run.node() + " with " + slots + " slots executed " + running + ": " + run);
        }
    }

    /** What runs as soon as its time has come, on any node that it matches. */
    private boolean waitsForNothing(Ended row) {
        if (!row.isScheduled()
                || row.attempt() > 1
                || !row.cause().equals("SCHEDULE")
                || row.key().contains(HungDirectory.JOBS)
                || (row.started() == null && !row.outcome().equals("MISSED"))) {
            return false;
        }
        Instant until = row.started() == null ? row.ended() : row.started();
        return evidence.ledger().definitions(row.job(), row.fire(), until.plusMillis(1)).stream()
                        .allMatch(SlotChecks::waitsForNothing)
                && evidence.ledger().versions().get(row.job()).stream()
                        .noneMatch(version -> isPaused(version, row.fire(), until))
                && !evidence.mayBeHeld(row, evidence.uptimeOf(row.fire()), evidence.uptimeOf(until));
    }

    static boolean waitsForNothing(JobDefinition job) {
        return !WAITS_FOR_OTHERS.contains(job.overlap())
                && job.jitter() == null
                && job.group() == null
                && job.maxPerNode() == null
                && !job.broadcast();
    }

    private static boolean isPaused(Version version, Instant from, Instant until) {
        return version.paused()
                && !version.from().isAfter(until)
                && (version.until() == null || !version.until().isBefore(from));
    }

    private void isNotKept(Ended row, @Nullable Launch launch) {
        long due = evidence.uptimeOf(row.fire());
        long started = launch != null
                ? launch.fromUptime()
                : evidence.uptimeOf(row.started() == null ? row.ended() : row.started());
        if (started < due || !evidence.isQuiet(due, started)) {
            return;
        }
        List<String> full = evidence.takingWork(due, due).stream()
                .filter(node -> wasFull(node, due - AHEAD_MILLIS, started))
                .toList();
        List<String> idle = evidence.takingWork(due - AHEAD_MILLIS, started).stream()
                .filter(node -> !wasFull(node, due - AHEAD_MILLIS, started))
                .filter(node -> matches(node, row, due, started))
                .toList();
        if (full.isEmpty() || idle.isEmpty()) {
            return;
        }
        judged++;
        worst = Math.max(worst, started - due);
        long late = started - due - ALLOWED_MILLIS;
        if (late > evidence.stalls().within(due, started)) {
            findings.add(
                    Kind.LATE,
                    (row.started() == null ? "missed" : "started") + " after " + Texts.seconds(started - due)
                            + " while " + full + " was full and " + idle + " idle: " + row);
        }
    }

    private boolean wasFull(String node, long from, long until) {
        int slots = evidence.conditions().fewestSlots(node, from - LEARNT_MILLIS, until);
        return most(load.get(node), from, until) >= slots;
    }

    private boolean matches(String node, Ended row, long due, long started) {
        return evidence.ledger().definitions(row.job(), row.fire(), row.ended().plusMillis(1)).stream()
                .allMatch(job ->
                        evidence.conditions().matchesAllTheWhile(node, job.nodes(), due - AHEAD_MILLIS, started));
    }
}
