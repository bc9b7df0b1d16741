package dev.rowlock.engine;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.store.history.Retention;
import dev.rowlock.store.history.Retention.Batch;
import dev.rowlock.store.history.Retention.Kind;
import dev.rowlock.store.job.OldVersions;
import dev.rowlock.store.job.OldVersions.Ended;
import dev.rowlock.store.task.Requests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what has been kept long enough, on one node at a time. A step is one small batch, and the rest after it is the longer, the more the
 * server has to do meanwhile; a pass goes on until nothing is left.
 */
public final class HistoryKeeper implements Step {

    private static final Duration BETWEEN_PASSES = Duration.ofSeconds(10);
    private static final Duration CLAIM_AGAIN = Duration.ofSeconds(20);
    private static final Duration KEYS_KEPT = Duration.ofDays(1);
    /** Versions of jobs stay a day longer than the history that they belong to. */
    private static final Duration VERSIONS_LONGER = Duration.ofDays(1);

    private static final int VERSIONS_AT_ONCE = 500;
    /** What was named by something when it was looked at is looked at again. */
    private static final Duration VERSIONS_AGAIN = Duration.ofDays(1);

    private final Lease lease;
    private final DatabaseClock clock;
    private final LongSupplier nanos;
    private final Retention retention;
    private final Requests requests;
    private final OldVersions versions;
    private final Duration kept;
    private final int keptVersions;
    private final Pace pace = new Pace();
    private final Deque<Work> left = new ArrayDeque<>();
    private long claimedNanos;
    private Ended versionsThrough = Ended.FIRST;
    private long versionsFromStartNanos;

    /** What remains to be done in this pass; null when it is done. */
    private interface Work {
        @Nullable
        Work step();
    }

    /**
     * @param kept how long history is kept; zero: for ever, and then so are the versions of jobs
     * @param keptVersions how many versions of a job are kept at the least
     */
    public HistoryKeeper(
            Lease lease,
            DatabaseClock clock,
            LongSupplier nanos,
            Retention retention,
            Requests requests,
            OldVersions versions,
            Duration kept,
            int keptVersions) {
        this.lease = lease;
        this.clock = clock;
        this.nanos = nanos;
        this.retention = retention;
        this.requests = requests;
        this.versions = versions;
        this.kept = kept;
        this.keptVersions = keptVersions;
    }

    @Override
    public Pass runOnce() {
        Trust trust = lease.current().orElse(null);
        if (trust == null || !clock.isKnown() || !clock.mayDelete(kept) || !isOurs(trust.sessionId())) {
            left.clear();
            return Pass.rest(BETWEEN_PASSES);
        }
        if (left.isEmpty()) {
            plan(clock.now());
        }
        long beganNanos = nanos.getAsLong();
        Work next = left.remove().step();
        if (next != null) {
            left.addFirst(next);
        }
        if (left.isEmpty()) {
            retention.giveBack(trust.sessionId());
            return Pass.rest(BETWEEN_PASSES);
        }
        return Pass.rest(pace.restAfter(nanos.getAsLong() - beganNanos));
    }

    private boolean isOurs(String session) {
        if (!left.isEmpty() && nanos.getAsLong() - claimedNanos < CLAIM_AGAIN.toNanos()) {
            return true;
        }
        claimedNanos = nanos.getAsLong();
        return retention.claim(session);
    }

    /** Outputs first, so that none is left whose row of history is gone for long; versions last, when no old row names them any more. */
    private void plan(Instant now) {
        if (!kept.isZero()) {
            Instant before = now.minus(kept);
            retention.note(before);
            left.add(purge(Kind.OUTPUT, Instant.EPOCH, before));
            left.add(purge(Kind.HISTORY, Instant.EPOCH, before));
            left.add(purge(Kind.SPAN, Instant.EPOCH, before));
        }
        left.add(purge(Kind.IDEMPOTENCY_KEY, Instant.EPOCH, now.minus(KEYS_KEPT)));
        left.add(() -> {
            requests.forgetOld();
            return null;
        });
        if (!kept.isZero()) {
            Instant before = now.minus(kept).minus(VERSIONS_LONGER);
            if (nanos.getAsLong() - versionsFromStartNanos >= VERSIONS_AGAIN.toNanos()) {
                versionsFromStartNanos = nanos.getAsLong();
                versionsThrough = Ended.FIRST;
            }
            left.add(() -> prune(before));
        }
    }

    private Work purge(Kind kind, Instant floor, Instant before) {
        return () -> {
            long beganNanos = nanos.getAsLong();
            Batch batch = retention.delete(kind, floor, before, pace.rows());
            pace.took(batch.deleted(), nanos.getAsLong() - beganNanos);
            return batch.more() ? purge(kind, batch.through(), before) : null;
        };
    }

    /** Looks once at every version that has grown old enough, and then at all old ones of its job. */
    private @Nullable Work prune(Instant before) {
        List<Ended> ended = versions.ended(versionsThrough, before, VERSIONS_AT_ONCE);
        Set<Long> jobs = new LinkedHashSet<>();
        ended.forEach(version -> jobs.add(version.jobId()));
        Deque<Long> open = new ArrayDeque<>(jobs);
        return open.isEmpty() ? null : prune(open, ended, before);
    }

    private Work prune(Deque<Long> jobs, List<Ended> ended, Instant before) {
        return () -> {
            if (!versions.delete(jobs.getFirst(), before, keptVersions)) {
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
