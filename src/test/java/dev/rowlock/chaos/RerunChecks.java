package dev.rowlock.chaos;

import dev.rowlock.chaos.Asked.Rerun;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wanted to run again runs again once, and is neither killed nor skipped by the overlap of its job. What
 * was killed, skipped or cancelled may be asked for again, and nothing else may.
 */
final class RerunChecks {

    private static final Set<String> NOT_RUN = Set.of("SKIPPED", "KILLED", "CANCELLED");
    private static final Set<String> NEVER_STARTED = Set.of("SKIPPED", "MISSED", "CANCELLED");

    /** An answer may be older than what history says by so much. */
    private static final long SETTLED_MILLIS = 2000;

    private final Evidence evidence;
    private final Findings findings;
    private final Map<Long, Ended> history = new HashMap<>();
    /** By origin, attempt by attempt; no two tasks are repeated under one. */
    private final Map<String, TreeMap<Integer, Ended>> attempts = new HashMap<>();

    private final Map<String, List<Rerun>> requests;
    private final List<Ended> reruns;
    /** What broadcasts became on each node that run again as a whole. */
    private final List<Ended> parts;

    RerunChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        evidence.ledger().history().forEach(row -> history.put(row.id(), row));
        Set<String> again = evidence.ledger().broadcastAgain();
        this.parts = evidence.ledger().history().stream()
                .filter(row -> row.isOfBroadcast() && again.contains(row.broadcast()))
                .toList();
        this.reruns = evidence.ledger().history().stream()
                .filter(row -> row.isRerun() && !(row.isOfBroadcast() && again.contains(row.broadcast())))
                .toList();
        reruns.forEach(row -> attempts.computeIfAbsent(row.origin(), origin -> new TreeMap<>())
                .put(row.attempt(), row));
        this.requests = evidence.asked().reruns.stream().collect(Collectors.groupingBy(Rerun::job));
    }

    void check() {
        reruns.forEach(this::isLeftInPeace);
        parts.forEach(this::isLeftInPeace);
        parts.forEach(this::isNotGivenUp);
        reruns.stream().filter(row -> row.cause().equals("MANUAL")).forEach(this::isWanted);
        notMoreThanAskedFor();
        evidence.asked().reruns.forEach(this::isAsAnswered);
        tell();
    }

    /** Nothing but a person ends it before it has run, or a lack of nodes. */
    private void isLeftInPeace(Ended row) {
        if (row.replacedBy() != null) {
            findings.add(Kind.WRONG_OUTCOME, "a rerun was to be killed for another task: " + row);
        }
        if (row.outcome().equals("SKIPPED") && !row.isDeclined()) {
            findings.add(Kind.WRONG_OUTCOME, "a rerun was skipped: " + row);
        }
        if (NEVER_STARTED.contains(row.outcome())
                && (row.reason() == null || row.reason().isBlank())) {
            findings.add(Kind.LOST, "a rerun did not run, and nothing says why: " + row);
        }
        if (row.outcome().equals("MISSED") && wasNotGivenTime(row)) {
            findings.add(Kind.AHEAD, "a rerun was missed, though it has no deadline and had not waited: " + row);
        }
    }

    /** Whatever its job's startDeadline: that counts from a fire time that is long past. */
    private void isNotGivenUp(Ended part) {
        if (!part.outcome().equals("MISSED")) {
            return;
        }
        long made = reruns.stream()
                .filter(row ->
                        row.outcome().equals("EXPANDED") && row.broadcast().equals(part.broadcast()))
                .mapToLong(row -> evidence.uptimeOf(row.ended()))
                .min()
                .orElseThrow();
        long from = made - SETTLED_MILLIS;
        long until = evidence.latestUptimeOf(part.ended()) + SETTLED_MILLIS;
        String node = String.valueOf(part.node());
        String selector = evidence.ledger().versionOf(part).definition().nodes();
        if (evidence.takingWork(from, until).contains(node)
                && evidence.conditions().matchesAllTheWhile(node, selector, from, until)
                && !evidence.wasClockWrong(from, until)) {
            findings.add(Kind.LOST, "part of a rerun, missed though its node was there all the while: " + part);
        }
    }

    /**
     * Its fire time is long past, and how long it waits for a node counts from when it was asked for. A part of a
     * broadcast waits for none.
     */
    private boolean wasNotGivenTime(Ended row) {
        long ended = evidence.uptimeOf(row.ended());
        Duration patience = evidence.ledger().versions().get(row.job()).stream()
                .map(version -> version.definition().misfireThreshold())
                .map(own -> own == null ? ChaosNode.MISFIRE : own)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        return !row.isOfBroadcast()
                && requestThatMade(row)
                        .map(Rerun::from)
                        .filter(from -> !evidence.wasClockWrong(from, ended) && ended < from + patience.toMillis())
                        .isPresent();
    }

    private Optional<Rerun> requestThatMade(Ended row) {
        return requests.getOrDefault(row.key(), List.of()).stream()
                .filter(request -> request.made().containsValue(row.id()))
                .findFirst();
    }

    /** Each first attempt that was not made by the one before it. */
    private void isWanted(Ended row) {
        List<Rerun> asked = requests.getOrDefault(row.key(), List.of());
        @Nullable Ended original = history.get(row.repeats());
        if (original == null || original.job() != row.job()) {
            findings.add(Kind.UNASKED, "a rerun of a task that is nowhere: " + row);
            return;
        }
        if (asked.stream().noneMatch(request -> request.outcomes().contains(original.outcome()))) {
            findings.add(Kind.UNASKED, "nobody asked for what it repeats, " + original + ": " + row);
        }
        if (!row.fire().equals(original.lastFire())) {
            findings.add(Kind.WRONG_OUTCOME, "a rerun with another fire time than " + original + ": " + row);
        }
        evidence.ledger().history().stream()
                .filter(later -> later.job() == original.job()
                        && later.fire().equals(original.fire())
                        && later.origin().equals(original.origin())
                        && later.attempt() > original.attempt())
                .findFirst()
                .ifPresent(later -> findings.add(
                        Kind.DOUBLED, "run again, though a further attempt was made, " + later + ": " + row));
        if (row.attempt() > 1) {
            @Nullable Ended before = attempts.get(row.origin()).get(row.attempt() - 1);
            if (before == null || !NOT_RUN.contains(before.outcome())) {
                findings.add(Kind.DOUBLED, "run again once more without a reason, " + row + "; before it: " + before);
            }
        }
    }

    private void notMoreThanAskedFor() {
        Map<String, Long> made = reruns.stream()
                .filter(row -> row.cause().equals("MANUAL"))
                .collect(Collectors.groupingBy(Ended::key, Collectors.counting()));
        made.forEach((job, count) -> {
            int most = requests.getOrDefault(job, List.of()).stream()
                    .mapToInt(Rerun::limit)
                    .sum();
            if (count > most) {
                findings.add(
                        Kind.DOUBLED, count + " reruns of " + job + ", though at most " + most + " were asked for");
            }
        });
    }

    private void isAsAnswered(Rerun request) {
        request.made().forEach((original, task) -> {
            @Nullable Ended row = history.get(task);
            boolean isLive = evidence.ledger().live().stream().anyMatch(live -> live.id() == task);
            if (row == null && !isLive) {
                findings.add(Kind.LOST, "the answer named task " + task + " for " + request + ", which is nowhere");
            } else if (row != null && (!row.isRerun() || row.repeats() != original)) {
                findings.add(Kind.LOST, "the answer named it as a rerun of " + original + ": " + row);
            }
        });
        request.leftOut().forEach((original, reason) -> {
            if (reason.contains("ran it again already")) {
                mayBeRunAgain(original, request.from())
                        .ifPresent(last -> findings.add(
                                Kind.LOST,
                                "asked for again after " + last + ", and left out: " + reason + ", by " + request));
            }
        });
    }

    /** The last attempt at a rerun, if it was over long before that moment, in a way that lets one ask again. */
    private Optional<Ended> mayBeRunAgain(long original, long at) {
        return attempts.values().stream()
                .map(TreeMap::lastEntry)
                .map(Map.Entry::getValue)
                .filter(last -> last.repeats() == original && NOT_RUN.contains(last.outcome()))
                .filter(last -> evidence.latestUptimeOf(last.ended()) < at - SETTLED_MILLIS)
                .filter(last -> evidence.ledger().live().stream()
                        .noneMatch(live ->
                                live.job() == last.job() && live.origin().equals(last.origin())))
                .findFirst();
    }

    private void tell() {
        Map<String, Long> outcomes =
                reruns.stream().collect(Collectors.groupingBy(Ended::outcome, TreeMap::new, Collectors.counting()));
        Map<String, Long> overlaps = reruns.stream()
                .collect(Collectors.groupingBy(
                        row -> evidence.ledger()
                                .versionOf(row)
                                .definition()
                                .overlap()
                                .name(),
                        TreeMap::new,
                        Collectors.counting()));
        long again = reruns.stream()
                .filter(row -> row.cause().equals("MANUAL") && row.attempt() > 1)
                .count();
        findings.judged(evidence.asked().reruns.size() + " requests to run again made " + reruns.size() + " tasks "
                + outcomes + " of jobs with " + overlaps + "; " + again + " were asked for again after their end");
        longest();
    }

    /** How long a rerun waited at most for its job to rest. */
    private void longest() {
        reruns.stream()
                .filter(row -> row.started() != null && row.attempt() == 1)
                .flatMap(row ->
                        requestThatMade(row).stream().map(made -> evidence.uptimeOf(row.started()) - made.from()))
                .max(Comparator.naturalOrder())
                .ifPresent(millis -> findings.judged("a rerun waited at most " + Texts.seconds(millis)));
    }
}
