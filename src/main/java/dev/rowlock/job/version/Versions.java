package dev.rowlock.job.version;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.definition.FieldChange;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredVersion;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.Precondition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.FireTimeRemarks;
import dev.rowlock.job.Jobs;
import dev.rowlock.job.Jobs.SavedJob;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.job.version.VersionQueries.StoredVersions;
import dev.rowlock.task.rule.MovedFireTimes;
import dev.rowlock.task.rule.MovedFireTimes.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Earlier versions of jobs, and the way back to them. They are found by the name of the job, also of a deleted one.
 * Thread-safe.
 */
public final class Versions {

    /** Period whose fire times are compared. */
    private static final Duration COMPARED = Duration.ofDays(7);

    /** Most fire times told, both of new and of vanishing ones. */
    private static final int TOLD = 1_000;

    private final JobStore store;
    private final VersionQueries queries;
    private final Jobs jobs;

    public Versions(JobStore store, VersionQueries queries, Jobs jobs) {
        this.store = store;
        this.queries = queries;
        this.jobs = jobs;
    }

    /** Returns a view for a caller: a rollback is audited. */
    public Versions by(Caller caller) {
        return new Versions(store, queries, jobs.by(caller));
    }

    /** @param fields the top fields that are different from the version before it; none of the first */
    public record VersionSummary(StoredVersion version, Set<String> fields) {}

    /** @param more whether older ones follow */
    public record VersionPage(List<VersionSummary> versions, boolean more) {}

    /**
     * Difference between two versions.
     *
     * @param fireTimes which fire times of the next days appear and vanish; null: this node cannot tell
     */
    public record Difference(
            int from,
            int to,
            List<FieldChange> fields,
            @Nullable MovedFireTimes fireTimes,
            List<String> warnings) {}

    /**
     * Returns the versions of a job, newest first.
     *
     * @param newest not those after it
     * @throws Refused nothing is known of any job of this name
     */
    public VersionPage list(JobKey key, int newest, int limit) {
        StoredVersions page = queries.page(key, newest, limit + 1);
        List<StoredVersion> found = page.versions();
        if (found.isEmpty()) {
            newestOf(key);
        }
        boolean more = found.size() > 1 && (page.cut() || found.size() > limit);
        List<VersionSummary> versions = new ArrayList<>();
        for (int i = 0; i < found.size() - (more ? 1 : 0); i++) {
            versions.add(new VersionSummary(found.get(i), fields(found, i)));
        }
        return new VersionPage(versions, more);
    }

    private static Set<String> fields(List<StoredVersion> newestFirst, int index) {
        Set<String> fields = new LinkedHashSet<>();
        StoredVersion version = newestFirst.get(index);
        if (index + 1 < newestFirst.size() && newestFirst.get(index + 1).jobId() == version.jobId()) {
            newestFirst.get(index + 1).changesTo(version).forEach(change -> fields.add(change.top()));
        }
        return fields;
    }

    /** @throws Refused there is no such version, or it is not kept any more */
    public StoredVersion get(JobKey key, int version) {
        return queries.find(key, version)
                .orElseThrow(() -> new Refused(Reason.NOT_FOUND, noSuchVersion(key, version, newestOf(key))));
    }

    /**
     * Returns what changes from one version of a job to another.
     *
     * @param to null: the newest
     * @throws Refused one of them is not there
     */
    public Difference diff(JobKey key, int from, @Nullable Integer to) {
        StoredVersion before = get(key, from);
        StoredVersion after = get(key, to == null ? newestOf(key) : to);
        Optional<JobSchedule> was = schedule(before);
        Optional<JobSchedule> is = schedule(after);
        List<String> warnings = new ArrayList<>();
        if (was.isEmpty() || is.isEmpty()) {
            warnings.add("this node does not understand when version " + (was.isEmpty() ? before : after).version()
                    + " runs: ask a node of a newer version");
        }
        FireTimeRemarks.of(after.stored().definition()).forEach(warnings::add);
        Instant now = store.now();
        return new Difference(
                before.version(),
                after.version(),
                before.changesTo(after),
                was.isEmpty() || is.isEmpty()
                        ? null
                        : MovedFireTimes.of(was.get(), is.get(), new Window(now, now.plus(COMPARED)), TOLD),
                warnings);
    }

    private Optional<JobSchedule> schedule(StoredVersion version) {
        return version.stored().schedule(queries.createdAt(version));
    }

    /**
     * Restores the definition of a version, as a new version. The job stays paused, or not: that concerns the present,
     * not the definition.
     *
     * @throws InvalidDefinition the version is not there, or its definition is not acceptable any more
     * @throws Refused if there is no such job, or the precondition does not hold
     */
    public SavedJob rollback(JobKey key, ObjectNode sent, Precondition precondition) {
        int version = RollbackRequest.parse(sent).version();
        int newest = newestOf(key);
        StoredVersion wanted = queries.find(key, version)
                .orElseThrow(() -> new InvalidDefinition(
                        List.of(new FieldProblem("version", version + " is not there: " + newestIs(newest)))));
        if (store.find(key).isEmpty()) {
            throw new Refused(
                    Reason.NOT_FOUND,
                    "job " + key
                            + " was deleted; to make it again, create it with the definition that GET /api/v1/jobs/"
                            + key + "/versions/" + version + " shows");
        }
        return jobs.replace(key, wanted.stored(), precondition);
    }

    private int newestOf(JobKey key) {
        return queries.newest(key).orElseThrow(() -> Refused.noSuchJob(key));
    }

    private static String newestIs(int newest) {
        return "the newest is " + newest + ", and old ones are purged (history.versions)";
    }

    private static String noSuchVersion(JobKey key, int version, int newest) {
        return "there is no version " + version + " of job " + key + ": " + newestIs(newest);
    }
}
