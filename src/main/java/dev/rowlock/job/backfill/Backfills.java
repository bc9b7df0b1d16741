package dev.rowlock.job.backfill;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Times;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.JobChange.RememberedRun;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.task.Task;
import dev.rowlock.task.backfill.Backfill;
import dev.rowlock.task.backfill.BackfillQueries;
import dev.rowlock.task.backfill.BackfillQueries.BackfillProgress;
import dev.rowlock.task.backfill.BackfillQueries.FireTimeState;
import dev.rowlock.task.backfill.BackfillRequest;
import dev.rowlock.task.backfill.BackfillRequest.FireTimeChoice;
import dev.rowlock.task.request.RequestKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Backfills of jobs, as people request them. Thread-safe. */
public final class Backfills {

    private static final String OVER = "; ask for a shorter period, or for several, one after the other; at most "
            + BackfillRequest.MOST + " are made at once";

    private final BackfillQueries queries;
    private final JobStore jobs;
    private final Runnable wake;
    private final OnBehalf asker;

    /** @param wake called when there may be more to start */
    public Backfills(BackfillQueries queries, JobStore jobs, Runnable wake) {
        this(queries, jobs, wake, OnBehalf.OF_NOBODY);
    }

    private Backfills(BackfillQueries queries, JobStore jobs, Runnable wake, OnBehalf asker) {
        this.queries = queries;
        this.jobs = jobs;
        this.wake = wake;
        this.asker = asker;
    }

    /** Returns a view for a caller: those of other namespaces are left out, and every change is audited. */
    public Backfills by(Caller caller) {
        return new Backfills(queries, jobs, wake, new OnBehalf(caller));
    }

    /**
     * Result of a request.
     *
     * @param id null: nothing was made, as it was a dry run, or nothing is left to run
     * @param fireTimes how many the schedule has in the period
     * @param toRun how many of them run
     * @param leftOut how many do not, as each of these
     */
    public record BackfillResult(@Nullable Long id, boolean dryRun, int fireTimes, int toRun, LeftOutCounts leftOut) {}

    /** Fire times that are left out, each counted once. */
    public record LeftOutCounts(int live, int succeeded, int declined) {

        private static LeftOutCounts of(List<FireTimeState> states) {
            int live = 0;
            int succeeded = 0;
            int declined = 0;
            for (FireTimeState state : states) {
                if (state.live()) {
                    live++;
                } else if (state.succeeded()) {
                    succeeded++;
                } else if (state.declined()) {
                    declined++;
                }
            }
            return new LeftOutCounts(live, succeeded, declined);
        }
    }

    /** Backfill as it stands. */
    public record BackfillView(Backfill backfill, BackfillProgress progress) {}

    /**
     * Makes a backfill of the fire times that the schedule of a job has in a period, or tells what it would run.
     *
     * @param idempotencyKey the same key of the same caller makes, and answers, the same backfill
     * @throws InvalidDefinition the schedule has none, or too many, or the period has not passed
     * @throws Refused there is no such job
     */
    public BackfillResult request(JobKey key, BackfillRequest asked, @Nullable String idempotencyKey) {
        asker.requireNamespace(key.namespace());
        StoredJob job = jobs.find(key).orElseThrow(() -> Refused.noSuchJob(key));
        Instant now = jobs.now();
        Instant until = asked.until() == null ? now : asked.until();
        List<Instant> times = fireTimes(job, asked.from(), until, now);
        List<FireTimeState> states = queries.states(job.id(), key, times);
        boolean all = asked.only() == FireTimeChoice.ALL;
        List<Instant> toRun = all ? times : notSucceeded(states);
        LeftOutCounts leftOut = LeftOutCounts.of(all ? List.of() : states);
        if (asked.dryRun()) {
            return new BackfillResult(null, true, times.size(), toRun.size(), leftOut);
        }
        RequestKey repeated = RequestKey.of(
                asker,
                idempotencyKey,
                "backfill",
                asked.from(),
                String.valueOf(asked.until()),
                asked.only(),
                asked.order(),
                asked.parallel(),
                asked.priority());
        Optional<Long> id = jobs.by(asker.doing(AuditAction.BACKFILL))
                .changeById(
                        job.id(),
                        "making a backfill of job " + key,
                        change -> Optional.ofNullable(make(change, asked, until, toRun, repeated)))
                .orElseThrow(() -> Refused.noSuchJob(key));
        wake.run();
        // Of a repeated request, as many as it made when it was first sent.
        int made = id.flatMap(queries::find).map(Backfill::fireTimes).orElse(0);
        return new BackfillResult(id.orElse(null), false, times.size(), made, leftOut);
    }

    private @Nullable Long make(
            JobChange change,
            BackfillRequest asked,
            Instant until,
            List<Instant> toRun,
            @Nullable RequestKey repeated) {
        Optional<RememberedRun> known = repeated == null ? Optional.empty() : change.remembered(repeated.key());
        if (repeated != null && known.isPresent()) {
            repeated.requireBody(known.get().body());
            return known.get().task();
        }
        List<Instant> left = asked.only() == FireTimeChoice.ALL
                ? toRun
                : notSucceeded(change.backfills().states(change.job().key(), toRun));
        if (left.isEmpty()) {
            return null;
        }
        long id = change.backfills().insert(asked, until, change.job().key(), left, author());
        if (repeated != null) {
            change.remember(repeated.key(), repeated.body(), id);
        }
        ObjectNode made = JsonNodeFactory.instance
                .objectNode()
                .put("backfill", id)
                .put("from", Times.text(asked.from()))
                .put("until", Times.text(until))
                .put("fireTimes", left.size());
        change.note("job", made);
        return id;
    }

    private static List<Instant> notSucceeded(List<FireTimeState> states) {
        return states.stream()
                .filter(state -> !(state.live() || state.succeeded() || state.declined()))
                .map(FireTimeState::fireTime)
                .sorted()
                .toList();
    }

    private @Nullable String author() {
        return asker.caller() == null ? null : asker.caller().name();
    }

    private static List<Instant> fireTimes(StoredJob job, Instant from, Instant until, Instant now) {
        if (until.isAfter(now)) {
            throw refused("until", "must not lie after now, " + Times.text(now) + ": what is to come fires by itself");
        }
        if (!until.isAfter(from)) {
            throw refused("from", "must lie before now, " + Times.text(now) + ": what is to come fires by itself");
        }
        JobSchedule schedule = job.stored()
                .schedule(job.createdAt())
                .orElseThrow(() -> refused("", "the schedule of the job is not understood by this version"));
        if (schedule.isManual()) {
            throw refused("", "the schedule of the job is @manual, so that it has no fire times; run it instead");
        }
        Instant before = from.minusMillis(1);
        Instant last = until.minusMillis(1);
        long count = schedule.countBetween(before, last);
        if (count > BackfillRequest.MOST) {
            throw refused("until", "the schedule has " + count + " fire times in this period" + OVER);
        }
        return schedule.lastBetween(before, last, BackfillRequest.MOST);
    }

    private static InvalidDefinition refused(String field, String reason) {
        return new InvalidDefinition(List.of(new FieldProblem(field, reason)));
    }

    /** Returns backfills, the newest first. */
    public List<BackfillView> list(@Nullable String namespace, @Nullable String job, @Nullable Long before, int most) {
        if (namespace != null) {
            asker.requireNamespace(namespace);
        }
        return queries.list(asker.within(), namespace, job, before, most).stream()
                .map(this::view)
                .toList();
    }

    /** @throws Refused there is none that the caller may see */
    public BackfillView get(long id) {
        return view(find(id));
    }

    /**
     * Cancels a backfill: what waits of it ends as cancelled, what executes goes on.
     *
     * @throws Refused there is none that the caller may see
     */
    public BackfillView cancel(long id) {
        Backfill seen = find(id);
        boolean more = true;
        for (boolean first = true; more; first = false) {
            boolean begins = first;
            JobStore store = first ? jobs.by(asker.doing(AuditAction.CANCEL)) : jobs;
            more = store.changeById(seen.jobId(), "cancelling backfill " + id, change -> cancelSome(change, id, begins))
                    .orElse(false);
        }
        wake.run();
        return get(id);
    }

    private boolean cancelSome(JobChange change, long id, boolean begins) {
        Backfill seen = change.backfills().find(id).orElseThrow();
        List<Task> live = change.tasks().live();
        boolean isOver = seen.endedAt() != null && live.stream().noneMatch(seen::has);
        if (isOver) {
            return false;
        }
        if (begins && seen.cancelledAt() == null) {
            change.backfills().cancel(seen, author());
            change.note("job", JsonNodeFactory.instance.objectNode().put("backfill", id));
        }
        Backfill cancelled = change.backfills().find(id).orElseThrow();
        return change.backfills().endWaiting(cancelled, live, cancelled.whyCancelled());
    }

    private Backfill find(long id) {
        return queries.find(id)
                .filter(backfill -> asker.reaches(backfill.key().namespace()))
                .orElseThrow(() -> new Refused(Reason.NOT_FOUND, "there is no backfill " + id));
    }

    private BackfillView view(Backfill backfill) {
        return new BackfillView(backfill, queries.progress(backfill));
    }
}
