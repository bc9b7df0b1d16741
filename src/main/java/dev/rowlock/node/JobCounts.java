package dev.rowlock.node;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts of what this node has done for jobs that ask for counts of their own ({@code metrics: true}), at most a
 * thousand of them. Other jobs cost nothing. Thread-safe.
 */
public final class JobCounts {

    /** Bound on jobs: each is some twelve series in whatever stores them. */
    static final int MOST = 1_000;

    private static final Logger log = LoggerFactory.getLogger(JobCounts.class);

    private final Map<JobKey, JobCounters> jobs = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private final AtomicBoolean refusalSaid = new AtomicBoolean();

    /** Counts of one job. */
    public static final class JobCounters {
        /** Id of the job, which changes when it is deleted and made again. */
        private volatile long jobId;

        private final LongAdder started = new LongAdder();
        private final Map<Outcome, LongAdder> ended = Counts.adders(Outcome.class);
        private final LongAdder durations = new LongAdder();
        private final LongAdder durationMillis = new LongAdder();
        private volatile @Nullable Instant lastSuccess;

        public long jobId() {
            return jobId;
        }

        public long started() {
            return started.sum();
        }

        public Map<Outcome, Long> ended() {
            return Counts.sums(ended);
        }

        public long durations() {
            return durations.sum();
        }

        public long durationMillis() {
            return durationMillis.sum();
        }

        /** Returns the last success, by the database's clock; null: none has succeeded on this node. */
        public @Nullable Instant lastSuccess() {
            return lastSuccess;
        }
    }

    /** Counts a start of the job's command. */
    void started(long jobId, JobDefinition job) {
        if (!job.metrics()) {
            if (!jobs.isEmpty()) {
                jobs.remove(job.key()); // it asked for it once
            }
            return;
        }
        JobCounters counts = jobs.get(job.key());
        if (counts == null) {
            if (jobs.size() >= MOST) {
                refuse(job);
                return;
            }
            counts = jobs.computeIfAbsent(job.key(), key -> new JobCounters());
        }
        counts.jobId = jobId;
        counts.started.increment();
    }

    private void refuse(JobDefinition job) {
        refused.increment();
        if (refusalSaid.compareAndSet(false, true)) {
            log.warn(
                    "{} jobs have metrics of their own, as many as a node keeps; {} and others that ask for them get"
                            + " none",
                    MOST,
                    job.key());
        }
    }

    /**
     * Counts an end.
     *
     * @param durationMillis null: its command did not run
     */
    void ended(JobDefinition job, Outcome outcome, @Nullable Long durationMillis, @Nullable Instant at) {
        JobCounters counts = job.metrics() ? jobs.get(job.key()) : null;
        if (counts == null) {
            return;
        }
        Counts.of(counts.ended, outcome).increment();
        if (durationMillis != null) {
            counts.durations.increment();
            counts.durationMillis.add(durationMillis);
        }
        if (outcome == Outcome.SUCCEEDED) {
            counts.lastSuccess = at;
        }
    }

    public Map<JobKey, JobCounters> all() {
        return Map.copyOf(jobs);
    }

    /** Drops the counts of those of the {@code asked} jobs that are not {@code still} asking for them. */
    public void retain(Collection<Long> asked, Collection<Long> still) {
        jobs.values().removeIf(job -> asked.contains(job.jobId) && !still.contains(job.jobId));
    }

    /** Returns the number of starts that were not counted by job, as too many jobs ask for it. */
    public long refused() {
        return refused.sum();
    }
}
