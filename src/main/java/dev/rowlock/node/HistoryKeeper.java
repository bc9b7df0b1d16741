package dev.rowlock.node;

import dev.rowlock.calendar.OldCalendarVersions;
import dev.rowlock.calendar.OldCalendarVersions.MarkedVersion;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.Database;
import dev.rowlock.field.KeptFor;
import dev.rowlock.job.version.OldVersions;
import dev.rowlock.job.version.OldVersions.EndedVersion;
import dev.rowlock.report.count.OldAggregates;
import dev.rowlock.task.backfill.BackfillQueries;
import dev.rowlock.task.history.Retention;
import dev.rowlock.task.history.Retention.AgingTable;
import dev.rowlock.task.history.Retention.DeletedBatch;
import dev.rowlock.task.history.RetentionTerms;
import dev.rowlock.task.rerun.Requests;
import dev.rowlock.task.store.SelectorStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Deletion of all that has been kept long enough, on one node at a time. A step is one small batch, and the rest after
 * it grows with the load of the server; a pass goes on until nothing is left.
 */
public final class HistoryKeeper implements Step {

    private static final Duration BETWEEN_PASSES = Duration.ofSeconds(10);
    private static final Duration KEYS_KEPT = Duration.ofDays(1);
    /** Time that versions of jobs stay beyond the history that they belong to. */
    private static final Duration VERSIONS_LONGER = Duration.ofDays(1);

    private static final int VERSIONS_AT_ONCE = 500;
    /** Time after which a version that was still named is checked again. */
    private static final Duration VERSIONS_AGAIN = Duration.ofDays(1);

    /** Time between two looks for what is small, or grows slowly. */
    private static final Duration SWEEP_AGAIN = Duration.ofHours(1);

    private static final int SWEPT_AT_ONCE = 1_000;

    private final NodeContext node;
    private final Retention retention;
    private final RetentionTerms terms;
    private final HeldClaim claim;
    private final Requests requests;
    private final OldVersions versions;
    private final OldCalendarVersions calendars;
    private final SelectorStore selectors;
    private final OldAggregates aggregates;
    private final BackfillQueries backfills;
    private final Predicate<Instant> alerts;
    /**
     * Retention in force: the longest of what this node and others are configured to keep. Zero: for ever, also for the
     * versions of jobs.
     */
    private volatile KeptFor kept;

    private boolean recorded;

    private final Pace pace = Pace.ofShortLocks();
    private final Deque<ChoreStep> left = new ArrayDeque<>();
    private EndedVersion versionsThrough = EndedVersion.FIRST;
    private long versionsFromStartNanos;
    private long sweptNanos;
    private long calendarsNanos;

    /** Rest of the work of this pass; null when it is done. */
    private interface ChoreStep {
        @Nullable
        ChoreStep step();
    }

    /** @param alerts deletes a batch of alerts that were over before a time; returns whether there may be more */
    public HistoryKeeper(NodeContext node, Database database, Predicate<Instant> alerts) {
        this.node = node;
        this.retention = new Retention(database);
        this.terms = new RetentionTerms(database);
        this.claim = new HeldClaim(node.nanos(), retention.claim());
        this.requests = new Requests(database);
        this.versions = new OldVersions(database);
        this.calendars = new OldCalendarVersions(database);
        this.selectors = new SelectorStore(database);
        this.aggregates = new OldAggregates(database);
        this.backfills = new BackfillQueries(database);
        this.alerts = alerts;
        this.sweptNanos = node.nanos().getAsLong() - SWEEP_AGAIN.toNanos();
        this.calendarsNanos = node.nanos().getAsLong() - VERSIONS_AGAIN.toNanos();
        this.kept = node.settings().kept();
    }

    /**
     * Returns, for people, how long what has ended is kept, and why if that is longer than this node is configured to.
     */
    public String said() {
        KeptFor longest = kept;
        return longest.equals(node.settings().kept())
                ? longest.said()
                : longest.said() + ", as nodes of this cluster were told; this one was told to keep "
                        + node.settings().kept().said()
                        + ". The longest counts until POST /api/v1/cluster/retention/accept makes what the nodes that"
                        + " live were told the rule";
    }

    @Override
    public Pass runOnce() {
        Trust trust = node.lease().current().orElse(null);
        if (trust == null || !node.clock().isKnown()) {
            left.clear();
            return Pass.rest(BETWEEN_PASSES);
        }
        record();
        if (!node.clock().mayDelete(kept.history()) || !claim.isHeldBy(trust.sessionId())) {
            left.clear();
            return Pass.rest(BETWEEN_PASSES);
        }
        if (left.isEmpty()) {
            kept = inForce();
            if (!node.clock().mayDelete(kept.history())) {
                return Pass.rest(BETWEEN_PASSES);
            }
            plan(node.clock().now());
        }
        long beganNanos = node.nanos().getAsLong();
        ChoreStep next = left.remove().step();
        if (next != null) {
            left.addFirst(next);
        }
        if (left.isEmpty()) {
            claim.giveBack();
            return Pass.rest(BETWEEN_PASSES);
        }
        return Pass.rest(pace.restAfter(node.nanos().getAsLong() - beganNanos));
    }

    /** Records what this node is configured to keep: others must know that before they delete anything more. */
    private void record() {
        if (!recorded) {
            terms.raise(node.settings().kept());
            kept = inForce();
            recorded = true;
        }
    }

    private KeptFor inForce() {
        return terms.recorded().orElseGet(node.settings()::kept);
    }

    /**
     * Plans a pass: what is swept now and then first; outputs before their rows of history; versions last, when no old
     * row names them any more.
     */
    private void plan(Instant now) {
        if (node.nanos().getAsLong() - sweptNanos >= SWEEP_AGAIN.toNanos()) {
            planSweep(now);
        }
        if (!kept.history().isZero()) {
            Instant before = now.minus(kept.history());
            retention.note(before);
            left.add(purge(AgingTable.OUTPUT, Instant.EPOCH, before));
            left.add(purge(AgingTable.HISTORY, Instant.EPOCH, before));
            left.add(purge(AgingTable.SPAN, Instant.EPOCH, before));
            left.add(purge(AgingTable.FREEZE, Instant.EPOCH, before));
        }
        Duration auditKept = kept.audit();
        if (!auditKept.isZero() && node.clock().mayDelete(auditKept)) {
            left.add(purge(AgingTable.AUDIT, Instant.EPOCH, now.minus(auditKept)));
        }
        left.add(purge(AgingTable.IDEMPOTENCY_KEY, Instant.EPOCH, now.minus(KEYS_KEPT)));
        left.add(() -> {
            requests.forgetOld();
            return null;
        });
        if (!kept.history().isZero()) {
            Instant before = now.minus(kept.history()).minus(VERSIONS_LONGER);
            if (node.nanos().getAsLong() - versionsFromStartNanos >= VERSIONS_AGAIN.toNanos()) {
                versionsFromStartNanos = node.nanos().getAsLong();
                versionsThrough = EndedVersion.FIRST;
            }
            left.add(() -> prune(before));
            if (node.nanos().getAsLong() - calendarsNanos >= VERSIONS_AGAIN.toNanos()) {
                left.add(() -> pruneCalendars(before));
            }
        }
    }

    private void planSweep(Instant now) {
        left.add(() -> {
            selectors.sweep();
            return null;
        });
        left.add(batches(() -> aggregates.purgeMinutes(now, SWEPT_AT_ONCE) == SWEPT_AT_ONCE));
        left.add(aggregatesOfJobs(0));
        if (!kept.history().isZero()) {
            Instant before = now.minus(kept.history());
            left.add(batches(() -> aggregates.purgeDays(before, SWEPT_AT_ONCE) == SWEPT_AT_ONCE));
            left.add(batches(() -> alerts.test(before)));
            left.add(batches(() -> backfills.delete(before, SWEPT_AT_ONCE)));
        }
        left.add(() -> {
            sweptNanos = node.nanos().getAsLong();
            return null;
        });
    }

    /** @param batch deletes a batch; returns whether there is more */
    private static ChoreStep batches(BooleanSupplier batch) {
        return () -> batch.getAsBoolean() ? batches(batch) : null;
    }

    private ChoreStep aggregatesOfJobs(long after) {
        return () -> {
            long through = aggregates.purgeJobs(after, SWEPT_AT_ONCE);
            return through < 0 ? null : aggregatesOfJobs(through);
        };
    }

    private ChoreStep purge(AgingTable table, Instant floor, Instant before) {
        return () -> {
            long beganNanos = node.nanos().getAsLong();
            DeletedBatch batch = retention.delete(table, floor, before, pace.rows());
            pace.took(batch.deleted(), node.nanos().getAsLong() - beganNanos);
            return batch.more() ? purge(table, batch.through(), before) : null;
        };
    }

    /** Looks through the versions of all jobs for old versions of calendars, and deletes those that none names. */
    private @Nullable ChoreStep pruneCalendars(Instant before) {
        calendarsNanos = node.nanos().getAsLong();
        Set<MarkedVersion> replaced = calendars.replaced(before);
        return replaced.isEmpty() ? null : pruneCalendars(replaced, before, 0);
    }

    private ChoreStep pruneCalendars(Set<MarkedVersion> replaced, Instant before, long after) {
        return () -> {
            OptionalLong through = calendars.keepNamed(replaced, before, after);
            return through.isPresent()
                    ? pruneCalendars(replaced, before, through.getAsLong())
                    : batches(() -> calendars.delete(replaced, before));
        };
    }

    /** Checks every version that has grown old enough once, and then all old ones of its job. */
    private @Nullable ChoreStep prune(Instant before) {
        List<EndedVersion> ended = versions.ended(versionsThrough, before, VERSIONS_AT_ONCE);
        Set<Long> jobs = new LinkedHashSet<>();
        ended.forEach(version -> jobs.add(version.jobId()));
        Deque<Long> open = new ArrayDeque<>(jobs);
        return open.isEmpty() ? null : prune(open, ended, before);
    }

    private ChoreStep prune(Deque<Long> jobs, List<EndedVersion> ended, Instant before) {
        return () -> {
            if (!versions.delete(jobs.getFirst(), before, kept.versions())) {
                jobs.removeFirst();
            }
            if (!jobs.isEmpty()) {
                return prune(jobs, ended, before);
            }
            versionsThrough = ended.get(ended.size() - 1);
            return ended.size() == VERSIONS_AT_ONCE ? () -> prune(before) : null;
        };
    }
}
