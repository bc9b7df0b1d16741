package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.Locks;
import dev.rowlock.node.EngineSettings;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.scheduler.ScanCursor.Begin;
import dev.rowlock.node.session.KnownSessions;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Placement;
import dev.rowlock.task.transition.Acquire;
import dev.rowlock.task.transition.Acquire.AcquirableTasks;
import dev.rowlock.task.transition.Acquire.ScanBounds;
import dev.rowlock.task.transition.DuePosition;
import dev.rowlock.task.transition.ScanFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Search for idle tasks whose time is coming. It begins where nothing older waits, goes on behind what this node can do
 * nothing with, and tells {@link TakeOver} of what others hold. A scan decides nothing.
 */
final class Scan {

    /** Time for which tasks without room here are left to nodes that have it. */
    private static final Duration OTHERS_FIRST = Duration.ofSeconds(2);

    private final NodeContext node;
    private final EngineSettings settings;
    private final KnownSessions knownSessions;
    private final Acquire acquire;
    private final Priorities priorities;
    private final TakeOver takeOver;
    private final ScanCursor cursor = new ScanCursor();
    private final OldestDue oldest = new OldestDue();

    /** @param takeOver receives what others have prepared and not fired yet, as each scan finds that too */
    Scan(NodeContext node, KnownSessions knownSessions, Acquire acquire, Priorities priorities, TakeOver takeOver) {
        this.node = node;
        this.settings = node.settings();
        this.knownSessions = knownSessions;
        this.acquire = acquire;
        this.priorities = priorities;
        this.takeOver = takeOver;
    }

    /**
     * Result of a scan.
     *
     * @param all soonest first
     * @param mine those of them that may be prepared here
     * @param end where it ended; null: this is all there is
     * @param begin where it began
     * @param isBehind whether some of it is due
     */
    record ScanResult(
            List<Task> all, List<Task> mine, @Nullable DuePosition end, Begin begin, boolean isBehind) {

        /** Returns whether it has found all that is to be found. */
        boolean isWhole() {
            return begin == Begin.START && end == null;
        }

        /** Returns the answer of a pass that goes on, or does not. */
        Next next(boolean goesOn) {
            return !goesOn ? Next.idle() : isBehind ? new Next.MoreDue() : new Next.MoreAhead();
        }
    }

    /**
     * Finds the next tasks.
     *
     * @param own the stripes that this node prefers
     * @param postponed since when those are due that are left out
     */
    ScanResult find(Trust trust, Set<Integer> own, ScanFilter filter, Stream<Instant> postponed, Instant now) {
        Begin begin = cursor.begin();
        boolean full = begin == Begin.START && oldest.isToBeLookedFor(now);
        Instant since = full ? Instant.EPOCH : oldest.dueAt();
        boolean all = own.size() == Locks.STRIPES; // as on a node that is alone: no stripe needs to be asked for
        ScanBounds scan = new ScanBounds(
                since,
                cursor.from(since),
                all ? settings.horizon() : settings.spill(),
                settings.horizon(),
                all ? Set.of() : own,
                settings.batch(),
                filter);
        AcquirableTasks found =
                priorities.search(scan, acquire.scan(scan, knownSessions.isAlone() ? null : trust.sessionId()));
        List<Task> tasks = found.candidates();
        boolean behind = begin == Begin.ASIDE
                || tasks.stream().anyMatch(task -> !task.due().isAfter(now));
        Instant ahead = node.clock().latest().plus(settings.horizon());
        if (tasks.stream().anyMatch(task -> task.due().isAfter(ahead))) {
            takeOver.scanned(found.othersDue(), oldest.dueAt(), now);
            Begin notWhole = begin == Begin.START ? Begin.BEHIND : begin;
            return new ScanResult(List.of(), List.of(), null, notWhole, behind); // the database's clock has leapt ahead
        }
        if (full) {
            oldest.lookedFor(
                    now,
                    node.clock().now(),
                    Stream.of(tasks.stream().map(Task::due), postponed, Stream.ofNullable(found.othersDue()))
                            .flatMap(due -> due));
        }
        takeOver.scanned(found.othersDue(), oldest.dueAt(), now);
        return new ScanResult(tasks, mine(tasks, now), found.end(), begin, behind);
    }

    /** Returns those that may be prepared here. */
    List<Task> mine(Collection<Task> tasks, Instant now) {
        Placement placement = knownSessions
                .selectors()
                .learn(tasks.stream().map(Task::selector).collect(Collectors.toSet()));
        Set<Long> full = knownSessions.isAlone() ? Set.of() : node.localTasks().fullJobs();
        return tasks.stream()
                .filter(task -> !full.contains(task.jobId()) || task.due().isBefore(now.minus(OTHERS_FIRST)))
                .filter(task -> placement.isMine(task.selector())
                        || (placement.isNobodys(task.selector()) && !task.due().isAfter(now)))
                .toList();
    }

    Placement placement() {
        return knownSessions.selectors().placement();
    }

    /**
     * Notes the result of a scan.
     *
     * @param usable how many of those that it found this node can work on
     * @return true: the next should follow at once
     */
    boolean used(ScanResult found, long usable) {
        boolean barren = found.mine().isEmpty() || 2 * usable < found.all().size();
        return cursor.scannedUpTo(found.end(), barren);
    }

    /** Returns whether more may be hidden behind what a scan has found at the beginning, and the next begins there. */
    boolean mayHideMore(ScanResult found) {
        return found.begin() == Begin.START && found.end() != null && cursor.begin() == Begin.START;
    }

    /** Lets the next scan leave out what was due before, once: what is due in time does not wait for it. */
    void lookBehind(Instant due) {
        cursor.lookAside(DuePosition.at(due));
    }

    /** Lower bound of the due scan: nothing that waits or is overdue is older. Refreshed every 30 s or less often. */
    private static final class OldestDue {

        /** Time between scans of rows of any age; in between the scan starts where the oldest waiting row was. */
        private static final Duration FULL_SCAN = Duration.ofSeconds(30);
        /** Inverse of the share of the time that such scans may take: they are slow where much is not purged. */
        private static final int FULL_SCAN_SHARE = 100;
        /**
         * Time that the scan reaches back, for clocks and slow commits: what becomes due again is due at that moment.
         */
        private static final Duration REACH_BACK = Duration.ofSeconds(90);

        private Instant dueAt = Instant.EPOCH;
        private Instant fullyScanned = Instant.EPOCH;
        private Duration fullScanAfter = FULL_SCAN;

        Instant dueAt() {
            return dueAt;
        }

        /** Returns whether rows of any age are to be scanned. */
        boolean isToBeLookedFor(Instant now) {
            return Duration.between(fullyScanned, now).abs().compareTo(fullScanAfter) >= 0;
        }

        /**
         * Notes a scan of rows of any age.
         *
         * @param began as of when, by the database's clock
         * @param found due times of all that waits
         */
        void lookedFor(Instant began, Instant ended, Stream<Instant> found) {
            fullyScanned = began;
            Duration took = Duration.between(began, ended).multipliedBy(FULL_SCAN_SHARE);
            fullScanAfter = took.compareTo(FULL_SCAN) > 0 ? took : FULL_SCAN;
            Instant reach = began.minus(REACH_BACK);
            dueAt = found.filter(due -> due.isBefore(reach))
                    .min(Instant::compareTo)
                    .orElse(reach);
        }
    }
}
