package dev.rowlock.chaos;

import dev.rowlock.chaos.Evidence.Launch;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Live;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the commands did, as their marks tell it, against what history says. */
final class RunChecks {

    private static final Set<String> NEVER_RAN = Set.of("SKIPPED", "MISSED", "CANCELLED", "EXPANDED");

    private static final Set<String> ENDS_BY_ITSELF = Set.of("SUCCEEDED", "FAILED");

    /** The product's default. */
    private static final int MAX_LOST = 3;

    private final Evidence evidence;
    private final Findings findings;
    private final Map<String, Launch> launches;
    private final Map<Long, Ended> history = new HashMap<>();
    private final Map<Long, Live> live = new HashMap<>();

    RunChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.launches = evidence.launches();
        evidence.ledger().history().forEach(row -> history.put(row.id(), row));
        evidence.ledger().live().forEach(row -> live.put(row.id(), row));
    }

    void check() {
        startedOnce();
        evidence.ledger().history().forEach(this::checkOutcome);
        launches.values().forEach(this::isRecorded);
        launches.values().forEach(this::diedInTime);
        occurrences();
        recoveries();
        byHand();
    }

    private void startedOnce() {
        Map<Long, List<Launch>> byTask = new LinkedHashMap<>();
        for (Launch launch : launches.values()) {
            if (launch.count(Mark.Kind.START) > 1) {
                findings.add(
                        Kind.DOUBLED, "one launch id, started " + launch.count(Mark.Kind.START) + " times: " + launch);
            }
            if (launch.count(Mark.Kind.START) == 0) {
                findings.add(Kind.UNASKED, "marks without a start: " + launch);
            }
            byTask.computeIfAbsent(launch.first().task(), id -> new ArrayList<>())
                    .add(launch);
        }
        byTask.values().stream()
                .filter(of -> of.size() > 1)
                .forEach(of -> findings.add(Kind.DOUBLED, "one task, started under several launch ids: " + of));
    }

    private void checkOutcome(Ended row) {
        Launch launch = row.launch() == null ? null : launches.get(row.launch());
        if (row.isDeclined()) {
            checkDeclined(row, launch);
            return;
        }
        if (NEVER_RAN.contains(row.outcome())) {
            launches.values().stream()
                    .filter(l -> l.first().task() == row.id())
                    .forEach(l ->
                            findings.add(Kind.WRONG_OUTCOME, "recorded as not run, but it did, " + l + ": " + row));
            return;
        }
        if (row.outcome().equals("SUCCEEDED") && (launch == null || launch.exitCode() < 0)) {
            findings.add(Kind.LOST, "SUCCEEDED, but the command has not come to its end, " + launch + ": " + row);
        } else if (row.outcome().equals("SUCCEEDED") && !successes(row).contains(launch.exitCode())) {
            findings.add(Kind.WRONG_OUTCOME, "SUCCEEDED, with an exit code that is no success, " + launch + ": " + row);
        } else if (row.outcome().equals("FAILED")) {
            checkFailed(row, launch);
        } else if (row.outcome().equals("TIMED_OUT")) {
            checkTimedOut(row);
        }
        boolean ended = launch != null && launch.exitCode() >= 0;
        if (ended && ENDS_BY_ITSELF.contains(row.outcome()) && declines(row).contains(launch.exitCode())) {
            findings.add(Kind.WRONG_OUTCOME, "the command declined, " + launch + ": " + row);
        }
        if (ended && row.outcome().equals("LOST") && launch.count(Mark.Kind.CHILD) == 0) {
            findings.note("lost, though the command had come to its end, " + launch + ": " + row);
        }
        if (ended && row.exitCode() != null && row.exitCode() != launch.exitCode()) {
            findings.add(Kind.WRONG_OUTCOME, "another exit code than the command's own, " + launch + ": " + row);
        }
    }

    private Set<Integer> successes(Ended row) {
        return evidence.ledger().versionOf(row).definition().successExitCodes();
    }

    private Set<Integer> declines(Ended row) {
        Set<Integer> codes = evidence.ledger().versionOf(row).definition().skipExitCodes();
        return codes == null ? Set.of() : codes;
    }

    private void checkDeclined(Ended row, Launch launch) {
        if (launch == null || launch.exitCode() < 0) {
            findings.add(
                    Kind.LOST, "SKIPPED as declined, but the command has not come to its end, " + launch + ": " + row);
        } else if (!declines(row).contains(launch.exitCode()) || row.exitCode() != launch.exitCode()) {
            findings.add(Kind.WRONG_OUTCOME, "SKIPPED with an exit code that does not decline, " + launch + ": " + row);
        }
    }

    private void checkFailed(Ended row, Launch launch) {
        if (launch == null) {
            if (row.exitCode() != null) {
                findings.add(Kind.WRONG_OUTCOME, "FAILED with an exit code, but nothing was started: " + row);
            } else {
                findings.note("could not be started: " + row);
            }
        } else if (launch.exitCode() < 0) {
            findings.add(Kind.WRONG_OUTCOME, "FAILED, but the command has not come to its end, " + launch + ": " + row);
        } else if (successes(row).contains(launch.exitCode())) {
            findings.add(Kind.WRONG_OUTCOME, "FAILED, though the command succeeded, " + launch + ": " + row);
        }
    }

    private void checkTimedOut(Ended row) {
        var timeout = evidence.ledger().versionOf(row).definition().timeout();
        if (timeout == null || row.durationMillis() == null || row.durationMillis() < timeout.toMillis()) {
            findings.add(Kind.WRONG_OUTCOME, "TIMED_OUT before its timeout of " + timeout + ": " + row);
        }
    }

    private void isRecorded(Launch launch) {
        long task = launch.first().task();
        Ended row = history.get(task);
        Live alive = live.get(task);
        boolean known = row != null
                ? launch.id().equals(row.launch())
                : alive != null && launch.id().equals(alive.launch());
        if (!known) {
            findings.add(
                    row == null && alive == null ? Kind.LOST : Kind.DOUBLED,
                    "history knows nothing of " + launch + "; it has " + row + ", live: " + alive);
        }
    }

    private void diedInTime(Launch launch) {
        Long gone = evidence.gone().get(launch.first().session());
        if (gone == null) {
            return;
        }
        launch.marks().stream()
                .filter(m -> m.uptimeMillis() > gone)
                .findFirst()
                .ifPresent(mark -> findings.add(
                        Kind.ORPHAN,
                        "alive " + (mark.uptimeMillis() - gone) + " ms or more after its session was gone, "
                                + mark.kind() + " by process " + mark.pid() + ": " + launch));
    }

    /** A further attempt needs an end of the one before that calls for it. */
    private void occurrences() {
        Map<String, Ended> attempts = new HashMap<>();
        for (Ended row : evidence.ledger().history()) {
            if (row.outcome().equals("CANCELLED") || (row.started() == null && row.attempt() == 1)) {
                continue;
            }
            Ended other = attempts.putIfAbsent(key(row, row.attempt()), row);
            if (other != null) {
                findings.add(Kind.DOUBLED, "two rows for one attempt: " + other + " and " + row);
            }
        }
        for (Ended row : evidence.ledger().history()) {
            if (row.attempt() > 1 && !row.cause().equals("MANUAL")) { // those are for RerunChecks
                Ended before = attempts.get(key(row, row.attempt() - 1));
                Set<String> reasons = row.cause().equals("RECOVERY") ? Set.of("LOST") : Set.of("FAILED", "TIMED_OUT");
                if (before == null || !reasons.contains(before.outcome())) {
                    findings.add(Kind.DOUBLED, "a further attempt without a reason, " + row + "; before it: " + before);
                }
            }
        }
    }

    /** What was lost is attempted again where its job wants that, and only there. */
    private void recoveries() {
        Set<String> attempts = new HashSet<>();
        evidence.ledger().history().forEach(row -> attempts.add(key(row, row.attempt())));
        evidence.ledger()
                .live()
                .forEach(row -> attempts.add(row.job() + " " + row.fire() + " " + row.origin() + " " + row.attempt()));
        Map<String, Integer> losses = new HashMap<>();
        List<Ended> lost = evidence.ledger().history().stream()
                .filter(row -> row.outcome().equals("LOST"))
                .sorted(Comparator.comparingInt(Ended::attempt))
                .toList();
        for (Ended row : lost) {
            boolean stopped = row.reason() != null && row.reason().startsWith("the node was stopped");
            int times =
                    losses.merge(key(row, 0), stopped ? 0 : 1, Integer::sum); // a stop says nothing against a command
            boolean again = attempts.contains(key(row, row.attempt() + 1));
            Boolean wanted = evidence.ledger().isToBeRerun(row);
            boolean mayStay = isReplaced(row) || row.isOfBroadcast(); // its node may not be back
            if (wanted != null && !again && mayStay) {
                continue;
            }
            if (wanted != null && again != (wanted && times <= MAX_LOST)) {
                findings.add(
                        again ? Kind.DOUBLED : Kind.LOST,
                        "lost for the " + times + ". time and " + (again ? "" : "not ") + "attempted again: " + row);
            }
        }
    }

    /** Nobody wants again what was about to be replaced by a newer occurrence. */
    private static boolean isReplaced(Ended row) {
        return row.replacedBy() != null;
    }

    private static String key(Ended row, int attempt) {
        return row.job() + " " + row.fire() + " " + row.origin() + " " + attempt;
    }

    /** A run that was answered with a task is that task; one key never makes two. */
    private void byHand() {
        Map<Long, String> keys = new HashMap<>();
        Map<String, Integer> asked = new HashMap<>();
        for (Operators.Run run : evidence.runs()) {
            asked.merge(run.job(), 1, Integer::sum);
            if (run.task() > 0 && !history.containsKey(run.task()) && !live.containsKey(run.task())) {
                findings.add(Kind.LOST, "the answer named task " + run.task() + " for " + run + ", which is nowhere");
            }
            if (run.task() > 0 && keys.putIfAbsent(run.task(), run.key()) != null) {
                findings.add(Kind.LOST, "two keys were answered with one task: " + run);
            }
        }
        Map<String, Integer> made = new HashMap<>();
        evidence.ledger().history().stream()
                .filter(r -> r.cause().equals("MANUAL") && r.attempt() == 1 && !r.isOfBroadcast() && !r.isRerun())
                .forEach(r -> made.merge(r.key(), 1, Integer::sum));
        made.forEach((job, count) -> {
            if (count > asked.getOrDefault(job, 0)) {
                findings.add(
                        Kind.DOUBLED,
                        count + " runs by hand of " + job + ", though only " + asked.get(job) + " were asked for");
            }
        });
    }
}
