package dev.rowlock.report.verify;

import dev.rowlock.report.verify.Discrepancy.DiscrepancyKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of the fire times of one job's schedules with the rows for them, both in order of time. A task that was
 * cancelled because its schedule was replaced before its time came is left out of the sum: the new schedule may have
 * the same fire time again. For one thread.
 */
final class AccountingSheet {

    /** End of all fire times, and of a column of dates. */
    static final Instant FOREVER = Instant.parse("9999-12-31T23:59:59Z");

    private static final Set<String> NEEDS_REASON = Set.of("MISSED", "SKIPPED", "CANCELLED", "LOST");

    private final JobVersion newest;
    private final Instant since;
    private final Instant until;
    private final int limit;
    private final List<Discrepancy> discrepancies = new ArrayList<>();
    private final TreeMap<Instant, AccountingEntry> promised = new TreeMap<>();
    private Timeline timeline = Timeline.EMPTY;
    private @Nullable String unreadable;
    private BiFunction<Instant, Instant, Optional<AccountingEntry>> reachingIn;
    private Instant at;
    private @Nullable AccountingEntry previous;
    private boolean begun;
    private boolean atCursor;

    private long recorded;
    private long live;
    private long overtaken;
    private long unlisted;

    /**
     * @param versions all of the job
     * @param since the first instant that is checked
     * @param until the last one
     * @param reachingIn answers the row that begins before the first instant and reaches to the second
     * @param limit how many discrepancies are kept
     */
    AccountingSheet(
            List<JobVersion> versions,
            Instant since,
            Instant until,
            BiFunction<Instant, Instant, Optional<AccountingEntry>> reachingIn,
            int limit) {
        this.newest = versions.get(versions.size() - 1);
        this.since = since;
        this.at = since.minusMillis(1);
        this.until = until;
        this.reachingIn = reachingIn;
        this.limit = limit;
        try {
            timeline = Timeline.of(versions);
        } catch (IllegalStateException e) {
            unreadable = e.getMessage();
        }
    }

    /** Goes on with the present versions, as the last one may have ended, and with a way to read earlier rows. */
    void goOn(List<JobVersion> versions, BiFunction<Instant, Instant, Optional<AccountingEntry>> freshlyReachingIn) {
        if (unreadable == null) {
            timeline = Timeline.of(versions);
            reachingIn = freshlyReachingIn;
        }
    }

    /** Adds the next rows, in order of fire time. */
    void add(List<AccountingEntry> entries) {
        if (unreadable == null) {
            entries.forEach(this::add);
        }
    }

    /** Returns the result, as there are no more rows. */
    AccountingResult close() {
        if (unreadable == null) {
            missWhatIsLeft();
        }
        return new AccountingResult(
                newest.jobId(),
                newest.key(),
                newest.until() != null,
                since,
                recorded,
                live,
                overtaken,
                List.copyOf(discrepancies),
                unlisted,
                unreadable);
    }

    private void add(AccountingEntry entry) {
        keepPromises(entry);
        if (!entry.explained() && NEEDS_REASON.contains(entry.state())) {
            report(DiscrepancyKind.WITHOUT_REASON, entry.fireTime(), entry.last(), entry.occurrences(), null, entry);
        }
        if (entry.isCancelled() && timeline.wasOvertaken(entry)) {
            overtaken += entry.occurrences();
            if (!timeline.wasAskedForByItsVersion(entry)) {
                report(DiscrepancyKind.NOT_ASKED_FOR, entry, null);
            }
        } else {
            account(entry);
        }
    }

    private void missWhatIsLeft() {
        Optional<Instant> next = atCursor ? Optional.empty() : nextAskedFor(until);
        if (next.isPresent() && !next.get().isAfter(until) && !hasEndedBefore()) {
            if (timeline.goesOn() && until.equals(FOREVER)) {
                report(DiscrepancyKind.NO_CURSOR, next.get(), next.get(), 1, previous, null);
            } else {
                miss(next.get(), until, null);
            }
        }
        missUnkept(until);
    }

    /** Returns whether the job had run as often as it may before the window, which is empty then. */
    private boolean hasEndedBefore() {
        return previous == null && since.isAfter(Instant.EPOCH) && timeline.isLimitedAfter(at);
    }

    private void account(AccountingEntry entry) {
        if (entry.live()) {
            live++;
        } else {
            recorded += entry.occurrences();
        }
        Optional<Instant> next = atCursor ? Optional.empty() : nextAskedFor(entry.fireTime());
        if (previous != null && !entry.fireTime().isAfter(at)) {
            report(DiscrepancyKind.DOUBLE, entry, previous);
        } else if (atCursor) {
            report(DiscrepancyKind.BEYOND_CURSOR, entry, previous);
        } else {
            if (next.isPresent() && next.get().isBefore(entry.fireTime())) {
                miss(next.get(), entry.fireTime().minusMillis(1), entry);
            }
            checkThatItWasAskedFor(entry);
            checkLink(entry);
        }
        at = entry.last().isAfter(at) ? entry.last() : at;
        previous = entry;
        atCursor |= entry.cursor();
        if (isLast(entry)) {
            atCursor |= timeline.limitedUntil(entry.last()).isEmpty();
            at = timeline.limitedUntil(entry.last()).orElse(at);
        }
    }

    private void checkThatItWasAskedFor(AccountingEntry entry) {
        if (!timeline.matches(entry.fireTime())) {
            report(DiscrepancyKind.NOT_ASKED_FOR, entry, previous);
        } else if (entry.occurrences() > 1 || !entry.last().equals(entry.fireTime())) {
            long asked = timeline.count(entry.fireTime(), entry.last());
            if (asked != entry.occurrences() || !timeline.matches(entry.last())) {
                report(DiscrepancyKind.MISCOUNTED, entry.fireTime(), entry.last(), asked, previous, entry);
            }
        }
    }

    /**
     * Returns the next fire time after what is accounted for. One before the first row may be in a row that began
     * earlier.
     *
     * @param row the fire time of the next row
     */
    private Optional<Instant> nextAskedFor(Instant row) {
        Optional<Instant> next = timeline.nextAfter(at);
        if (!begun && next.isPresent() && next.get().isBefore(row)) {
            Optional<AccountingEntry> earlier = reachingIn.apply(at.plusMillis(1), next.get());
            if (earlier.isPresent()) {
                previous = earlier.get();
                at = earlier.get().last();
                next = timeline.nextAfter(at);
            }
        }
        begun = true;
        return next;
    }

    private void miss(Instant first, Instant through, @Nullable AccountingEntry after) {
        Instant last = timeline.last(first, through).orElse(first);
        long count = timeline.count(first, last);
        report(DiscrepancyKind.MISSING, first, last, count, previous, after);
    }

    /**
     * Checks that a row names a later fire time if its schedule had one; the row with the cursor does not know it yet.
     */
    private void checkLink(AccountingEntry entry) {
        if (entry.cursor() || isLast(entry)) {
            return;
        }
        Instant next = entry.nextFireTime();
        if (next == null ? timeline.hasMoreInTheSamePeriod(entry.last()) : !next.isAfter(entry.last())) {
            Instant t = next == null ? timeline.nextAfter(entry.last()).orElse(entry.last()) : next;
            report(DiscrepancyKind.BROKEN_LINK, t, t, 1, null, entry);
        }
        promise(entry);
    }

    /** Returns whether the job has run as often as it may, so that the last row names no further fire time. */
    private boolean isLast(AccountingEntry entry) {
        return !entry.cursor() && entry.nextFireTime() == null && timeline.isLimitedAfter(entry.last());
    }

    /**
     * Expects a row for the next fire time, unless there is another schedule before it comes: then the cursor moves.
     */
    private void promise(AccountingEntry entry) {
        Instant next = entry.nextFireTime();
        if (next != null && next.isAfter(at) && next.isAfter(entry.last())) {
            promised.putIfAbsent(next, entry);
        }
    }

    private void keepPromises(AccountingEntry entry) {
        missUnkept(entry.fireTime().minusMillis(1));
        promised.headMap(entry.last(), true).clear();
    }

    private void missUnkept(Instant through) {
        var unkept = promised.headMap(through, true);
        unkept.forEach((next, entry) -> {
            if (!timeline.changedBetween(entry.fireTime(), next)) {
                report(DiscrepancyKind.BROKEN_LINK, next, next, 1, null, entry);
            }
        });
        unkept.clear();
    }

    private void report(DiscrepancyKind kind, AccountingEntry entry, @Nullable AccountingEntry before) {
        report(kind, entry.fireTime(), entry.last(), entry.occurrences(), before, entry);
    }

    private void report(
            DiscrepancyKind kind,
            Instant first,
            Instant last,
            long count,
            @Nullable AccountingEntry before,
            @Nullable AccountingEntry entry) {
        if (discrepancies.size() < limit) {
            discrepancies.add(new Discrepancy(kind, first, last, count, before, entry));
        } else {
            unlisted++;
        }
    }
}
