package dev.rowlock.chaos;

import dev.rowlock.chaos.Asked.Backfill;
import dev.rowlock.chaos.Asked.Cancel;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Backfilled;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Version;
import dev.rowlock.definition.Overlap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Each fire time of a backfill has one row and an outcome; at most so many are executed at once, and none beside
 * another occurrence of the job; what waits when it is cancelled ends with it.
 */
final class BackfillChecks {

    /** Times in the database are cut to milliseconds, uptime to hundredths of a second. */
    private static final long TICK_MILLIS = 50;

    /** What was read for an answer may be older than what history says by so much. */
    private static final long SETTLED_MILLIS = 2000;

    private static final Set<String> RUN = Set.of("SUCCEEDED", "FAILED", "TIMED_OUT", "KILLED", "LOST", "EXPANDED");

    private final Evidence evidence;
    private final Findings findings;
    private final Map<Long, List<Ended>> rows;
    private final Map<Long, List<Ended>> jobs;

    BackfillChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.rows = evidence.ledger().history().stream()
                .filter(row -> row.backfill() > 0)
                .collect(Collectors.groupingBy(Ended::backfill));
        this.jobs = evidence.ledger().history().stream().collect(Collectors.groupingBy(Ended::job));
    }

    void check(List<Execution> all) {
        Map<Long, Backfilled> stored = new HashMap<>();
        evidence.ledger().backfills().forEach(each -> stored.put(each.id(), each));
        evidence.asked().backfills.forEach(asked -> isAsAsked(asked, stored));
        stored.values().forEach(this::isWhole);
        rows.values().forEach(own -> own.forEach(this::isLeftInPeace));
        Map<Long, List<Execution>> byBackfill = all.stream()
                .filter(Execution::isOfBackfill)
                .collect(Collectors.groupingBy(run -> run.row().backfill()));
        byBackfill.forEach((id, runs) -> {
            notTooMany(stored.get(id), runs);
            inOrder(stored.get(id), runs);
        });
        all.stream()
                .collect(Collectors.groupingBy(run -> run.row().job()))
                .values()
                .forEach(this::standsBehind);
        evidence.asked().cancels.forEach(cancel -> isOver(cancel, byBackfill));
        Map<String, Long> outcomes = rows.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(Ended::outcome, TreeMap::new, Collectors.counting()));
        findings.judged(evidence.asked().backfills.size() + " requests made " + stored.size()
                + " backfills, of which people cancelled "
                + stored.values().stream()
                        .filter(each -> each.cancelled() != null)
                        .count() + "; their tasks ended "
                + outcomes);
    }

    /** The fire times are those that the schedule of that moment had, but for what had succeeded or was under way. */
    private void isAsAsked(Backfill asked, Map<Long, Backfilled> stored) {
        if (asked.id() == 0) {
            return;
        }
        Backfilled made = stored.get(asked.id());
        if (made == null
                || !made.from().equals(asked.from())
                || !made.until().equals(asked.until())
                || made.fireTimes() != asked.toRun()) {
            findings.add(Kind.LOST, "it was answered, and is stored as " + made + ": " + asked);
            return;
        }
        List<Version> then = evidence.ledger().versions().get(made.job()).stream()
                .filter(version -> evidence.uptimeOf(version.from()) <= asked.answered() + TICK_MILLIS
                        && (version.until() == null
                                || evidence.uptimeOf(version.until()) >= asked.asked() - TICK_MILLIS))
                .toList();
        if (then.stream().map(Version::schedule).distinct().count() != 1) {
            return; // nobody knows by which it was made
        }
        Set<Instant> wanted = new HashSet<>(then.get(0)
                .schedule()
                .between(made.from().minusMillis(1), made.until().minusMillis(1)));
        Set<Instant> has = rows.getOrDefault(made.id(), List.of()).stream()
                .map(Ended::fire)
                .collect(Collectors.toSet());
        has.stream()
                .filter(time -> !wanted.contains(time))
                .forEach(time -> findings.add(Kind.UNASKED, "its schedule has no fire time " + time + ": " + made));
        wanted.stream()
                .filter(time -> !has.contains(time))
                .filter(time -> asked.all() || !mayBeLeftOut(made, time, asked))
                .forEach(time -> findings.add(Kind.LOST, "fire time " + time + " is not in " + made));
        if (!asked.all()) {
            has.stream()
                    .filter(time -> hadSucceeded(made, time, asked.asked() - SETTLED_MILLIS))
                    .forEach(time -> findings.add(
                            Kind.DOUBLED, "fire time " + time + " had succeeded before it was asked for: " + made));
        }
    }

    /** It had succeeded or declined, or something of it was not over. */
    private boolean mayBeLeftOut(Backfilled made, Instant time, Backfill asked) {
        return hadSucceeded(made, time, asked.answered() + SETTLED_MILLIS)
                || jobs.getOrDefault(made.job(), List.of()).stream()
                        .filter(row -> row.backfill() != made.id() && row.hasFireTime())
                        .filter(row ->
                                !row.fire().isAfter(time) && !row.lastFire().isBefore(time))
                        .anyMatch(row -> evidence.latestUptimeOf(row.ended()) >= asked.asked() - SETTLED_MILLIS);
    }

    private boolean hadSucceeded(Backfilled made, Instant time, long uptime) {
        return jobs.getOrDefault(made.job(), List.of()).stream()
                .filter(row -> row.backfill() != made.id() && row.fire().equals(time))
                .filter(row -> row.outcome().equals("SUCCEEDED") || row.isDeclined())
                .anyMatch(row -> evidence.latestUptimeOf(row.ended()) < uptime);
    }

    private void isWhole(Backfilled backfill) {
        List<Ended> first = rows.getOrDefault(backfill.id(), List.of()).stream()
                .filter(row -> row.attempt() == 1 && !row.isOfBroadcast())
                .toList();
        Set<Instant> times = first.stream().map(Ended::fire).collect(Collectors.toSet());
        if (times.size() != first.size() || times.size() > backfill.fireTimes()) {
            findings.add(
                    Kind.DOUBLED, first.size() + " tasks for " + backfill.fireTimes() + " fire times: " + backfill);
        } else if (times.size() < backfill.fireTimes()) {
            findings.add(Kind.LOST, first.size() + " tasks for " + backfill.fireTimes() + " fire times: " + backfill);
        }
        evidence.ledger().live().stream()
                .filter(live -> live.origin().equals("backfill:" + backfill.id()) && live.attempt() == 1)
                .filter(live -> !isPausedAtLast(live.job()))
                .forEach(live -> findings.add(Kind.STUCK, "a task of " + backfill + " is there still: " + live));
    }

    private boolean isPausedAtLast(long job) {
        List<Version> versions = evidence.ledger().versions().get(job);
        return versions.get(versions.size() - 1).paused();
    }

    /** No deadline, no misfire and no overlap ends it before it has run. */
    private void isLeftInPeace(Ended row) {
        boolean fine =
                RUN.contains(row.outcome()) || row.isDeclined() || row.outcome().equals("CANCELLED");
        boolean isPartOfNoNode = row.isOfBroadcast() && row.outcome().equals("MISSED");
        boolean isSuperseded = row.attempt() > 1 && row.outcome().equals("SKIPPED");
        if (!fine && !isPartOfNoNode && !isSuperseded) {
            findings.add(Kind.WRONG_OUTCOME, "a task of a backfill was not to end so: " + row);
        }
        if (row.replacedBy() != null) {
            findings.add(Kind.WRONG_OUTCOME, "a task of a backfill was to be killed for another: " + row);
        }
        if (row.outcome().equals("CANCELLED")
                && (row.reason() == null || row.reason().isBlank())) {
            findings.add(Kind.LOST, "a task of a backfill did not run, and nothing says why: " + row);
        }
    }

    /** What a broadcast does on several nodes is one of them. */
    private void notTooMany(Backfilled backfill, List<Execution> runs) {
        for (Execution next : runs) {
            long others = runs.stream()
                    .filter(other -> other.from() <= next.from() && other.isRunningAt(next.from()))
                    .map(other -> other.row().fire())
                    .filter(fire -> !fire.equals(next.row().fire()))
                    .distinct()
                    .count();
            if (others >= backfill.parallel()) {
                findings.add(Kind.CROWDED, others + " others of " + backfill + " at the start of " + next);
            }
        }
    }

    private void inOrder(Backfilled backfill, List<Execution> runs) {
        if (backfill.parallel() > 1) {
            return;
        }
        Comparator<Instant> order =
                backfill.newestFirst() ? Comparator.<Instant>reverseOrder() : Comparator.<Instant>naturalOrder();
        List<Execution> first = runs.stream()
                .filter(run -> run.row().attempt() == 1 && !run.isOfBroadcast())
                .filter(run -> !evidence.takenBack().contains(run.row().id()))
                .toList();
        for (int i = 1; i < first.size(); i++) {
            if (order.compare(first.get(i - 1).row().fire(), first.get(i).row().fire()) > 0) {
                findings.add(
                        Kind.DISORDERED,
                        "later than " + first.get(i - 1) + ", though first by the order of " + backfill + ": "
                                + first.get(i));
            }
        }
    }

    /** Where one of two is of a backfill, and the other is not of the same, only overlap ALLOW lets both run. */
    private void standsBehind(List<Execution> runs) {
        List<Execution> going = new ArrayList<>();
        for (Execution next : runs) {
            going.removeIf(before -> before.until() <= next.from());
            if (next.overlap() != Overlap.ALLOW) {
                going.stream()
                        .filter(before -> before.row().backfill() != next.row().backfill())
                        .filter(before -> !next.mayHaveComeBefore(before))
                        .findFirst()
                        .ifPresent(before -> findings.add(
                                Kind.OVERLAPPING,
                                (before.until() - next.from()) + " ms, beside a backfill: " + before + " and " + next));
            }
            going.add(next);
        }
    }

    /** Once that is answered, nothing of it starts, and what had not is cancelled. */
    private void isOver(Cancel cancel, Map<Long, List<Execution>> runs) {
        if (cancel.answered() == DrawnFreeze.NEVER) {
            return;
        }
        runs.getOrDefault(cancel.backfill(), List.of()).stream()
                .filter(run -> run.row().attempt() == 1 // what was executing may be tried again
                        && run.row().started() != null
                        && evidence.uptimeOf(run.row().started()) > cancel.answered() + TICK_MILLIS
                        && !evidence.wasClockWrong(cancel.asked(), run.from()))
                .forEach(run -> findings.add(
                        Kind.UNASKED, "it started after its backfill was cancelled by " + cancel + ": " + run));
    }
}
