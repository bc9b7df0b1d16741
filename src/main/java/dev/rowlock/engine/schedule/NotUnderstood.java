package dev.rowlock.engine.schedule;

import dev.rowlock.job.JobKey;
import dev.rowlock.store.task.JobAtVersion;
import dev.rowlock.store.task.LeftOut;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs whose stored definition this node does not understand: most likely a newer version wrote it. Their tasks are
 * left to nodes that do. A changed definition is read when it is found, and an unchanged one from time to time.
 * Thread-safe.
 */
public final class NotUnderstood {

    private static final Logger log = LoggerFactory.getLogger(NotUnderstood.class);
    private static final Duration READ_AGAIN = Duration.ofSeconds(30);
    /** What nobody has come upon for so long is no longer there, or nothing of it is due. */
    private static final Duration FORGET = Duration.ofMinutes(10);
    /** So many are named in the log: a newer version may have written a hundred thousand. */
    private static final int NAMED = 20;

    private final LongSupplier nanos;
    private final Map<Long, Job> jobs = new LinkedHashMap<>();

    private record Job(int version, JobKey key, String why, long readNanos) {}

    NotUnderstood(LongSupplier nanos) {
        this.nanos = nanos;
    }

    synchronized void add(long id, int version, JobKey key, String why) {
        Job previous = jobs.remove(id);
        boolean isNew = previous == null || previous.version() != version;
        if (isNew && jobs.size() < NAMED) {
            log.warn("version {} of job {} is not understood and left to other nodes: {}", version, key, why);
        } else if (isNew && jobs.size() == NAMED) {
            log.warn("further jobs are not understood and left to other nodes; /readyz says how many");
        }
        jobs.put(id, new Job(version, key, why, nanos.getAsLong()));
    }

    synchronized void understood(long id) {
        Job previous = jobs.remove(id);
        if (previous != null) {
            log.info("the definition of job {} is understood now", previous.key());
        }
    }

    /** Those that need not be read now. */
    public synchronized List<JobAtVersion> leftOut() {
        long now = nanos.getAsLong();
        jobs.values().removeIf(job -> now - job.readNanos() >= FORGET.toNanos());
        return jobs.entrySet().stream()
                .filter(e -> isFresh(e.getValue()))
                .limit(LeftOut.MOST)
                .map(e -> new JobAtVersion(e.getKey(), e.getValue().version()))
                .toList();
    }

    /** Whether it need not be read now. */
    synchronized boolean contains(long id, int version) {
        Job job = jobs.get(id);
        return job != null && job.version() == version && isFresh(job);
    }

    private boolean isFresh(Job job) {
        return nanos.getAsLong() - job.readNanos() < READ_AGAIN.toNanos();
    }

    /** For people; empty if all is understood. */
    synchronized Optional<String> problem() {
        return jobs.values().stream()
                .findFirst()
                .map(job -> "this node does not understand the definition of " + jobs.size()
                        + (jobs.size() == 1 ? " job" : " jobs") + " and leaves " + (jobs.size() == 1 ? "it" : "them")
                        + " to other nodes: " + job.key() + " (" + job.why() + ")" + (jobs.size() == 1 ? "" : ", …")
                        + "; update this node");
    }
}
