package dev.rowlock.control;

import dev.rowlock.control.Elapsed.Span;
import dev.rowlock.control.NotCome.Cut;
import dev.rowlock.job.Cause;
import dev.rowlock.job.JobSchedule;
import dev.rowlock.job.Outcome;
import dev.rowlock.store.job.JobChange;
import dev.rowlock.store.task.JobTask;
import dev.rowlock.store.task.JobTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the occurrences of a job when its schedule or its pause changes: which rows stay, which end, and where the cursor goes. First
 * everything is decided, then the chain of next fire times is closed around what goes and what comes, then it is written.
 *
 * <p>The past never fires because of a change, and no fire time is made a second time: the cursor goes beyond whatever has been made already,
 * even if the database's clock was set back meanwhile.
 */
final class Rescheduling {

    /**
     * How far ahead rows that were made already are kept, and what the new schedule asks for between them is filled in. What lies beyond is
     * made anew, unless it ran already, because the clock was set back by a lot: then the gaps are not filled.
     */
    private static final Duration FILLED = Duration.ofMinutes(2);

    private static final String PAUSED = "the job was paused";
    /** Why what only the former schedule asked for ends. */
    static final String CHANGED = "the schedule was changed before it was run";

    private final JobChange change;
    private final JobTasks tasks;
    private final JobSchedule after;
    private final Elapsed elapsed;
    private final Instant now;
    private final String changed;

    private final List<JobTask> executing = new ArrayList<>();
    private final List<JobTask> kept = new ArrayList<>();
    private final List<JobTask> merged = new ArrayList<>();
    private final List<End> ends = new ArrayList<>();
    private final NavigableSet<Instant> made = new TreeSet<>();
    private final Gaps gaps;
    private final @Nullable JobTask cursor;
    private @Nullable Span unmade;
    private final List<Cut> cuts;
    private @Nullable NavigableSet<Instant> candidates;

    /**
     * @param task the row that becomes history
     * @param through the last row that it stands for
     * @param last the last fire time that it stands for
     */
    private record End(JobTask task, JobTask through, Outcome outcome, String reason, long occurrences, Instant last) {}

    /**
     * @param elapsed of the schedule that was in force until now
     * @param changed the reason of what only that one asked for
     */
    Rescheduling(JobChange change, JobSchedule after, Elapsed elapsed, String changed) {
        this(change, after, elapsed, changed, List.of());
    }

    /** @param cuts rows of history that are to be linked again */
    Rescheduling(JobChange change, JobSchedule after, Elapsed elapsed, String changed, List<Cut> cuts) {
        this.change = change;
        this.cuts = cuts;
        this.tasks = change.tasks();
        this.after = after;
        this.gaps = new Gaps(after, made);
        this.elapsed = elapsed;
        this.changed = changed;
        this.now = change.now();
        made.addAll(change.ahead().settled());
        JobTask flagged = null;
        for (JobTask task : tasks.live()) {
            if (task.cursor()) {
                flagged = task;
            } else if (task.isOccurrence()) {
                (task.started() ? executing : kept).add(task);
            } else if (task.origin().isEmpty() && task.fireTime().isAfter(now)) {
                made.add(task.fireTime());
            }
        }
        this.cursor = flagged;
    }

    /** The schedule stays and the pause ends: what fell into it is recorded as skipped, together. */
    void resume() {
        skipWhatFellIntoThePause();
        write(placeAnew());
    }

    /** The schedule and the pause stay, but the cursor may lie too far ahead, as the database's clock was ahead. */
    void setAnew() {
        if (isOverdue()) {
            return; // it is not ahead of anything
        }
        write(placeAnew());
    }

    /** The schedule changes: what only the old one asked for ends, and the cursor follows the new one. */
    void reschedule(boolean wasPaused) {
        if (wasPaused) {
            skipWhatFellIntoThePause();
        } else {
            settleOverdueCursor();
        }
        for (JobTask task : List.copyOf(kept)) {
            if (!after.matches(task.fireTime()) || task.fireTime().isAfter(now.plus(FILLED))) {
                kept.remove(task);
                ends.add(new End(task, task, Outcome.CANCELLED, changed, 1, task.fireTime()));
            }
        }
        write(place());
    }

    private boolean isOverdue() {
        return cursor != null && !cursor.fireTime().isAfter(now);
    }

    /** In one row each of consecutive fire times: what lies between two of them was run, or is being run, by itself. */
    private void skipWhatFellIntoThePause() {
        List<JobTask> fallen = new ArrayList<>(
                kept.stream().filter(t -> !t.fireTime().isAfter(now)).toList());
        kept.removeAll(fallen);
        if (cursor != null && isOverdue()) {
            fallen.add(cursor);
        }
        List<JobTask> together = new ArrayList<>();
        for (JobTask task : fallen) {
            if (!together.isEmpty()
                    && !task.fireTime().equals(together.get(together.size() - 1).nextFireTime())) {
                skip(together);
                together.clear();
            }
            together.add(task);
        }
        if (!together.isEmpty()) {
            skip(together);
        }
    }

    private void skip(List<JobTask> together) {
        JobTask last = together.get(together.size() - 1);
        Span span =
                last.cursor() ? elapsed.between(last.fireTime(), now) : new Span(last.fireTime(), last.fireTime(), 1);
        long occurrences = together.size() - 1 + span.count();
        ends.add(new End(together.get(0), last, Outcome.SKIPPED, PAUSED, occurrences, span.last()));
        merged.addAll(together.subList(1, together.size()));
    }

    /** Nobody took the cursor's row in time: the new schedule may ask for it too; what only the old one asked for since then ends. */
    private void settleOverdueCursor() {
        if (cursor == null || !isOverdue()) {
            return;
        }
        Span span = elapsed.between(cursor.fireTime(), now);
        if (!after.matches(cursor.fireTime())) {
            ends.add(new End(cursor, cursor, Outcome.CANCELLED, changed, span.count(), span.last()));
        } else {
            kept.add(cursor);
            if (span.count() > 1) {
                Instant second = elapsed.after(cursor.fireTime()).orElse(span.last());
                unmade = new Span(second, span.last(), span.count() - 1);
            }
        }
    }

    /** Where the new cursor goes; on the way, what the new schedule asks for between rows that were made already, unless they are far ahead. */
    private @Nullable Instant place() {
        addKept();
        if (!made.isEmpty() && !made.last().isAfter(now.plus(FILLED))) {
            gaps.fill(now);
        }
        return after.nextAfter(made.isEmpty() ? now : made.last()).orElse(null);
    }

    /** Likewise, however far ahead they are. */
    private @Nullable Instant placeAnew() {
        addKept();
        made.addAll(Withdrawn.of(change));
        return after.nextAfter(gaps.fillAll(now)).orElse(null);
    }

    private void addKept() {
        for (List<JobTask> rows : List.of(kept, executing)) {
            rows.stream().map(JobTask::fireTime).filter(t -> t.isAfter(now)).forEach(made::add);
        }
    }

    private void write(@Nullable Instant next) {
        boolean overdue = isOverdue();
        if (cursor != null && overdue) {
            tasks.unflag(cursor);
        }
        link(next);
        for (JobTask task : merged) {
            tasks.delete(task.id());
        }
        for (End end : ends) {
            tasks.end(end.task().id(), end.outcome(), end.reason(), end.occurrences(), end.last());
        }
        recordUnmade(next);
        int version = change.job().version() + 1;
        SortedMap<Instant, @Nullable Instant> rows = new TreeMap<>();
        gaps.filled().forEach(t -> rows.put(t, following(t, null, next)));
        tasks.insert(version, rows);
        for (Span span : gaps.left()) {
            long id = tasks.insert(version, span.first(), "", Cause.SCHEDULE, false);
            tasks.link(id, following(span.last(), null, next));
            tasks.end(id, Outcome.SKIPPED, Gaps.TOO_MANY, span.count(), span.last());
        }
        if (cursor == null || overdue) {
            if (next != null) {
                tasks.insert(version, next, "", Cause.SCHEDULE, true);
            }
        } else if (next == null) {
            tasks.delete(cursor.id());
        } else if (!next.equals(cursor.fireTime())) {
            tasks.move(cursor, next);
        }
    }

    /** Fire times that never had a row of their own, while the row before them is kept: they get one, to become history. */
    private void recordUnmade(@Nullable Instant next) {
        if (unmade != null) {
            long id = tasks.insert(change.job().version(), unmade.first(), "", Cause.SCHEDULE, false);
            tasks.link(id, following(unmade.last(), null, next));
            tasks.end(id, Outcome.CANCELLED, changed, unmade.count(), unmade.last());
        }
    }

    private void link(@Nullable Instant next) {
        for (List<JobTask> rows : List.of(kept, executing)) {
            rows.forEach(task -> relink(task, following(task.fireTime(), task.nextFireTime(), next)));
        }
        cuts.forEach(cut -> change.ahead().link(cut.id(), following(cut.last(), null, next)));
        ends.forEach(
                end -> relink(end.task(), following(end.last(), end.through().nextFireTime(), next)));
    }

    private void relink(JobTask task, @Nullable Instant following) {
        if (!Objects.equals(following, task.nextFireTime())) {
            tasks.link(task.id(), following);
        }
    }

    /** The first fire time after {@code t} that has, or gets, a row: the one known before, unless that was the cursor's, which may move. */
    private @Nullable Instant following(Instant t, @Nullable Instant known, @Nullable Instant next) {
        Instant found = candidates(next).higher(t);
        if (known == null || !known.isAfter(t) || (cursor != null && known.equals(cursor.fireTime()))) {
            return found;
        }
        return found == null || known.isBefore(found) ? known : found;
    }

    /** All that has, or gets, a row; asked for when everything is decided. */
    private NavigableSet<Instant> candidates(@Nullable Instant next) {
        if (candidates == null) {
            candidates = new TreeSet<>(gaps.filled());
            candidates.addAll(made);
            kept.forEach(task -> candidates.add(task.fireTime()));
            ends.forEach(end -> candidates.add(end.task().fireTime()));
            gaps.left().forEach(span -> candidates.add(span.first()));
            if (unmade != null) {
                candidates.add(unmade.first());
            }
            if (next != null) {
                candidates.add(next);
            }
        }
        return candidates;
    }
}
