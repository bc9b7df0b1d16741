package dev.rowlock.node.scheduler;

import dev.rowlock.db.SizedRows;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.job.store.Definitions;
import dev.rowlock.job.store.Definitions.DefinitionRow;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FirePolicy;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.store.JobAtVersion;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of definitions and schedules of jobs, parsed once for each version. For one thread at a time, except {@link
 * #knows}.
 */
public final class DefinitionCache {

    private static final Logger log = LoggerFactory.getLogger(DefinitionCache.class);
    /** Bound on text that is kept parsed, in characters; it takes some five times that in bytes. */
    private static final long KEPT = 8_000_000;

    /** Bound on text that one call reads, in characters. */
    private static final long READ_AT_ONCE = 4_000_000;

    private final Definitions definitions;
    private final Function<DefinitionRow, CachedDefinition> parser;
    private final LinkedHashMap<Long, SizedDefinition> entries = new LinkedHashMap<>(256, 0.75f, true);
    /** Versions of {@code entries}, for other threads. */
    private final Map<Long, Integer> versions = new ConcurrentHashMap<>();

    private final NotUnderstood notUnderstood;
    private final Function<JobDefinition, Optional<String>> unfit;
    private long weight;
    /** Number of jobs that are read at once: fewer when they are large, as what does not fit is read in vain. */
    private int most = Integer.MAX_VALUE;

    private record SizedDefinition(CachedDefinition entry, int weight) {}

    /** Version of a job. */
    public record CachedDefinition(
            int version, JobDefinition definition, Schedule schedule, FirePolicy policy, Terms terms) {

        public CachedDefinition(int version, JobDefinition definition, Schedule schedule) {
            this(version, definition, schedule, FirePolicy.of(definition), Terms.of(definition));
        }
    }

    /**
     * Creates a cache that fits all jobs.
     *
     * @param parser throws {@link RuntimeException} if what is stored cannot be understood
     */
    public DefinitionCache(
            Definitions definitions, Function<DefinitionRow, CachedDefinition> parser, LongSupplier nanos) {
        this(definitions, parser, nanos, job -> Optional.empty());
    }

    /**
     * Creates a cache.
     *
     * @param unfit why this node leaves a job that it understands to others, called whenever it is read
     */
    DefinitionCache(
            Definitions definitions,
            Function<DefinitionRow, CachedDefinition> parser,
            LongSupplier nanos,
            Function<JobDefinition, Optional<String>> unfit) {
        this.unfit = unfit;
        this.definitions = definitions;
        this.parser = parser;
        this.notUnderstood = new NotUnderstood(nanos);
    }

    /** Returns the wanted jobs that cannot be understood; they are not found here. */
    NotUnderstood notUnderstood() {
        return notUnderstood;
    }

    /**
     * Reads what is missing, in one statement: at least one job, and all of them unless they are large. What is wanted
     * stays at least until the next call.
     *
     * @return jobs that are for the next call, as this one has read enough
     */
    public Set<Long> load(Collection<JobAtVersion> wanted) {
        trim();
        Set<Long> missing = new LinkedHashSet<>();
        wanted.stream()
                .filter(w -> find(w.jobId(), w.version()).isEmpty() && !notUnderstood.contains(w.jobId(), w.version()))
                .forEach(w -> missing.add(w.jobId()));
        List<Long> asked = missing.stream().limit(most).toList();
        SizedRows<DefinitionRow> read = definitions.current(asked, READ_AT_ONCE);
        read.rows().forEach(this::keep);
        missing.removeAll(settled(asked, read));
        most = read.cut() ? read.rows().size() : most > Integer.MAX_VALUE / 2 ? most : 2 * most;
        return missing;
    }

    /** Reads what is missing for the jobs of these tasks. */
    Set<Long> loadJobsOf(Collection<Task> tasks) {
        return load(tasks.stream()
                .map(task -> new JobAtVersion(task.jobId(), task.version()))
                .toList());
    }

    /** Returns those that were read, and unless the result was cut, those that are gone. */
    private static Collection<Long> settled(List<Long> asked, SizedRows<DefinitionRow> read) {
        return read.cut() ? read.rows().stream().map(DefinitionRow::jobId).toList() : asked;
    }

    private void keep(DefinitionRow stored) {
        CachedDefinition entry;
        try {
            entry = parser.apply(stored);
        } catch (RuntimeException e) {
            log.debug("the definition of job {} (version {}) cannot be read", stored.jobId(), stored.version(), e);
            notUnderstood.add(stored.jobId(), stored.version(), stored.key(), String.valueOf(e.getMessage()));
            return;
        }
        Optional<String> why = unfit.apply(entry.definition());
        if (why.isPresent()) {
            leave(stored.jobId(), entry, why.get());
        } else {
            keep(stored.jobId(), new SizedDefinition(entry, stored.json().length()));
            notUnderstood.understood(stored.jobId());
        }
    }

    /** Leaves a job that this node understands, but cannot run now, to others for a while. */
    void leave(long jobId, CachedDefinition entry, String why) {
        versions.remove(jobId);
        @Nullable SizedDefinition kept = entries.remove(jobId);
        weight -= kept == null ? 0 : kept.weight();
        notUnderstood.lacksKey(jobId, entry.version(), entry.definition().key(), why);
    }

    /** Returns the entry; empty if it is not loaded, or the job has another version by now. */
    public Optional<CachedDefinition> find(long jobId, int version) {
        @Nullable SizedDefinition kept = entries.get(jobId);
        return Optional.ofNullable(kept).map(SizedDefinition::entry).filter(e -> e.version() == version);
    }

    /** Returns until when an occurrence of a job may start; for ever if it has no deadline, or is not loaded. */
    Instant deadline(long jobId, int version, Instant fireTime) {
        return find(jobId, version)
                .map(entry -> entry.policy().startDeadline())
                .map(fireTime::plus)
                .orElse(Instant.MAX);
    }

    /** Returns whether a job is loaded at that version, and this node can run it. For any thread. */
    boolean knows(JobAtVersion job) {
        return Objects.equals(versions.get(job.jobId()), job.version());
    }

    private void keep(long jobId, SizedDefinition kept) {
        versions.put(jobId, kept.entry().version());
        @Nullable SizedDefinition previous = entries.put(jobId, kept);
        weight += kept.weight() - (previous == null ? 0 : previous.weight());
    }

    private void trim() {
        var eldest = entries.entrySet().iterator();
        while (weight > KEPT && eldest.hasNext()) {
            var next = eldest.next();
            weight -= next.getValue().weight();
            versions.remove(next.getKey());
            eldest.remove();
        }
    }

    /** Parses a stored definition, with its schedule. */
    public static CachedDefinition parse(DefinitionRow stored) {
        StoredDefinition read = StoredDefinition.read(stored.key(), stored.json(), false, stored.calendars());
        if (!read.isUnderstood()) {
            throw new IllegalStateException(read.problem());
        }
        JobDefinition definition = read.definition();
        return new CachedDefinition(stored.version(), definition, JobSchedule.of(definition, stored.createdAt()));
    }
}
