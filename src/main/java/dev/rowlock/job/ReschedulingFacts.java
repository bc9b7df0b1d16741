package dev.rowlock.job;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Cause;
import dev.rowlock.task.history.HistoryAhead.FutureRow;
import dev.rowlock.task.request.Tasks;
import dev.rowlock.task.rule.CancelledFireTimes;
import dev.rowlock.task.rule.PrematureMisfires;
import dev.rowlock.task.rule.PrematureMisfires.RowSplit;
import dev.rowlock.task.rule.Rescheduling;
import dev.rowlock.task.rule.Rescheduling.RescheduleInput;
import dev.rowlock.task.rule.Span;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Facts that {@link Rescheduling} decides on, read under the job's lock.
 *
 * @param before the schedule in force until the change
 * @param at when the change takes effect: now, or a moment ago
 */
public record ReschedulingFacts(JobChange change, Schedule before, Schedule after, Instant at) {

    private static final Logger log = LoggerFactory.getLogger(ReschedulingFacts.class);

    /**
     * Returns the schedule of a stored job. If this node does not understand it, there are no fire times but those with
     * rows.
     */
    public static Schedule inForce(StoredJob job) {
        return job.stored()
                .schedule(job.createdAt())
                .<Schedule>map(schedule -> schedule)
                .orElseGet(() -> never(job.createdAt()));
    }

    /** Returns the schedule of a new definition. A job that has run as often as it may has no fire times. */
    static Schedule of(JobDefinition definition, Instant createdAt, JobChange change) {
        boolean isDone = definition.maxRuns() != null && change.runs() >= definition.maxRuns();
        return isDone ? never(createdAt) : JobSchedule.of(definition, createdAt);
    }

    private static Schedule never(Instant createdAt) {
        return Schedule.parse("@manual", ZoneOffset.UTC, DaylightSaving.SHIFT, createdAt);
    }

    /** Reads the facts for a change of the fire times; hardly a job has history ahead. */
    RescheduleInput ofNewSchedule() {
        if (change.settled(at).isEmpty()) {
            return facts(Set.of(), Set.of(), new HistoryCuts(List.of(), null), false);
        }
        boolean takenOut = change.ahead(at).takeOut(PrematureMisfires.ORIGIN.text(), PrematureMisfires.REASON);
        HistoryCuts ahead = cutWhatHasNotCome();
        boolean askedForAgain = takenOut || !ahead.cuts().isEmpty();
        return facts(change.ahead(at).settled(), Set.of(), ahead, askedForAgain);
    }

    /**
     * Reads the facts for going on from now with the same schedule. First takes back what was recorded before its time;
     * hardly a job has such history.
     */
    RescheduleInput fromNow() {
        if (!change.isAhead(at)) {
            return facts(Set.of(), Set.of(), new HistoryCuts(List.of(), null), true);
        }
        change.ahead(at).takeOut(PrematureMisfires.ORIGIN.text(), PrematureMisfires.REASON);
        HistoryCuts ahead = cutWhatHasNotCome();
        return facts(change.ahead(at).settled(), withdrawn(), ahead, true);
    }

    private RescheduleInput facts(
            Set<Instant> settled, Set<Instant> withdrawn, HistoryCuts ahead, boolean askedForAgain) {
        return new RescheduleInput(
                at,
                before,
                after,
                change.live(),
                settled,
                withdrawn,
                ahead.unknownUntil(),
                ahead.cuts(),
                askedForAgain);
    }

    /**
     * Changes to history rows that reach into the future.
     *
     * @param unknownUntil the last fire time of those that this node does not understand: they stay as they are; null:
     *     there are none
     */
    private record HistoryCuts(
            List<RowSplit> cuts, @Nullable Instant unknownUntil) {}

    private HistoryCuts cutWhatHasNotCome() {
        List<RowSplit> cuts = new ArrayList<>();
        @Nullable Instant unknownUntil = null;
        for (FutureRow row : change.ahead(at).reaching()) {
            Optional<JobSchedule> schedule = StoredDefinition.read(
                            change.job().key(), row.definition(), false, change.calendars())
                    .schedule(change.job().createdAt());
            if (schedule.isPresent()) {
                Span recorded = new Span(row.fireTime(), row.last(), row.occurrences());
                PrematureMisfires.cut(row.id(), recorded, schedule.get(), at).ifPresent(cut -> {
                    cut(row, cut);
                    cuts.add(cut);
                });
            } else if (unknownUntil == null || row.last().isAfter(unknownUntil)) {
                unknownUntil = row.last();
            }
        }
        if (unknownUntil != null) { // what was read: true whether or not this transaction commits
            log.warn(
                    "job {}: its fire times up to {} count as settled, by a definition that this node does not"
                            + " understand; ask for runs that are missing by hand",
                    change.job().key(),
                    unknownUntil);
        }
        return new HistoryCuts(cuts, unknownUntil);
    }

    private void cut(FutureRow row, RowSplit cut) {
        Span rest = cut.rest();
        change.ahead(at).cut(row, cut.come().count(), cut.come().last());
        long id = change.tasks().insert(row.version(), rest.first(), PrematureMisfires.ORIGIN, Cause.SCHEDULE);
        change.tasks().end(id, Outcome.CANCELLED, PrematureMisfires.REASON, rest.count(), rest.last());
    }

    private Set<Instant> withdrawn() {
        Map<Instant, Integer> cancelled = change.ahead(at).cancelled(Tasks.CANCELLED);
        if (cancelled.isEmpty()) {
            return Set.of();
        }
        int oldest = cancelled.values().stream().min(Integer::compare).orElseThrow();
        List<String> versions = change.ahead(at).versionsFrom(oldest, CancelledFireTimes.MOST_VERSIONS);
        StoredJob job = change.job();
        return CancelledFireTimes.of(
                cancelled,
                job.version(),
                versions.subList(1, versions.size()),
                text -> asksLike(StoredDefinition.read(job.key(), text, false, change.calendars()), job.stored()));
    }

    /**
     * Returns whether both have the same fire times: another {@code maxRuns} requests them all again, even with the
     * same schedule.
     */
    private static boolean asksLike(StoredDefinition earlier, StoredDefinition present) {
        return earlier.saysWhenLike(present)
                && Objects.equals(
                        earlier.definition().maxRuns(), present.definition().maxRuns());
    }
}
