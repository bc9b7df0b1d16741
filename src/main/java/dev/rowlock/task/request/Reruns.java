package dev.rowlock.task.request;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.access.Role;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.TaskFilter.TaskPosition;
import dev.rowlock.task.rerun.RerunQueries;
import dev.rowlock.task.rerun.RerunQueries.CompletedRerun;
import dev.rowlock.task.rule.RerunDecision;
import dev.rowlock.task.rule.RerunDecision.Original;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reruns of failed tasks of a period. No task is rerun twice: a rerun carries the task's number in a unique key, so
 * that requests may be repeated, and may overlap. Thread-safe.
 */
public final class Reruns {

    /** Rows read together, and runs of a job made in one transaction. */
    private static final int TOGETHER = 100;
    /** Rows looked at per request, besides all of its first fire time; also the most exclusions reported. */
    private static final int LOOKED_AT = 5_000;

    private final RerunQueries queries;
    private final JobStore jobs;
    private final Runnable wake;
    private final OnBehalf asker;

    /** @param wake called after a change, so that the local engine acts at once */
    public Reruns(RerunQueries queries, JobStore jobs, Runnable wake) {
        this(queries, jobs, wake, OnBehalf.OF_NOBODY);
    }

    private Reruns(RerunQueries queries, JobStore jobs, Runnable wake, OnBehalf asker) {
        this.queries = queries;
        this.jobs = jobs.by(asker.doing(AuditAction.RERUN));
        this.wake = wake;
        this.asker = asker;
    }

    /** Returns a view for a caller: other namespaces are left alone, and reruns are audited. */
    public Reruns by(Caller caller) {
        return new Reruns(queries, jobs, wake, new OnBehalf(caller));
    }

    /**
     * Run that was made, or would be.
     *
     * @param id of the task that was made; null: none was, as it was only asked what would be
     * @param original the task that it repeats
     * @param fireTime that it carries: of an original that stands for several occurrences, the last of them
     * @param outcome of the original
     * @param occurrences how many the original stands for
     */
    public record CreatedRerun(
            @Nullable Long id,
            String namespace,
            String job,
            Instant fireTime,
            long original,
            Outcome outcome,
            long occurrences) {}

    /**
     * Result for the tasks of one job.
     *
     * @param freeze despite which they run; null: there is none
     */
    record JobReruns(
            List<CreatedRerun> made,
            List<LeftOut> leftOut,
            @Nullable String freeze) {}

    /** Task that is not rerun, and why. */
    public record LeftOut(long task, String namespace, String job, Instant fireTime, Outcome outcome, String reason) {}

    /**
     * Result of a request.
     *
     * @param created earliest fire time first; of a repeated request those that it made when it was first sent
     * @param nextSince the first fire time that was not looked at, because of the limit, or because what was asked for
     *     is rare among what there is; null: all were
     * @param repeated whether it was carried out before, under its key
     * @param freezes those despite which they run
     */
    public record RerunResult(
            boolean dryRun,
            List<CreatedRerun> created,
            List<LeftOut> leftOut,
            @Nullable Instant nextSince,
            boolean repeated,
            @JsonIgnore Set<String> freezes) {}

    /**
     * Reruns each task that matches the request and has not been made good since, or tells what it would rerun.
     *
     * @param idempotencyKey the same key of the same caller makes, and answers, the same runs
     * @throws dev.rowlock.field.InvalidDefinition the key was sent with another request
     * @throws dev.rowlock.access.Forbidden the request names a namespace that the caller does not see
     */
    public RerunResult rerun(RerunRequest asked, @Nullable String idempotencyKey) {
        JobKey job = asked.key();
        String namespace = job == null ? asked.namespace() : job.namespace();
        if (namespace != null) {
            asker.requireNamespace(namespace);
        }
        String key = asked.dryRun() ? null : key(asked, idempotencyKey);
        Optional<CompletedRerun> done = key == null ? Optional.empty() : queries.done(key);
        if (key != null && done.isPresent()) {
            return asBefore(key, done.get().nextSince());
        }
        Search search = new Search(asked, key);
        try {
            if (asked.task() == null) {
                search.run();
            } else {
                search.one(asked.task());
            }
        } finally {
            wake.run();
        }
        if (key != null) {
            queries.done(key, search.nextSince);
        }
        return allowed(search.result());
    }

    /** Refuses the request like any other that is not allowed, if nothing was made for that reason alone. */
    private RerunResult allowed(RerunResult result) {
        boolean forbidden = result.created().isEmpty()
                && result.leftOut().stream().anyMatch(left -> left.reason().equals(RerunsOfJob.NOT_ALLOWED));
        OnBehalf by = asker;
        if (forbidden && by.caller() != null) {
            by.caller().requireRole(Role.EDITOR, "to run again what ran with a command or variables of its own");
        }
        return result;
    }

    /** Returns the key under which a request is stored, after checking that no other request has it. */
    private @Nullable String key(RerunRequest asked, @Nullable String sent) {
        RequestKey key = RequestKey.of(
                asker,
                sent,
                String.valueOf(asked.since()),
                String.valueOf(asked.until()),
                String.valueOf(asked.namespace()),
                String.valueOf(asked.job()),
                String.valueOf(asked.task()),
                new TreeSet<>(asked.outcome()),
                asked.limit());
        if (key == null) {
            return null;
        }
        String stored = "rerun:" + key.key();
        key.requireBody(queries.body(stored, key.body()));
        return stored;
    }

    /** Returns whether the job exists, or did: a mistyped name must not pass for a job that did well. */
    public boolean isKnown(JobKey job) {
        return queries.isKnown(job);
    }

    /** Search of one request, from the earliest fire time on. */
    private final class Search {

        private final RerunRequest asked;
        private final @Nullable String key;
        private final Instant until;
        /** Fire time at which the search ends early, as it would look at too much; null: none. */
        private final @Nullable Instant end;

        private final List<CreatedRerun> made = new ArrayList<>();
        private final List<LeftOut> leftOut = new ArrayList<>();
        private final Set<String> freezes = new TreeSet<>();
        private int lookedAt;
        private @Nullable Instant nextSince;

        Search(RerunRequest asked, @Nullable String key) {
            this.asked = asked;
            this.key = key;
            this.until = asked.until() == null ? jobs.now().plusMillis(1) : asked.until();
            this.end = asked.task() == null
                    ? queries.end(asked, asker.within(), until).orElse(null)
                    : null;
        }

        /** Makes a rerun of the task with this id, if it has ended and the caller may see its namespace. */
        void one(long id) {
            List<Original> found = queries.originals(Set.of(id)).stream()
                    .filter(original -> asker.reaches(original.job().namespace()))
                    .toList();
            if (found.isEmpty()) {
                throw new InvalidDefinition(List.of(new FieldProblem(
                        "task", "there is no task " + id + " that has ended; what waits or executes needs no rerun")));
            }
            wanted(found).forEach(original -> make(original.jobId(), List.of(original.id())));
        }

        void run() {
            @Nullable TaskPosition after = null;
            List<Original> page;
            do {
                page = queries.page(asked, asker.within(), end == null ? until : end, after, TOGETHER);
                Map<Long, List<Long>> byJob = new LinkedHashMap<>();
                wanted(page)
                        .forEach(original -> byJob.computeIfAbsent(original.jobId(), id -> new ArrayList<>())
                                .add(original.id()));
                byJob.forEach(this::make);
                lookedAt += page.size();
                Original last = page.isEmpty() ? null : page.get(page.size() - 1);
                after = last == null ? after : new TaskPosition(last.fireTime(), last.id());
            } while (page.size() == TOGETHER && nextSince == null && goesOn(after));
            if (page.size() == TOGETHER && nextSince == null && after != null) {
                nextSince = after.fireTime();
            }
            if (nextSince == null) {
                nextSince = end;
            }
        }

        /**
         * Returns whether to read another page. Within the first fire time there must be one, as the next request would
         * begin there again and get no further.
         */
        private boolean goesOn(@Nullable TaskPosition after) {
            return lookedAt < LOOKED_AT
                    || after == null
                    || !after.fireTime().isAfter(Objects.requireNonNull(asked.since()));
        }

        /** Returns the tasks of a page to rerun, up to the limit, of whatever job. */
        private List<Original> wanted(List<Original> page) {
            // Read after the page: whatever of it was made under this key is in here.
            Set<Long> before = key == null ? Set.of() : queries.made(key).keySet();
            List<Original> wanted = new ArrayList<>();
            for (Original original : page) {
                Optional<String> why = RerunDecision.leftOut(original).filter(w -> !before.contains(original.id()));
                if (why.isPresent()) {
                    if (leftOut.size() < LOOKED_AT) {
                        leftOut.add(left(original, why.get()));
                    }
                } else if (made.size() + wanted.size() >= asked.limit()) {
                    nextSince = original.fireTime();
                    return wanted;
                } else if (asked.dryRun()) {
                    made.add(made(original, null));
                } else {
                    wanted.add(original);
                }
            }
            return wanted;
        }

        private void make(long job, List<Long> originals) {
            RerunsOfJob work = new RerunsOfJob(key, originals, asker.isEditor());
            Optional<JobReruns> done = jobs.changeById(job, "running again tasks of job " + job, work::carryOut);
            if (done.isPresent()) {
                made.addAll(done.get().made());
                leftOut.addAll(done.get().leftOut());
                Optional.ofNullable(done.get().freeze()).ifPresent(freezes::add);
            } else {
                queries.originals(originals).forEach(o -> leftOut.add(left(o, RerunDecision.DELETED)));
            }
        }

        RerunResult result() {
            made.sort(Comparator.comparing(CreatedRerun::fireTime).thenComparing(CreatedRerun::original));
            return new RerunResult(asked.dryRun(), List.copyOf(made), List.copyOf(leftOut), nextSince, false, freezes);
        }
    }

    /** Returns what was made under this key, as far as it is still known. */
    private RerunResult asBefore(String key, @Nullable Instant nextSince) {
        Map<Long, Long> made = queries.made(key);
        List<CreatedRerun> created = queries.originals(made.keySet()).stream()
                .filter(original -> asker.reaches(original.job().namespace()))
                .map(original -> made(original, made.get(original.id())))
                .toList();
        return new RerunResult(false, created, List.of(), nextSince, true, Set.of());
    }

    static CreatedRerun made(Original original, @Nullable Long id) {
        return new CreatedRerun(
                id,
                original.job().namespace(),
                original.job().name(),
                original.lastFireTime(),
                original.id(),
                original.outcome(),
                original.occurrences());
    }

    static LeftOut left(Original original, String reason) {
        return new LeftOut(
                original.id(),
                original.job().namespace(),
                original.job().name(),
                original.fireTime(),
                original.outcome(),
                reason);
    }
}
