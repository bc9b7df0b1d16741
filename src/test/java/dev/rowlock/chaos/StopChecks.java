package dev.rowlock.chaos;

import dev.rowlock.chaos.Asked.Kill;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What people ended: nothing of a job starts once it was deleted, what waited then is cancelled and recorded, as is what
 * was stopped before its start; and nothing is killed unless somebody asked for it.
 */
final class StopChecks {

    /** Times in the database are cut to milliseconds, uptime to hundredths of a second. */
    private static final long TICK_MILLIS = 100;

    /** A request that nobody answered may still be carried out, by a node that was frozen, for so long. */
    private static final long MAY_COME_LATE_MILLIS = 30_000;

    private final Evidence evidence;
    private final Findings findings;
    private final Map<Long, Ended> history = new HashMap<>();
    private final Set<Long> live = new HashSet<>();

    StopChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        evidence.ledger().history().forEach(row -> history.put(row.id(), row));
        evidence.ledger().live().forEach(row -> live.add(row.id()));
    }

    void check(List<Execution> all) {
        all.forEach(this::notAfterItsDeletion);
        history.values().forEach(this::isCancelledWithItsJob);
        evidence.ledger().live().stream()
                .filter(row -> evidence.ledger().versions().containsKey(row.job()))
                .filter(row -> evidence.ledger().deleted(row.job()).isPresent())
                .forEach(row -> findings.add(Kind.STUCK, "its job was deleted, and it is there still: " + row));
        evidence.asked().waiting.forEach(this::isSomewhere);
        evidence.asked().kills.stream().filter(Kill::ended).forEach(this::isCancelled);
        all.forEach(this::isKilledByRequest);
        tell();
    }

    private @Nullable Instant deleted(Ended row) {
        return evidence.ledger().deleted(row.job()).orElse(null);
    }

    private void notAfterItsDeletion(Execution run) {
        @Nullable Instant deleted = deleted(run.row());
        if (deleted != null && run.decided() > evidence.latestUptimeOf(deleted) + TICK_MILLIS) {
            findings.add(Kind.UNASKED, "its job was deleted at " + deleted + ", and it started then: " + run);
        }
    }

    /** What had not started when its job was deleted. */
    private void isCancelledWithItsJob(Ended row) {
        @Nullable Instant deleted = deleted(row);
        if (deleted != null
                && row.started() == null
                && !row.ended().isBefore(deleted)
                && !row.outcome().equals("CANCELLED")) {
            findings.add(
                    Kind.WRONG_OUTCOME, "it waited when its job was deleted at " + deleted + ", not cancelled: " + row);
        }
    }

    private void isSomewhere(Asked.Waiting seen) {
        if (!seen.occurrence() && !history.containsKey(seen.task()) && !live.contains(seen.task())) {
            findings.add(Kind.LOST, "it was seen to wait, and is nowhere: " + seen);
        }
    }

    private void isCancelled(Kill kill) {
        @Nullable Ended row = history.get(kill.task());
        if (row == null) {
            findings.add(Kind.LOST, "the answer says that it was stopped before its start, and it is nowhere: " + kill);
        } else if (!row.outcome().equals("CANCELLED")) {
            findings.add(Kind.WRONG_OUTCOME, "stopped before its start by " + kill + ", but not cancelled: " + row);
        }
    }

    private void isKilledByRequest(Execution run) {
        if (!run.row().outcome().equals("KILLED") || run.row().replacedBy() != null) {
            return;
        }
        long until = evidence.latestUptimeOf(run.row().ended()) + TICK_MILLIS;
        boolean asked = evidence.asked().kills.stream()
                .anyMatch(kill -> kill.isAbout(run.row())
                        && kill.at() >= run.from() - MAY_COME_LATE_MILLIS
                        && kill.at() <= until);
        if (!asked) {
            findings.add(Kind.UNASKED, "killed, and nobody asked for that: " + run);
        }
    }

    private void tell() {
        long deleted = evidence.asked().waiting.stream()
                .map(seen -> history.get(seen.task()))
                .filter(row -> row != null && row.outcome().equals("CANCELLED") && deleted(row) != null)
                .map(Ended::id)
                .distinct()
                .count();
        long stopped = evidence.asked().kills.stream().filter(Kill::ended).count();
        findings.judged(deleted + " tasks that were seen to wait ended with their job, " + stopped
                + " were stopped before their start");
    }
}
