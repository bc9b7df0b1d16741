package dev.rowlock.node.scheduler;

import dev.rowlock.definition.JobKey;
import dev.rowlock.task.store.JobAtVersion;
import dev.rowlock.task.transition.ScanFilter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
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
    /** Time after which a job that was not found again is gone, or has nothing due. */
    private static final Duration FORGET = Duration.ofMinutes(10);
    /** Bound on jobs named in the log: a newer version may have written a hundred thousand. */
    private static final int NAMED = 20;

    private final LongSupplier nanos;
    private final Map<Long, UnfitJob> jobs = new LinkedHashMap<>();

    /**
     * Job that is left to others.
     *
     * @param lacksKey it is understood, but has secrets under a key that this node lacks
     */
    private record UnfitJob(int version, JobKey key, String why, boolean lacksKey, long readNanos) {}

    NotUnderstood(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void add(long id, int version, JobKey key, String why) {
        add(id, new UnfitJob(version, key, why, false, nanos.getAsLong()));
    }

    /** Adds a job to whose secrets other nodes have the key, but not this one. */
    void lacksKey(long id, int version, JobKey key, String why) {
        add(id, new UnfitJob(version, key, why, true, nanos.getAsLong()));
    }

    private synchronized void add(long id, UnfitJob job) {
        UnfitJob previous = jobs.remove(id);
        boolean isNew =
                previous == null || previous.version() != job.version() || previous.lacksKey() != job.lacksKey();
        if (isNew && jobs.size() < NAMED && job.lacksKey()) {
            log.warn("job {} is left to other nodes, which have the key that this one lacks: {}", job.key(), job.why());
        } else if (isNew && jobs.size() < NAMED) {
            log.warn(
                    "version {} of job {} is not understood and left to other nodes: {}",
                    job.version(),
                    job.key(),
                    job.why());
        } else if (isNew && jobs.size() == NAMED) {
            log.warn("further jobs are not understood and left to other nodes; /readyz says how many");
        }
        jobs.put(id, job);
    }

    synchronized void understood(long id) {
        UnfitJob previous = jobs.remove(id);
        if (previous != null) {
            log.info(
                    previous.lacksKey()
                            ? "job {} is no longer left to other nodes"
                            : "the definition of job {} is understood now",
                    previous.key());
        }
    }

    /** Returns those that need not be read now. */
    public synchronized List<JobAtVersion> leftOut() {
        long now = nanos.getAsLong();
        jobs.values().removeIf(job -> now - job.readNanos() >= FORGET.toNanos());
        return jobs.entrySet().stream()
                .filter(e -> isFresh(e.getValue()))
                .limit(ScanFilter.MOST)
                .map(e -> new JobAtVersion(e.getKey(), e.getValue().version()))
                .toList();
    }

    /** Returns whether it need not be read now. */
    synchronized boolean contains(long id, int version) {
        UnfitJob job = jobs.get(id);
        return job != null && job.version() == version && isFresh(job);
    }

    private boolean isFresh(UnfitJob job) {
        return nanos.getAsLong() - job.readNanos() < READ_AGAIN.toNanos();
    }

    /** Returns the problem, for people; empty if all is understood, and can be run here. */
    synchronized Optional<String> problem() {
        return Stream.of(
                        problem(
                                false,
                                "this node does not understand the definition of %s and leaves %s to other nodes: ",
                                "; update this node"),
                        problem(
                                true,
                                "this node lacks the key to the secrets of %s and leaves %s to other nodes: ",
                                "; add the key to secrets.key-file or secrets.previous-keys of this node"))
                .flatMap(Optional::stream)
                .reduce((one, other) -> one + ". Also: " + other);
    }

    private Optional<String> problem(boolean lacksKey, String what, String remedy) {
        List<UnfitJob> some =
                jobs.values().stream().filter(job -> job.lacksKey() == lacksKey).toList();
        return some.stream()
                .findFirst()
                .map(job -> what.formatted(
                                some.size() + (some.size() == 1 ? " job" : " jobs"), some.size() == 1 ? "it" : "them")
                        + job.key() + " (" + job.why() + ")" + (some.size() == 1 ? "" : ", …") + remedy);
    }
}
