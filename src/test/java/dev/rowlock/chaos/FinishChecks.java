package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Alarm;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Version;
import dev.rowlock.schedule.FinishBy;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Nobody is told of an occurrence that has finished by its time, was not asked to, or that a freeze has taken away. */
final class FinishChecks {

    /** Times in the database are cut to milliseconds, uptime to hundredths of a second. */
    private static final long TICK_MILLIS = 50;

    /** Nodes look every few seconds, and take over from one that does not. */
    private static final long LOOKED_MILLIS = 20_000;

    private final Evidence evidence;
    private final Findings findings;
    private final Map<String, List<Ended>> rows;
    private final Map<String, Alarm> alarms = new HashMap<>();

    FinishChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
        this.rows = evidence.ledger().history().stream()
                .filter(row -> row.hasFireTime() && row.backfill() == 0)
                .collect(Collectors.groupingBy(row -> row.job() + " " + row.fire()));
        evidence.ledger().alarms().forEach(alarm -> alarms.put(alarm.job() + " " + alarm.fire(), alarm));
    }

    void check() {
        alarms.values().forEach(this::isTrue);
        findings.judged(alarms.size() + " occurrences were told of as not finished by their time");
    }

    private void isTrue(Alarm alarm) {
        Optional<Version> version = evidence.ledger().versions().getOrDefault(alarm.job(), List.of()).stream()
                .filter(each -> each.definition().finishBy() != null
                        && each.schedule().matches(alarm.fire())
                        && by(each, alarm.fire()).equals(alarm.by()))
                .findFirst();
        if (version.isEmpty() || !isThere(alarm)) {
            findings.add(Kind.UNASKED, "its job does not ask that it finish by then: " + alarm);
            return;
        }
        if (!isJudged(alarm.fire(), alarm.by())) {
            return;
        }
        @Nullable Instant finished = finished(alarm.job(), alarm.fire());
        if (finished != null && finished.isBefore(alarm.by())) {
            findings.add(Kind.WRONG_OUTCOME, "it had finished at " + finished + ": " + alarm);
        }
        long fire = evidence.uptimeOf(alarm.fire());
        boolean isSkipped = evidence.asked().freezes.stream()
                .anyMatch(freeze -> freeze.skips()
                        && freeze.covers(
                                version.get().key(), version.get().definition().labels())
                        && freeze.span(evidence).isCertain(fire, TICK_MILLIS));
        if (isSkipped && version.get().definition().jitter() == null) {
            findings.add(Kind.WRONG_OUTCOME, "a freeze has taken it away: " + alarm);
        }
    }

    private boolean isThere(Alarm alarm) {
        return evidence.ledger().history().stream()
                        .anyMatch(row -> row.job() == alarm.job()
                                && row.isScheduled()
                                && !row.fire().isAfter(alarm.fire())
                                && !row.lastFire().isBefore(alarm.fire()))
                || evidence.ledger().live().stream()
                        .anyMatch(live -> live.job() == alarm.job()
                                && (live.fire().equals(alarm.fire())
                                        || (live.cursor() && live.fire().isBefore(alarm.fire()))));
    }

    /** Whether nothing kept a node from looking. */
    private boolean isJudged(Instant fire, Instant by) {
        long from = evidence.uptimeOf(fire);
        long looked = evidence.uptimeOf(by) + LOOKED_MILLIS;
        return evidence.isQuiet(from, looked) && !evidence.wasClockWrong(from, looked);
    }

    /** When the last attempt on each node, or one more that a person asked for, had done it; null: none has. */
    private @Nullable Instant finished(long job, Instant fire) {
        List<Ended> own = rows.getOrDefault(job + " " + fire, List.of());
        Optional<Instant> again = own.stream()
                .filter(row -> row.isRerun() && isGood(row))
                .map(Ended::ended)
                .min(Comparator.naturalOrder());
        if (again.isPresent()) {
            return again.get();
        }
        Map<String, Ended> last = own.stream()
                .filter(row -> !row.isRerun() && !row.outcome().equals("EXPANDED"))
                .collect(Collectors.toMap(Ended::origin, row -> row, (a, b) -> a.attempt() > b.attempt() ? a : b));
        return last.values().stream().allMatch(FinishChecks::isGood)
                ? last.values().stream()
                        .map(Ended::ended)
                        .max(Comparator.naturalOrder())
                        .orElse(null)
                : null;
    }

    private static boolean isGood(Ended row) {
        return row.outcome().equals("SUCCEEDED") || row.isDeclined();
    }

    private static Instant by(Version version, Instant fire) {
        FinishBy finishBy = version.definition().finishBy();
        if (finishBy.after() != null) {
            return fire.plus(finishBy.after());
        }
        ZoneId zone = version.schedule().lineAt(fire).orElseThrow().zone();
        Instant next = fire.plusSeconds(1);
        while (!LocalTime.ofInstant(next, zone).equals(finishBy.time())) {
            next = next.plusSeconds(1);
        }
        return next;
    }
}
