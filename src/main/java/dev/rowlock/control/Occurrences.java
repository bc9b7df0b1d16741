package dev.rowlock.control;

import dev.rowlock.control.Elapsed.Span;
import dev.rowlock.job.Cause;
import dev.rowlock.job.JobSchedule;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.TaskState;
import dev.rowlock.store.JobChange;
import dev.rowlock.store.JobTask;
import dev.rowlock.store.JobTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the occurrences of a job when its schedule or its pause changes: which rows stay, which end, and where the cursor goes. First
 * everything is decided, then the chain of next fire times is closed around what goes and what comes, then it is written.
 *
 * <p>The past never fires because of a change, and no fire time is made a second time: the cursor goes beyond whatever has been made already,
 * even if the database's clock was set back meanwhile.
 */
final class Occurrences {

    /** Beyond this, gaps between rows that were made already are not filled: the clock must have been set back by a lot. */
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
    private final NavigableSet<Instant> inserted = new TreeSet<>();
    private final @Nullable JobTask cursor;
    private @Nullable Span unmade;

    /**
     * @param task the row that becomes history
     * @param last the last fire time that it stands for
     */
    private record End(JobTask task, Outcome outcome, String reason, long occurrences, Instant last) {}

    /**
     * @param elapsed of the schedule that was in force until now
     * @param changed the reason of what only that one asked for
     */
    Occurrences(JobChange change, JobSchedule after, Elapsed elapsed, String changed) {
        this.change = change;
        this.tasks = change.tasks();
        this.after = after;
        this.elapsed = elapsed;
        this.changed = changed;
        this.now = change.now();
        made.addAll(tasks.settledAfterNow());
        JobTask flagged = null;
        for (JobTask task : tasks.live()) {
            if (task.cursor()) {
                flagged = task;
            } else if (task.isOccurrence()) {
                (task.state() == TaskState.EXECUTING ? executing : kept).add(task);
            } else if (task.origin().isEmpty() && task.fireTime().isAfter(now)) {
                made.add(task.fireTime());
            }
        }
        this.cursor = flagged;
    }

    /** The schedule stays and the pause ends: what fell into it is recorded as skipped, together. */
    void resume() {
        skipWhatFellIntoThePause();
        if (isOverdue()) {
            write(place());
        } else {
            write(cursor == null ? null : cursor.fireTime());
        }
    }

    /** The schedule changes: what only the old one asked for ends, and the cursor follows the new one. */
    void reschedule(boolean wasPaused) {
        if (wasPaused) {
            skipWhatFellIntoThePause();
        } else {
            settleOverdueCursor();
        }
        for (JobTask task : List.copyOf(kept)) {
            if (!after.asksFor(task.fireTime())) {
                kept.remove(task);
                ends.add(new End(task, Outcome.CANCELLED, changed, 1, task.fireTime()));
            }
        }
        write(place());
    }

    private boolean isOverdue() {
        return cursor != null && !cursor.fireTime().isAfter(now);
    }

    private void skipWhatFellIntoThePause() {
        List<JobTask> fallen = new ArrayList<>(
                kept.stream().filter(t -> !t.fireTime().isAfter(now)).toList());
        kept.removeAll(fallen);
        long occurrences = fallen.size();
        Instant last = fallen.isEmpty() ? now : fallen.get(fallen.size() - 1).fireTime();
        String reason = PAUSED;
        if (cursor != null && isOverdue()) {
            Span span = elapsed.between(cursor.fireTime(), now);
            fallen.add(cursor);
            occurrences += span.count();
            last = span.last();
            reason = span.complete() ? PAUSED : PAUSED + "; there were more than are counted here";
        }
        if (!fallen.isEmpty()) {
            JobTask first = fallen.remove(0);
            ends.add(new End(first, Outcome.SKIPPED, reason, occurrences, last));
            merged.addAll(fallen);
        }
    }

    /** Nobody took the cursor's row in time: the new schedule may ask for it too; what only the old one asked for since then ends. */
    private void settleOverdueCursor() {
        if (cursor == null || !isOverdue()) {
            return;
        }
        Span span = elapsed.between(cursor.fireTime(), now);
        String reason = span.complete() ? changed : changed + "; there were more than are counted here";
        if (!after.asksFor(cursor.fireTime())) {
            ends.add(new End(cursor, Outcome.CANCELLED, reason, span.count(), span.last()));
        } else {
            kept.add(cursor);
            if (span.count() > 1) {
                Instant second = elapsed.after(cursor.fireTime()).orElse(span.last());
                unmade = new Span(second, span.last(), span.count() - 1, span.complete());
            }
        }
    }

    /** Where the new cursor goes; on the way, what the new schedule asks for between rows that were made already. */
    private @Nullable Instant place() {
        for (List<JobTask> rows : List.of(kept, executing)) {
            rows.stream().map(JobTask::fireTime).filter(t -> t.isAfter(now)).forEach(made::add);
        }
        if (made.isEmpty()) {
            return after.nextAfter(now).orElse(null);
        }
        Instant furthest = made.last();
        if (!furthest.isAfter(now.plus(FILLED))) {
            Optional<Instant> t = after.nextAfter(now);
            while (t.isPresent() && t.get().isBefore(furthest)) {
                if (!made.contains(t.get())) {
                    inserted.add(t.get());
                }
                t = after.nextAfter(t.get());
            }
        }
        return after.nextAfter(furthest).orElse(null);
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
        for (Instant t : inserted) {
            long id = tasks.insert(version, t, "", Cause.SCHEDULE, false);
            tasks.link(id, following(t, null, next));
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
            String reason = unmade.complete() ? changed : changed + "; there were more than are counted here";
            tasks.end(id, Outcome.CANCELLED, reason, unmade.count(), unmade.last());
        }
    }

    private void link(@Nullable Instant next) {
        for (List<JobTask> rows : List.of(kept, executing)) {
            rows.forEach(task -> relink(task, task.fireTime(), next));
        }
        ends.forEach(end -> relink(end.task(), end.last(), next));
    }

    private void relink(JobTask task, Instant last, @Nullable Instant next) {
        Instant following = following(last, task.nextFireTime(), next);
        if (!Objects.equals(following, task.nextFireTime())) {
            tasks.link(task.id(), following);
        }
    }

    /** The first fire time after {@code t} that has, or gets, a row: the one known before, unless that was the cursor's, which may move. */
    private @Nullable Instant following(Instant t, @Nullable Instant known, @Nullable Instant next) {
        NavigableSet<Instant> candidates = new TreeSet<>(inserted);
        candidates.addAll(made);
        kept.forEach(task -> candidates.add(task.fireTime()));
        ends.forEach(end -> candidates.add(end.task().fireTime()));
        if (known != null && (cursor == null || !known.equals(cursor.fireTime()))) {
            candidates.add(known);
        }
        if (unmade != null) {
            candidates.add(unmade.first());
        }
        if (next != null) {
            candidates.add(next);
        }
        return candidates.higher(t);
    }
}
