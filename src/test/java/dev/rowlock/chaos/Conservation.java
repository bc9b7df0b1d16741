package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Live;
import dev.rowlock.chaos.Ledger.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Every fire time that the version of that moment asked for is a row of history, lies in an aggregated one, or is still
 * live; and as often as that, no more.
 */
final class Conservation {

    private final Evidence evidence;
    private final Ledger ledger;
    private final Findings findings;
    private long asked;

    Conservation(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.ledger = evidence.ledger();
        this.findings = findings;
    }

    /** How many fire times were asked for. */
    long asked() {
        return asked;
    }

    void check() {
        Map<Long, List<Ended>> history = new HashMap<>();
        ledger.history().stream()
                .filter(Ended::isScheduled)
                .forEach(r -> history.computeIfAbsent(r.job(), id -> new ArrayList<>())
                        .add(r));
        Map<Long, List<Live>> live = new HashMap<>();
        ledger.live().stream()
                .filter(r -> r.origin().isEmpty())
                .forEach(r ->
                        live.computeIfAbsent(r.job(), id -> new ArrayList<>()).add(r));
        ledger.versions().forEach((job, versions) -> {
            List<Ended> rows = history.getOrDefault(job, List.of());
            List<Live> rest = live.getOrDefault(job, List.of());
            checkJob(versions, rows, rest);
            checkChain(versions, rows, rest);
        });
        ledger.history().forEach(this::checkAsked);
    }

    private void checkJob(List<Version> versions, List<Ended> rows, List<Live> live) {
        long askedOfJob = 0;
        boolean tie = false;
        Instant last = lastAsked(versions, rows);
        for (Version version : versions) {
            Instant end = version.until() == null || version.until().isAfter(last) ? last : version.until();
            for (Instant t : version.schedule().between(version.from(), end)) {
                askedOfJob++;
                tie |= t.equals(version.until());
                requireAccounted(version, t, rows, live);
            }
            tie |= version.schedule().matches(version.from());
        }
        asked += askedOfJob;
        if (!tie) {
            compare(versions.get(0), askedOfJob, rows, live, last);
        }
    }

    /** A job that has run as often as it was to asks for nothing more. */
    private Instant lastAsked(List<Version> versions, List<Ended> rows) {
        Integer max = versions.get(versions.size() - 1).definition().maxRuns();
        List<Instant> runs = rows.stream()
                .filter(r ->
                        r.attempt() == 1 && (r.started() != null || r.outcome().equals("EXPANDED")))
                .sorted(Comparator.comparing(r -> r.started() == null ? r.ended() : r.started()))
                .map(Ended::fire)
                .toList();
        return max == null || runs.size() < max ? evidence.judgedUntil() : runs.get(max - 1);
    }

    private void requireAccounted(Version version, Instant t, List<Ended> rows, List<Live> live) {
        boolean inHistory = rows.stream().anyMatch(r -> covers(r, t) && isAccount(r));
        boolean isLive = live.stream()
                .anyMatch(r -> r.fire().equals(t) || (r.cursor() && !r.fire().isAfter(t)));
        if (!inHistory && !isLive) {
            findings.add(
                    Kind.LOST,
                    "fire time " + t + " of " + version.key() + " (job " + version.job() + ", version "
                            + version.number() + ") is nowhere; rows near it: "
                            + rows.stream().filter(r -> isNear(r, t)).toList() + " live: " + live);
        }
    }

    private static boolean isNear(Ended row, Instant t) {
        return !row.fire().isAfter(t.plusSeconds(10)) && !row.lastFire().isBefore(t.minusSeconds(10));
    }

    private static boolean covers(Ended row, Instant t) {
        return !row.fire().isAfter(t) && !row.lastFire().isBefore(t);
    }

    /**
     * What was cancelled before its time was no longer asked for then; if it is asked for again, that is another row.
     */
    private static boolean isAccount(Ended row) {
        return !row.outcome().equals("CANCELLED") || !row.ended().isBefore(row.fire());
    }

    /** Sums, so that an aggregated row cannot hide what it does not count. */
    private void compare(Version any, long askedOfJob, List<Ended> rows, List<Live> live, Instant last) {
        long recorded = rows.stream()
                .filter(r -> r.attempt() == 1 && isAccount(r) && !r.fire().isAfter(last))
                .mapToLong(Ended::occurrences)
                .sum();
        long beyond = 0;
        for (Live row : live) {
            if (row.attempt() == 1 && !row.fire().isAfter(last)) {
                recorded += row.cursor() ? 1 + between(any.job(), row.fire()) : 1;
            }
        }
        if (recorded != askedOfJob + beyond) {
            findings.add(
                    recorded < askedOfJob ? Kind.LOST : Kind.DOUBLED,
                    "job " + any.job() + " (" + any.key() + ") had " + askedOfJob
                            + " fire times, but history and live tasks account for " + recorded + ": " + surplus(rows));
        }
    }

    /** Fire times after a live cursor that have no row yet. */
    private long between(long job, Instant cursor) {
        List<Version> versions = ledger.versions().get(job);
        return versions.get(versions.size() - 1)
                .schedule()
                .between(cursor, evidence.judgedUntil())
                .size();
    }

    private static List<Ended> surplus(List<Ended> rows) {
        Set<Instant> seen = new HashSet<>();
        return rows.stream()
                .filter(r -> r.attempt() == 1 && isAccount(r))
                .filter(r -> !seen.add(r.fire()) || r.occurrences() > 1)
                .limit(10)
                .toList();
    }

    /**
     * Each row names the fire time that comes next, and that one is somewhere or yet to come, unless an edit has taken
     * it back before.
     */
    private void checkChain(List<Version> versions, List<Ended> rows, List<Live> live) {
        Set<Instant> known = new HashSet<>();
        rows.forEach(r -> known.add(r.fire()));
        live.forEach(r -> known.add(r.fire()));
        for (Ended row : rows) {
            if (row.next() != null
                    && !known.contains(row.next())
                    && rows.stream().noneMatch(r -> covers(r, row.next()))
                    && live.stream().noneMatch(r -> r.cursor() && !r.fire().isAfter(row.next()))
                    && isAskedFor(versions, row.next())) {
                findings.add(Kind.LOST, "the next fire time " + row.next() + " of this row is nowhere: " + row);
            }
        }
    }

    private static boolean isAskedFor(List<Version> versions, Instant t) {
        return versions.stream()
                .filter(v ->
                        v.from().isBefore(t) && (v.until() == null || !v.until().isBefore(t)))
                .anyMatch(v -> v.schedule().matches(t));
    }

    /**
     * What ran by schedule was asked for by the version it ran with. A further attempt is one at what was asked for
     * before an edit; so is what an edit found started, if that start was taken back later.
     */
    private void checkAsked(Ended row) {
        if (!row.isScheduled() || row.started() == null || row.attempt() > 1) {
            return;
        }
        Version version = ledger.versionOf(row);
        Version first = Objects.requireNonNull(ledger.versions().get(row.job())).get(0);
        boolean goesOn = evidence.takenBack().contains(row.id())
                && isAskedFor(ledger.versions().get(row.job()), row.fire());
        if (!version.schedule().matches(row.fire()) && !goesOn) {
            findings.add(
                    Kind.UNASKED, "its schedule '" + version.definition().schedule() + "' does not ask for it: " + row);
        } else if (!row.fire().isAfter(first.from())) {
            findings.add(Kind.UNASKED, "it lies before the creation of the job: " + row);
        }
    }
}
