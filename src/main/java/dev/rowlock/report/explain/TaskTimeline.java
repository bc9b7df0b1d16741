package dev.rowlock.report.explain;

import dev.rowlock.job.store.JobLives.Version;
import dev.rowlock.report.explain.Explanation.PauseFacts;
import dev.rowlock.report.explain.Explanation.ScheduleFacts;
import dev.rowlock.report.explain.Explanation.TimelineStep;
import dev.rowlock.report.explain.Explanation.What;
import dev.rowlock.report.explain.Presence.PresenceGap;
import dev.rowlock.task.Hold;
import dev.rowlock.task.TaskView;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Events in chronological order; of those at the same time, causes first. */
final class TaskTimeline {

    private final Evidence found;
    private final Presence presence;
    private final List<TimelineStep> steps = new ArrayList<>();

    private TaskTimeline(Evidence found, Presence presence) {
        this.found = found;
        this.presence = presence;
    }

    static List<TimelineStep> of(
            Evidence found, Presence presence, @Nullable ScheduleFacts schedule, @Nullable PauseFacts pause) {
        TaskTimeline all = new TaskTimeline(found, presence);
        all.versions();
        all.pause(pause);
        all.fireTime(schedule);
        List<Attempt> attempts = new ArrayList<>(all.found.sameOrigin());
        attempts.addAll(all.found.otherOrigins());
        attempts.addAll(all.found.parts());
        attempts.forEach(all::attempt);
        all.steps.sort(Comparator.comparing(TimelineStep::at).thenComparing(TimelineStep::what));
        return all.steps;
    }

    private void add(@Nullable Instant at, What what, String detail) {
        if (at != null) {
            steps.add(new TimelineStep(at, what, detail));
        }
    }

    private void versions() {
        found.inForce().ifPresent(version -> add(version.from(), What.VERSION, came(version)));
        @Nullable Version own = found.main() == null ? null : found.version().orElse(null);
        if (own != null
                && found.inForce()
                        .filter(version -> version.number() == own.number())
                        .isEmpty()) {
            add(own.from(), What.CHANGED, came(own) + "; the task belongs to it");
        }
        @Nullable Instant deleted = found.life() == null ? null : found.life().deletedAt();
        add(deleted, What.DELETED, "the job was deleted");
    }

    private static String came(Version version) {
        return "version " + version.number() + " came into force: schedule "
                + version.stored().definition().schedule() + (version.isPaused() ? ", paused" : "")
                + (version.changedBy() == null ? "; who changed the job is not known" : "; by " + version.changedBy());
    }

    private void pause(@Nullable PauseFacts pause) {
        if (pause != null) {
            add(
                    pause.since(),
                    What.PAUSED,
                    "the job was paused"
                            + (pause.exact() ? "" : " then at the latest")
                            + (pause.until() == null ? "" : " until " + Texts.time(pause.until()))
                            + (pause.reason() == null ? "; no reason was given" : ": " + pause.reason()));
            add(pause.resumedAt(), What.RESUMED, "the pause ended");
        }
    }

    private void fireTime(@Nullable ScheduleFacts schedule) {
        if (schedule != null && schedule.asksForIt()) {
            String change = schedule.clockChange() == null ? "" : "; " + schedule.clockChange();
            add(
                    found.at(),
                    What.FIRE_TIME,
                    "the schedule asks for " + Texts.time(found.at(), ZoneId.of(schedule.zone())) + ": "
                            + schedule.description() + change);
        } else if (found.main() != null && found.main().origin().isRun()) {
            String who = Objects.requireNonNullElse(found.requesters().run(), "somebody");
            add(found.at(), What.FIRE_TIME, who + " asked for this run");
        }
    }

    private void attempt(Attempt attempt) {
        TaskView task = attempt.task();
        String name = name(attempt);
        @Nullable Instant due = attempt.dueSince();
        if (due != null && !due.isAfter(found.now()) && !due.equals(task.fireTime()) && task.queuedAt() == null) {
            add(due, What.DUE, name + " was due" + (attempt.isAgain() ? " (" + task.cause() + ")" : ""));
        }
        nobody(attempt);
        held(attempt, name);
        if (attempt.trail() != null && attempt.trail().preparedAt() != null) {
            String by =
                    attempt.preparedBy() == null ? "a node whose name is not known" : "node " + attempt.preparedBy();
            add(attempt.trail().preparedAt(), What.PREPARED, by + " prepared " + name);
        }
        if (attempt.wasTakenOver()) {
            add(task.startedAt(), What.TAKEN_OVER, takenOver(attempt, name));
        }
        add(task.startedAt(), What.STARTED, started(attempt, name));
        if (task.endedAt() != null) {
            add(task.endedAt(), What.ENDED, name + " ended: " + outcome(task));
            lostWith(attempt);
        }
        if (!task.isEnded()
                && task.startedAt() == null
                && task.dueAt() != null
                && task.dueAt().isAfter(found.now())) {
            boolean isFrozen = Hold.FREEZE.name().equals(task.hold());
            String then = task.hold() == null ? " is due" : " is looked at again";
            add(task.dueAt(), What.NEXT, name + (isFrozen ? " is held until then" : then));
        }
    }

    private static String name(Attempt attempt) {
        TaskView task = attempt.task();
        String part = attempt.isPart() && task.node() != null ? " (the part of node " + task.node() + ")" : "";
        return "task " + task.id() + (task.attempt() > 1 ? ", attempt " + task.attempt() : "") + part;
    }

    static String outcome(TaskView task) {
        String several = task.occurrences() <= 1
                ? ""
                : " (for " + task.occurrences() + " fire times, " + Texts.time(task.fireTime()) + " to "
                        + Texts.time(task.lastFireTime()) + ")";
        return task.outcome() + (task.reason() == null ? "" : ": " + task.reason()) + several;
    }

    private void held(Attempt attempt, String name) {
        TaskView task = attempt.task();
        if (task.hold() != null && task.queuedAt() == null) {
            add(found.now(), What.HELD, name + " is held: " + held(attempt));
        }
        if (task.queuedAt() == null) {
            return;
        }
        add(task.queuedAt(), What.HELD, name + " had to wait: " + held(attempt));
        @Nullable Instant due = task.dueAt();
        if (task.hold() == null && due != null && !due.isBefore(task.queuedAt()) && task.startedAt() != null) {
            add(due, What.FREED, "nothing held " + name + " any more");
        }
    }

    private static String held(Attempt attempt) {
        return Objects.requireNonNullElse(attempt.waitedFor(), "what for is not known");
    }

    /** Adds the times without a live node between the task's due time and its start or end. */
    private void nobody(Attempt attempt) {
        Instant from =
                Objects.requireNonNullElse(attempt.dueSince(), attempt.task().fireTime());
        @Nullable Instant until = attempt.task().startedAt();
        until = until == null ? attempt.task().endedAt() : until;
        until = until == null ? found.now() : until;
        if (attempt.task().startedAt() == null && attempt.task().occurrences() > 1) {
            from = attempt.task().fireTime();
        }
        for (PresenceGap gap : presence.gaps(Presence.earlier(from, until), until)) {
            add(
                    gap.from(),
                    What.NODES_GONE,
                    "no node was in contact with the database for " + Texts.between(gap.from(), gap.until())
                            + ", until " + Texts.time(gap.until()));
        }
    }

    private String takenOver(Attempt attempt, String name) {
        String from = attempt.preparedBy() == null ? "a node whose session was gone" : "node " + attempt.preparedBy();
        return "node " + attempt.task().node() + " took " + name + " over from " + from
                + ", which had prepared it and not started it in time" + why(attempt.takenFromSession());
    }

    /** Describes what is known of a session that failed to act. */
    private String why(@Nullable String session) {
        return presence.session(session)
                .map(life -> "; it was last heard of at " + Texts.time(life.heartbeatAt())
                        + (life.reason() == null ? ", and its session has not ended" : ": " + life.reason()))
                .orElse("; why is not known");
    }

    private String started(Attempt attempt, String name) {
        @Nullable Long late = attempt.task().latenessMs();
        return "node " + attempt.task().node() + " started " + name
                + (late == null || late <= 0 ? "" : ", " + Texts.millis(late) + " late");
    }

    private void lostWith(Attempt attempt) {
        if (attempt.isLost()) {
            presence.session(attempt.task().session())
                    .filter(life -> life.goneAt() != null)
                    .ifPresent(life -> add(
                            life.heartbeatAt(),
                            What.NODES_GONE,
                            "node " + life.node() + " was last heard of: " + life.reason()));
        }
    }
}
