package dev.rowlock.task.rule;

import dev.rowlock.definition.Outcome;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.PrematureMisfires.RowSplit;
import dev.rowlock.task.rule.ReschedulingPlan.ChainLink;
import dev.rowlock.task.rule.ReschedulingPlan.CursorMove;
import dev.rowlock.task.rule.ReschedulingPlan.PlannedEnd;
import dev.rowlock.task.rule.ReschedulingPlan.Unmade;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rescheduling of the occurrences of a job when its schedule or its pause changes, or when it is deleted. First
 * everything is decided; then the chain of next fire times is closed around what goes and what comes.
 *
 * <p>The past never fires because of a change, and no fire time is made twice: the cursor goes beyond whatever has been
 * made already, even if the database's clock was set back.
 */
public final class Rescheduling {

    /** Reason why occurrences of the previous schedule alone end. */
    public static final String CHANGED = "the schedule was changed before it was run";

    static final String SPREAD = "the jitter was changed before it was run";
    static final String PAUSED = "the job was paused";
    /** Reason why tasks of a deleted job are cancelled. */
    public static final String DELETED = "the job was deleted";

    /**
     * Time ahead within which existing rows are kept, and gaps between them filled. What lies beyond is made again,
     * unless it ran: the clock was set back by a lot.
     */
    private static final Duration FILLED = Duration.ofMinutes(2);

    private final RescheduleInput facts;
    private final Instant now;
    private final Schedule after;
    private final List<Task> executing = new ArrayList<>();
    private final List<Task> kept = new ArrayList<>();
    private final List<Task> merged = new ArrayList<>();
    /**
     * Parts of a broadcast that have not started: no links of the chain, as the occurrences that they belong to have
     * ended.
     */
    private final List<Task> parts = new ArrayList<>();

    private final List<PlannedEnd> ends = new ArrayList<>();
    private final List<PlannedEnd> endsOfParts = new ArrayList<>();
    private final NavigableSet<Instant> made = new TreeSet<>();
    private final MissingFireTimes gaps;
    private final @Nullable Task cursor;
    private @Nullable Span unmade;
    private final String reason;

    /**
     * Job as it is found under its lock.
     *
     * @param before the schedule that was in force until now
     * @param after the one that is from now on
     * @param tasks its live tasks, by fire time
     * @param settled fire times later than now that are in history already, as the clock was set back
     * @param withdrawn fire times later than now that somebody cancelled
     * @param unknownUntil up to when some fire times are settled, but of a schedule that this node does not understand,
     *     so that nobody here can tell which; null: there are none
     * @param cuts rows of history that were cut, see {@link PrematureMisfires}
     * @param askedForAgain whether gaps are filled however far ahead rows are: some of what comes before those was
     *     settled, and is not any more
     */
    public record RescheduleInput(
            Instant now,
            Schedule before,
            Schedule after,
            List<Task> tasks,
            Set<Instant> settled,
            Set<Instant> withdrawn,
            @Nullable Instant unknownUntil,
            List<RowSplit> cuts,
            boolean askedForAgain) {

        private Instant fillsFrom() {
            return unknownUntil == null || unknownUntil.isBefore(now) ? now : unknownUntil;
        }
    }

    private Rescheduling(RescheduleInput facts, String reason) {
        this.reason = reason;
        this.facts = facts;
        this.now = facts.now;
        this.after = facts.after;
        this.gaps = new MissingFireTimes(after, made);
        made.addAll(facts.settled);
        Task found = null;
        for (Task task : facts.tasks) {
            if (task.cursor()) {
                found = task;
            } else if (task.isOccurrence()) {
                (task.started() ? executing : kept).add(task);
            } else if (task.isPart() && !task.started()) {
                parts.add(task);
            } else if (task.origin().isSchedule() && task.fireTime().isAfter(now)) {
                made.add(task.fireTime());
            }
        }
        this.cursor = found;
    }

    /** Resumes a paused job under the same schedule: what fell into the pause is recorded as skipped, together. */
    public static ReschedulingPlan resume(RescheduleInput facts) {
        Rescheduling job = new Rescheduling(facts, PAUSED);
        job.skipWhatFellIntoThePause();
        return job.plan(job.place());
    }

    /**
     * Brings back a cursor that may lie too far ahead, as the database's clock was ahead; the schedule and the pause
     * stay.
     */
    public static ReschedulingPlan bringBackCursor(RescheduleInput facts) {
        Rescheduling job = new Rescheduling(facts, CHANGED);
        return job.isOverdue()
                ? ReschedulingPlan.onlyEnding(List.of()) // it is not ahead of anything
                : job.plan(job.place());
    }

    /**
     * Changes the schedule: occurrences of the previous one alone end, and the cursor follows the new one.
     *
     * @param reason of what ends
     */
    public static ReschedulingPlan changeSchedule(RescheduleInput facts, boolean wasPaused, String reason) {
        Rescheduling job = new Rescheduling(facts, reason);
        if (wasPaused) {
            job.skipWhatFellIntoThePause();
        } else {
            job.settleOverdueCursor();
        }
        job.cancelWhatIsNotAskedFor();
        return job.plan(job.place());
    }

    /**
     * Changes the jitter: the schedule stays, but its occurrences are due at another distance from their fire times.
     */
    public static ReschedulingPlan changeJitter(RescheduleInput facts) {
        Rescheduling job = new Rescheduling(facts, SPREAD);
        job.settleOverdueCursor();
        return job.plan(job.place());
    }

    /** Deletes the job: promised occurrences end as cancelled, executing tasks finish by themselves. */
    public static ReschedulingPlan delete(List<Task> tasks, Schedule before, Instant now) {
        List<PlannedEnd> ends = new ArrayList<>();
        for (Task task : tasks) {
            if (task.cursor() && !task.fireTime().isAfter(now)) {
                ends.add(PlannedEnd.cancelled(task, DELETED, Span.between(before, task.fireTime(), now)));
            } else if (task.state() != TaskState.EXECUTING) {
                ends.add(PlannedEnd.cancelled(task, DELETED, Span.only(task)));
            }
        }
        return ReschedulingPlan.onlyEnding(ends);
    }

    private boolean isOverdue() {
        return cursor != null && !cursor.fireTime().isAfter(now);
    }

    private void skipWhatFellIntoThePause() {
        parts.forEach(part -> endsOfParts.add(new PlannedEnd(part, part, Outcome.SKIPPED, PAUSED, Span.only(part))));
        parts.clear();
        List<Task> fallen = new ArrayList<>(
                kept.stream().filter(t -> !t.fireTime().isAfter(now)).toList());
        kept.removeAll(fallen);
        if (cursor != null && isOverdue()) {
            fallen.add(cursor);
        }
        for (List<Task> together : Consecutive.of(fallen, (a, b) -> b.fireTime().equals(a.nextFireTime()))) {
            Task first = together.get(0);
            Task last = together.get(together.size() - 1);
            Span gone = last.cursor() ? Span.between(facts.before, last.fireTime(), now) : Span.only(last);
            Span all = new Span(first.fireTime(), gone.last(), together.size() - 1 + gone.count());
            ends.add(new PlannedEnd(first, last, Outcome.SKIPPED, PAUSED, all));
            merged.addAll(together.subList(1, together.size()));
        }
    }

    /** Settles a cursor that is late: the new schedule may have its fire time too; the rest since then ends. */
    private void settleOverdueCursor() {
        if (cursor == null || !isOverdue()) {
            return;
        }
        Span span = Span.between(facts.before, cursor.fireTime(), now);
        if (!after.matches(cursor.fireTime())) {
            ends.add(PlannedEnd.cancelled(cursor, reason, span));
            return;
        }
        kept.add(cursor);
        if (span.count() > 1) {
            Instant second = facts.before.nextAfter(cursor.fireTime()).orElse(span.last());
            unmade = new Span(second, span.last(), span.count() - 1);
        }
    }

    private void cancelWhatIsNotAskedFor() {
        parts.stream()
                .filter(part -> !after.matches(part.fireTime()))
                .forEach(part -> endsOfParts.add(PlannedEnd.cancelled(part, reason, Span.only(part))));
        for (Task task : List.copyOf(kept)) {
            if (!after.matches(task.fireTime()) || task.fireTime().isAfter(now.plus(FILLED))) {
                kept.remove(task);
                ends.add(PlannedEnd.cancelled(task, reason, Span.only(task)));
            }
        }
    }

    /**
     * Returns where the new cursor goes. Fills the gaps before and between existing rows; if those are far ahead, only
     * where that is {@link RescheduleInput#askedForAgain}.
     */
    private @Nullable Instant place() {
        rowsThatStay().map(Task::fireTime).filter(t -> t.isAfter(now)).forEach(made::add);
        made.addAll(facts.withdrawn);
        boolean isFar = !made.isEmpty() && made.last().isAfter(now.plus(FILLED));
        if (isFar && !facts.askedForAgain) {
            return after.nextAfter(made.last()).orElse(null);
        }
        return after.nextAfter(gaps.fillAll(facts.fillsFrom())).orElse(null);
    }

    private Stream<Task> rowsThatStay() {
        return Stream.concat(kept.stream(), executing.stream());
    }

    private ReschedulingPlan plan(@Nullable Instant next) {
        NextFireTimes following = following(next);
        List<ChainLink> links = new ArrayList<>();
        rowsThatStay().forEach(t -> relink(links, t, following.after(t.fireTime(), t.nextFireTime())));
        facts.cuts.forEach(cut -> links.add(
                new ChainLink(true, cut.id(), following.after(cut.come().last(), null))));
        ends.forEach(e -> relink(
                links, e.task(), following.after(e.span().last(), e.through().nextFireTime())));
        List<Long> deletes = new ArrayList<>(merged.stream().map(Task::id).toList());
        CursorMove to = CursorMove.STAYS;
        if (cursor == null || isOverdue()) {
            to = new CursorMove(cursor, null, next);
        } else if (next == null) {
            deletes.add(cursor.id());
        } else if (!next.equals(cursor.fireTime())) {
            to = new CursorMove(null, cursor, next);
        }
        SortedMap<Instant, @Nullable Instant> inserts = new TreeMap<>();
        gaps.filled().forEach(t -> inserts.put(t, following.after(t, null)));
        List<PlannedEnd> all =
                Stream.concat(ends.stream(), endsOfParts.stream()).toList();
        return new ReschedulingPlan(links, deletes, all, unmade(following), inserts, to);
    }

    private static void relink(List<ChainLink> links, Task task, @Nullable Instant next) {
        if (!Objects.equals(next, task.nextFireTime())) {
            links.add(new ChainLink(false, task.id(), next));
        }
    }

    /** Returns fire times without a row: those after one that is kept, and those that would be too many. */
    private List<Unmade> unmade(NextFireTimes following) {
        List<Unmade> result = new ArrayList<>();
        if (unmade != null) {
            Instant next = following.after(unmade.last(), null);
            result.add(new Unmade(true, unmade, Outcome.CANCELLED, reason, next));
        }
        for (Span span : gaps.left()) {
            Instant next = following.after(span.last(), null);
            result.add(new Unmade(false, span, Outcome.SKIPPED, MissingFireTimes.TOO_MANY, next));
        }
        return result;
    }

    /** Returns the next fire times of all that has, or gets, a row. Called when everything is decided. */
    private NextFireTimes following(@Nullable Instant next) {
        NavigableSet<Instant> rows = new TreeSet<>(gaps.filled());
        rows.addAll(made);
        kept.forEach(task -> rows.add(task.fireTime()));
        ends.forEach(end -> rows.add(end.task().fireTime()));
        gaps.left().forEach(span -> rows.add(span.first()));
        if (unmade != null) {
            rows.add(unmade.first());
        }
        if (next != null) {
            rows.add(next);
        }
        return new NextFireTimes(rows, cursor == null ? null : cursor.fireTime());
    }

    /**
     * Next fire times of rows, when rows come and go.
     *
     * @param rows the fire times that have, or get, a row
     * @param cursor where the cursor was; it may move
     */
    private record NextFireTimes(
            NavigableSet<Instant> rows, @Nullable Instant cursor) {

        /**
         * Returns the first after {@code t} that has, or gets, a row: the one known before, unless that was the
         * cursor's.
         */
        @Nullable
        Instant after(Instant t, @Nullable Instant known) {
            Instant found = rows.higher(t);
            if (known == null || !known.isAfter(t) || known.equals(cursor)) {
                return found;
            }
            return found == null || known.isBefore(found) ? known : found;
        }
    }
}
