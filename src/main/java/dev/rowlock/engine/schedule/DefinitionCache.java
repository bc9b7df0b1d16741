package dev.rowlock.engine.schedule;

import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.JobSchedule;
import dev.rowlock.job.StoredDefinition;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.store.job.Definitions;
import dev.rowlock.store.job.Definitions.Part;
import dev.rowlock.store.job.Definitions.Stored;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Definitions and schedules of jobs, parsed once for each version. Used by who has the turn. */
public final class DefinitionCache {

    private static final Logger log = LoggerFactory.getLogger(DefinitionCache.class);
    /** The most text of definitions that is kept parsed, in characters; what it is parsed into takes some five times that in bytes. */
    private static final long KEPT = 8_000_000;

    /** The most text that one call reads, in characters. */
    private static final long READ_AT_ONCE = 4_000_000;

    private final Definitions definitions;
    private final Function<Stored, Entry> parser;
    private final LinkedHashMap<Long, Kept> entries = new LinkedHashMap<>(256, 0.75f, true);
    private final NotUnderstood notUnderstood;
    private long weight;
    /** How many jobs are asked for at once: fewer when they are large, as what does not fit is read in vain. */
    private int most = Integer.MAX_VALUE;

    private record Kept(Entry entry, int weight) {}

    /** One version of one job. */
    public record Entry(int version, JobDefinition definition, Schedule schedule) {}

    /** A job at the version that somebody wants to act on. */
    public record Wanted(long jobId, int version) {}

    /** @param parser throws {@link RuntimeException} if what is stored cannot be understood */
    public DefinitionCache(Definitions definitions, Function<Stored, Entry> parser, LongSupplier nanos) {
        this.definitions = definitions;
        this.parser = parser;
        this.notUnderstood = new NotUnderstood(nanos);
    }

    /** Those of the jobs asked for that cannot be understood; they are not found here. */
    public NotUnderstood notUnderstood() {
        return notUnderstood;
    }

    /**
     * Reads what is missing, in one statement, and as much as memory bears: at least one job, and all of them unless they are large. What is wanted
     * stays at least until the next call.
     *
     * @return jobs that are for the next call, as this one has read enough
     */
    public Set<Long> load(Collection<Wanted> wanted) {
        trim();
        Set<Long> missing = new LinkedHashSet<>();
        wanted.stream()
                .filter(w -> find(w.jobId(), w.version()).isEmpty() && !notUnderstood.contains(w.jobId(), w.version()))
                .forEach(w -> missing.add(w.jobId()));
        List<Long> asked = missing.stream().limit(most).toList();
        Part read = definitions.current(asked, READ_AT_ONCE);
        read.definitions().forEach(this::keep);
        missing.removeAll(settled(asked, read));
        most = read.cut() ? read.definitions().size() : most > Integer.MAX_VALUE / 2 ? most : 2 * most;
        return missing;
    }

    /** Those that were read, and unless the answer was cut, those that are gone. */
    private static Collection<Long> settled(List<Long> asked, Part read) {
        return read.cut() ? read.definitions().stream().map(Stored::jobId).toList() : asked;
    }

    private void keep(Stored stored) {
        try {
            keep(stored.jobId(), new Kept(parser.apply(stored), stored.json().length()));
            notUnderstood.understood(stored.jobId());
        } catch (RuntimeException e) {
            log.debug("the definition of job {} (version {}) cannot be read", stored.jobId(), stored.version(), e);
            notUnderstood.add(stored.jobId(), stored.version(), stored.key(), String.valueOf(e.getMessage()));
        }
    }

    /** Empty if it is not loaded, or the job has another version by now. */
    public Optional<Entry> find(long jobId, int version) {
        @Nullable Kept kept = entries.get(jobId);
        return Optional.ofNullable(kept).map(Kept::entry).filter(e -> e.version() == version);
    }

    private void keep(long jobId, Kept kept) {
        @Nullable Kept former = entries.put(jobId, kept);
        weight += kept.weight() - (former == null ? 0 : former.weight());
    }

    private void trim() {
        var eldest = entries.values().iterator();
        while (weight > KEPT && eldest.hasNext()) {
            weight -= eldest.next().weight();
            eldest.remove();
        }
    }

    /** A definition as it is stored, with its schedule. */
    public static Entry parse(Stored stored) {
        StoredDefinition read = StoredDefinition.read(stored.key(), stored.json(), false);
        if (!read.isUnderstood()) {
            throw new IllegalStateException(read.problem());
        }
        JobDefinition definition = read.definition();
        return new Entry(stored.version(), definition, JobSchedule.of(definition, stored.createdAt()));
    }
}
