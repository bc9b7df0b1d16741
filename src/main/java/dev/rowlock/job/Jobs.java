package dev.rowlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobFilter.JobPosition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.Overrides;
import dev.rowlock.definition.Pause;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.MergePatch;
import dev.rowlock.http.Precondition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobQueries.KnownNodes;
import dev.rowlock.job.store.JobQueries.StoredJobs;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.preview.DefaultZone;
import dev.rowlock.task.JobFacts.SetAside;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Total;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Jobs as people define, change and start them. Every change of a definition or a pause is a new version; an edit that
 * changes nothing makes none. Thread-safe.
 */
public final class Jobs {

    private final JobStore store;
    private final JobQueries queries;
    private final Runnable wake;
    private final JobEdits edits;
    private final DefaultZone zone;
    private final DefinitionCheck check;
    private final CommandUsers users;
    private final OnBehalf asker;

    /**
     * Creates jobs with the defaults: schedules without a zone are in UTC, and any live node can run commands as any
     * user.
     */
    public Jobs(JobStore store, JobQueries queries, Runnable wake) {
        this(store, queries, DefaultZone.UTC.zone(), wake, CommandUsers.ANY);
    }

    /**
     * @param zone of schedules that name none when they are saved
     * @param wake called after each change, so that the local engine acts at once
     * @param users whom commands can run as
     */
    public Jobs(JobStore store, JobQueries queries, String zone, Runnable wake, CommandUsers users) {
        this(
                new JobEdits(store, queries, wake, OnBehalf.OF_NOBODY),
                new DefaultZone(zone),
                new DefinitionCheck(users.someRunAsOthers()),
                users);
    }

    private Jobs(JobEdits edits, DefaultZone zone, DefinitionCheck check, CommandUsers users) {
        this.users = users;
        this.edits = edits;
        this.zone = zone;
        this.check = check;
        this.store = edits.store();
        this.queries = edits.queries();
        this.wake = edits.wake();
        this.asker = edits.asker();
    }

    /** Returns a view for a caller: lists leave out other namespaces, and every change is audited. */
    public Jobs by(Caller caller) {
        return new Jobs(new JobEdits(store, queries, wake, new OnBehalf(caller)), zone, check, users);
    }

    /** Returns the pauses of these jobs. */
    public Pauses pauses() {
        return new Pauses(edits);
    }

    /**
     * Creates a job.
     *
     * @throws InvalidDefinition if it is not acceptable
     * @throws Refused if it exists
     */
    public SavedJob create(ObjectNode sent) {
        asker.requireNamespace(PlanRequest.key(sent).namespace()); // before anything else is said of it
        StoredDefinition definition = StoredDefinition.parse(zone.in(sent));
        asker.requireNamespace(definition.definition().key().namespace());
        return JobEdits.unlessMoved(definition.definition().key(), () -> tryToCreate(definition))
                .orElseThrow(() -> new Refused(
                        Reason.CONFLICT,
                        "job " + definition.definition().key() + " exists; PUT replaces it, PATCH changes it"));
    }

    /**
     * Creates or replaces a job. An existing job stays paused, or not, unless {@code paused} is sent.
     *
     * @throws InvalidDefinition if it is not acceptable
     * @throws Refused if the precondition does not hold
     */
    public SavedJob put(JobKey key, ObjectNode sent, Precondition precondition) {
        ObjectNode named = zone.in(NameInPath.of(key, sent));
        boolean keepsPause = !named.hasNonNull("paused");
        return JobEdits.repeated(key, () -> {
            Optional<StoredJob> seen = store.find(key);
            StoredDefinition sentAs =
                    seen.map(job -> job.stored().changedTo(named)).orElseGet(() -> StoredDefinition.parse(named));
            precondition.check(seen);
            if (seen.isEmpty()) {
                return tryToCreate(sentAs);
            }
            boolean paused = seen.get().definition().paused();
            return tryToChange(
                    AuditAction.REPLACE, seen.get(), keepsPause ? sentAs.withPaused(paused) : sentAs, precondition);
        });
    }

    /**
     * Changes some fields of a job (RFC 7396).
     *
     * @throws InvalidDefinition if the result is not acceptable
     * @throws Refused if there is no such job, or the precondition does not hold
     */
    public SavedJob patch(JobKey key, ObjectNode patch, Precondition precondition) {
        return JobEdits.repeated(key, () -> {
            StoredJob seen = edits.existing(key, precondition);
            ObjectNode merged = seen.stored().json();
            MergePatch.apply(merged, patch);
            return tryToChange(
                    AuditAction.PATCH,
                    seen,
                    seen.stored().changedTo(zone.in(NameInPath.of(key, merged))),
                    precondition);
        });
    }

    /**
     * Replaces the definition of a job, checked like one that is sent. The job stays paused, or not.
     *
     * @throws InvalidDefinition if it is not acceptable by now
     * @throws Refused if there is no such job, or the precondition does not hold
     */
    public SavedJob replace(JobKey key, StoredDefinition other, Precondition precondition) {
        return JobEdits.repeated(key, () -> {
            StoredJob seen = edits.existing(key, precondition);
            ObjectNode json = other.json().put("paused", seen.definition().paused());
            return tryToChange(AuditAction.ROLLBACK, seen, seen.stored().changedTo(json), precondition);
        });
    }

    /** Pauses a job until somebody resumes it, or resumes it. */
    public JobView setPaused(JobKey key, boolean paused, Precondition precondition) {
        return paused ? pauses().pause(key, Pause.OPEN, precondition) : pauses().resume(key, precondition);
    }

    /** @param warnings what a person should know before relying on its schedule */
    public record SavedJob(JobView view, boolean created, List<String> warnings) {}

    /** Job with the number of its quarantined tasks that are tried again. */
    public record Released(JobView view, int tasks) {}

    /** Retries quarantined tasks now, rather than when their time comes; does nothing if there are none. */
    public Released release(JobKey key, Precondition precondition) {
        SetAside before = get(key).facts().setAside();
        return new Released(
                edits.view(edits.doing(AuditAction.RELEASE).release(key, precondition)),
                before == null ? 0 : before.tasks());
    }

    /**
     * Moves a job on from now when its next fire time lies too far ahead because the database's clock was ahead: future
     * fire times that were recorded as missed or skipped are restored. Makes a new version.
     *
     * @throws Refused if there is no such job, or the precondition does not hold
     */
    public JobView reschedule(JobKey key, Precondition precondition) {
        StoredJob saved = JobEdits.repeated(key, () -> {
            Edit edit = Edit.ofCursorAhead(edits.existing(key, precondition));
            return edits.doing(AuditAction.RESCHEDULE)
                    .store()
                    .change(key, "rescheduling", edit::carryOut)
                    .flatMap(job -> job);
        });
        wake.run();
        return edits.view(saved);
    }

    /**
     * Moves the cursor of a job whose definition has other fire times by now. Returns false if the job is gone, or its
     * definition not understood.
     */
    boolean moveCursor(JobKey key) {
        Optional<Edit> edit = store.find(key)
                .filter(job -> job.stored().isUnderstood())
                .map(job -> Edit.ofCursor(job, ZoneRules.reason(job)));
        return edit.isPresent()
                && store.change(key, "moving the cursor of", edit.get()::carryOut)
                        .flatMap(done -> done)
                        .isPresent();
    }

    public JobView get(JobKey key) {
        return edits.view(edits.find(key));
    }

    /**
     * Page of jobs.
     *
     * @param more whether others follow the last of them
     * @param last where that stands, if they are not in the order of their names; else null
     * @param total how many there are in all; null: this is not the first page, or that is not counted
     */
    public record JobPage(
            List<JobView> jobs,
            boolean more,
            @Nullable JobPosition last,
            @Nullable Total total) {}

    /** Returns as many jobs as the filter's limit, fewer if they are large; at least one, if there is one. */
    public JobPage list(JobFilter filter) {
        JobFilter seen = filter.within(asker.within());
        StoredJobs page = queries.page(seen);
        List<JobView> jobs = new ArrayList<>();
        page.jobs().forEach((job, facts) -> jobs.add(new JobView(job, facts)));
        return new JobPage(
                jobs, page.more(), page.last(), queries.total(seen, page).orElse(null));
    }

    /** Deletes a job. Its executing tasks finish; all others end as cancelled. */
    public void delete(JobKey key, Precondition precondition) {
        JobEdits.repeated(key, () -> {
            StoredJob seen = edits.existing(key, precondition);
            Schedule before = ReschedulingFacts.inForce(seen);
            return edits.doing(AuditAction.DELETE)
                    .store()
                    .change(key, "deleting", change -> {
                        if (!Edit.isAsSeen(change, seen)) {
                            return false;
                        }
                        Edit.delete(change, before);
                        return true;
                    })
                    .filter(deleted -> deleted);
        });
        wake.run();
    }

    /** Runs a job as it is defined. */
    public Run run(JobKey key, @Nullable String idempotencyKey) {
        return run(key, Overrides.NONE, idempotencyKey);
    }

    /**
     * Creates a task that is due now, also of a paused job.
     *
     * @param overrides what is asked for in this one run
     * @param idempotencyKey the same key of the same caller makes, and answers, the same task
     * @throws InvalidDefinition its node is not known or does not run the job, or the key was sent with other wishes
     * @throws Refused if there is no such job
     */
    public Run run(JobKey key, Overrides overrides, @Nullable String idempotencyKey) {
        Origin origin = Origin.run(UUID.randomUUID().toString().substring(0, 13));
        KnownNodes nodes = overrides.node() == null ? KnownNodes.NONE : queries.nodes();
        AskedRun asked = new AskedRun(origin, overrides, AskedRun.key(asker, idempotencyKey, overrides), nodes);
        Run run = edits.doing(AuditAction.RUN)
                .store()
                .change(key, "running", asked::carryOut)
                .orElseThrow(() -> Refused.noSuchJob(key));
        wake.run();
        Optional<String> nobody = overrides.node() == null
                ? store.find(key).flatMap(job -> JobWarnings.nobody(job.definition(), queries::liveNodes))
                : Optional.empty();
        return nobody.map(run::warning).orElse(run);
    }

    private Optional<SavedJob> tryToCreate(StoredDefinition stored) {
        check.check(asker.within(), null, stored);
        StoredDefinition by = store.byCalendars(stored, null);
        return edits.doing(AuditAction.CREATE)
                .store()
                .create(by, now -> JobSchedule.of(by.definition(), now).nextAfter(now))
                .map(job -> {
                    wake.run();
                    return saved(job, true);
                });
    }

    /**
     * Carries out a change; returns empty if the job has changed since it was read. A job that stays paused is paused
     * as it was.
     */
    private Optional<SavedJob> tryToChange(
            AuditAction action, StoredJob seen, StoredDefinition sent, Precondition precondition) {
        check.check(asker.within(), seen.stored(), sent);
        StoredDefinition to = store.byCalendars(sent, seen);
        Pause pause = to.definition().paused() ? seen.pause() : Pause.OPEN;
        return edits.doing(action).tryTo(seen, to, pause, precondition).map(job -> saved(job, false));
    }

    private SavedJob saved(StoredJob job, boolean created) {
        JobView view = edits.view(job);
        List<String> warnings =
                new ArrayList<>(JobWarnings.of(job, queries.usualDuration(job.key()), queries::liveNodes, users));
        warnings.addAll(view.facts().warnings());
        return new SavedJob(view, created, warnings);
    }

    /** Name of a job, which is in the path, and may be in the body, too. */
    private static final class NameInPath {

        private NameInPath() {}

        /** Sets the name from the path; a different one in the body is a mistake. */
        static ObjectNode of(JobKey key, ObjectNode sent) {
            requireSame("namespace", key.namespace(), sent.get("namespace"));
            requireSame("name", key.name(), sent.get("name"));
            return sent.deepCopy().put("namespace", key.namespace()).put("name", key.name());
        }

        private static void requireSame(String field, String inPath, @Nullable JsonNode inBody) {
            if (inBody != null && !inBody.isNull() && !inPath.equals(inBody.textValue())) {
                throw new InvalidDefinition(List.of(new FieldProblem(
                        field,
                        "is '" + inPath
                                + "' in the path; a job cannot be renamed, so leave it out or make it the same")));
            }
        }
    }
}
