package dev.rowlock.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.control.Refused.Reason;
import dev.rowlock.job.Cause;
import dev.rowlock.job.DefinitionJson;
import dev.rowlock.job.FieldProblem;
import dev.rowlock.job.InvalidDefinition;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.JobKey;
import dev.rowlock.job.JobSchedule;
import dev.rowlock.store.JobChange;
import dev.rowlock.store.JobFilter;
import dev.rowlock.store.JobQueries;
import dev.rowlock.store.JobStore;
import dev.rowlock.store.StoredJob;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Jobs as people define, change and start them. Every change of a definition or a pause is a new version; what changes nothing makes none. For
 * use by several threads.
 */
public final class Jobs {

    /** How often a change is tried again because somebody else changed the job in between. */
    private static final int TRIES = 10;

    private final JobStore store;
    private final JobQueries queries;
    private final Runnable wake;

    /** @param wake called after each change, so that the local engine looks at once */
    public Jobs(JobStore store, JobQueries queries, Runnable wake) {
        this.store = store;
        this.queries = queries;
        this.wake = wake;
    }

    /**
     * Creates a job.
     *
     * @throws InvalidDefinition if it is not acceptable
     * @throws Refused if it exists
     */
    public Saved create(ObjectNode sent) {
        JobDefinition definition = DefinitionJson.parse(sent);
        return tryToCreate(definition)
                .orElseThrow(() -> new Refused(
                        Reason.EXISTS, "job " + definition.key() + " exists; PUT replaces it, PATCH changes it"));
    }

    /**
     * Creates or replaces a job. A job that exists stays paused, or not, unless {@code paused} is sent.
     *
     * @throws InvalidDefinition if it is not acceptable
     * @throws Refused if the precondition does not hold
     */
    public Saved put(JobKey key, ObjectNode sent, Precondition precondition) {
        ObjectNode named = named(key, sent);
        JobDefinition definition = DefinitionJson.parse(named);
        boolean keepsPause = !named.hasNonNull("paused");
        for (int tried = 0; tried < TRIES; tried++) {
            Optional<StoredJob> seen = store.find(key);
            precondition.check(seen);
            Optional<Saved> saved = seen.isEmpty()
                    ? tryToCreate(definition)
                    : tryToChange(
                            seen.get(),
                            keepsPause
                                    ? definition.withPaused(
                                            seen.get().definition().paused())
                                    : definition,
                            precondition);
            if (saved.isPresent()) {
                return saved.get();
            }
        }
        throw contended(key);
    }

    /**
     * Changes some fields of a job, as RFC 7396 says.
     *
     * @throws InvalidDefinition if the result is not acceptable
     * @throws Refused if there is no such job, or the precondition does not hold
     */
    public Saved patch(JobKey key, ObjectNode patch, Precondition precondition) {
        for (int tried = 0; tried < TRIES; tried++) {
            StoredJob seen = existing(key, precondition);
            ObjectNode merged = DefinitionJson.write(seen.definition());
            MergePatch.apply(merged, patch);
            JobDefinition definition = DefinitionJson.parse(named(key, merged));
            Optional<Saved> saved = tryToChange(seen, definition, precondition);
            if (saved.isPresent()) {
                return saved.get();
            }
        }
        throw contended(key);
    }

    /** Holds everything but manual runs, or lets it go; what is so already stays as it is. */
    public JobView setPaused(JobKey key, boolean paused, Precondition precondition) {
        for (int tried = 0; tried < TRIES; tried++) {
            StoredJob seen = existing(key, precondition);
            Optional<Saved> saved = tryToChange(seen, seen.definition().withPaused(paused), precondition);
            if (saved.isPresent()) {
                return saved.get().view();
            }
        }
        throw contended(key);
    }

    /**
     * Sets the cursor anew although the definition stays, as the same definition means other fire times by now; makes a new version.
     *
     * @return false if there is no such job any more
     */
    boolean setCursorAnew(JobKey key) {
        Optional<StoredJob> seen = store.find(key);
        if (seen.isEmpty()) {
            return false;
        }
        StoredJob job = seen.get();
        Elapsed elapsed = elapsed(job);
        JobSchedule schedule = JobSchedule.of(job.definition(), job.createdAt());
        return store.change(
                        key,
                        "setting the cursor anew of",
                        change -> isAsSeen(change, job)
                                && changed(
                                                        change,
                                                        job.definition(),
                                                        true,
                                                        new Occurrences(
                                                                change, schedule, elapsed, ZoneRules.reason(job)))
                                                .version()
                                        > job.version())
                .orElse(false);
    }

    public JobView get(JobKey key) {
        StoredJob job = store.find(key).orElseThrow(() -> notFound(key));
        return view(job);
    }

    /** At most as many as the filter's limit, and fewer if they are large; at least one, if there is one. */
    public JobPage list(JobFilter filter) {
        JobQueries.Page page = queries.page(filter);
        return new JobPage(
                page.jobs().entrySet().stream()
                        .map(e -> new JobView(e.getKey(), e.getValue()))
                        .toList(),
                page.more());
    }

    /** Deletes a job. What is executing finishes; everything else ends as cancelled. */
    public void delete(JobKey key, Precondition precondition) {
        for (int tried = 0; tried < TRIES; tried++) {
            StoredJob seen = existing(key, precondition);
            Elapsed elapsed = elapsed(seen);
            Optional<Boolean> done = store.change(key, "deleting", change -> {
                if (!isAsSeen(change, seen)) {
                    return false;
                }
                new Deletion(change, elapsed).carryOut();
                return true;
            });
            if (done.orElse(false)) {
                wake.run();
                return;
            }
        }
        throw contended(key);
    }

    /**
     * Makes a task that is due now, also of a paused job.
     *
     * @param idempotencyKey the same key makes, and answers, the same task
     */
    public Run run(JobKey key, @Nullable String idempotencyKey) {
        String origin = "run:" + UUID.randomUUID().toString().substring(0, 13);
        Run run = store.change(key, "running", change -> {
                    Optional<Long> known =
                            idempotencyKey == null ? Optional.<Long>empty() : change.remembered(idempotencyKey);
                    if (known.isPresent()) {
                        return new Run(known.get(), List.of());
                    }
                    List<String> warnings = Run.overlaps(change);
                    long id = change.tasks().insert(change.job().version(), change.now(), origin, Cause.MANUAL, false);
                    if (idempotencyKey != null) {
                        change.remember(idempotencyKey, id);
                    }
                    return new Run(id, warnings);
                })
                .orElseThrow(() -> notFound(key));
        wake.run();
        return run;
    }

    private Optional<Saved> tryToCreate(JobDefinition definition) {
        return store.create(definition, now -> JobSchedule.of(definition, now).nextAfter(now))
                .map(job -> saved(job, true));
    }

    /** Empty if the job is no longer what was seen. */
    private Optional<Saved> tryToChange(StoredJob seen, JobDefinition to, Precondition precondition) {
        if (seen.definition().equals(to)) {
            return Optional.of(saved(seen, false));
        }
        Elapsed elapsed = elapsed(seen);
        JobSchedule after = JobSchedule.of(to, seen.createdAt());
        boolean rescheduled = !JobSchedule.isSame(seen.definition(), to, seen.createdAt());
        Function<JobChange, Optional<StoredJob>> work = change -> {
            precondition.check(change.job());
            return isAsSeen(change, seen)
                    ? Optional.of(changed(
                            change, to, rescheduled, new Occurrences(change, after, elapsed, Occurrences.CHANGED)))
                    : Optional.empty();
        };
        return store.change(seen.key(), "changing", work).flatMap(job -> job).map(job -> saved(job, false));
    }

    private static StoredJob changed(JobChange change, JobDefinition to, boolean rescheduled, Occurrences occurrences) {
        boolean wasPaused = change.job().definition().paused();
        change.tasks().unprepare();
        if (rescheduled) {
            occurrences.reschedule(wasPaused);
        } else if (wasPaused && !to.paused()) {
            occurrences.resume();
        }
        StoredJob job = change.save(to);
        if (to.paused()) {
            change.tasks().park();
        } else if (wasPaused) {
            change.tasks().unpark();
        }
        return job;
    }

    private static Elapsed elapsed(StoredJob job) {
        return new Elapsed(JobSchedule.of(job.definition(), job.createdAt()));
    }

    private Saved saved(StoredJob job, boolean created) {
        wake.run();
        return new Saved(view(job), created, JobWarnings.of(job, queries.usualDuration(job.key())));
    }

    private JobView view(StoredJob job) {
        return new JobView(job, queries.facts(job));
    }

    private StoredJob existing(JobKey key, Precondition precondition) {
        StoredJob seen = store.find(key).orElseThrow(() -> notFound(key));
        precondition.check(seen);
        return seen;
    }

    private static boolean isAsSeen(JobChange change, StoredJob seen) {
        return change.job().id() == seen.id() && change.job().version() == seen.version();
    }

    /** The name in the path holds; a different one in the body is a mistake. */
    private static ObjectNode named(JobKey key, ObjectNode sent) {
        requireSame("namespace", key.namespace(), sent.get("namespace"));
        requireSame("name", key.name(), sent.get("name"));
        return sent.deepCopy().put("namespace", key.namespace()).put("name", key.name());
    }

    private static void requireSame(String field, String inPath, @Nullable JsonNode inBody) {
        if (inBody != null && !inBody.isNull() && !inPath.equals(inBody.textValue())) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    field,
                    "is '" + inPath + "' in the path; a job cannot be renamed, so leave it out or make it the same")));
        }
    }

    static Refused notFound(JobKey key) {
        return new Refused(Reason.NOT_FOUND, "there is no job " + key);
    }

    private static Refused contended(JobKey key) {
        return new Refused(Reason.BUSY, "job " + key + " is being changed by others all the time; try again");
    }
}
