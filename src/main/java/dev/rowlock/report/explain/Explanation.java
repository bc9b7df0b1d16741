package dev.rowlock.report.explain;

import dev.rowlock.task.Origin;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explanation why a job did, or did not, run at an instant.
 *
 * @param summary for people, in a few sentences
 * @param at the instant that was asked about, or the fire time of the task
 * @param now the database's time
 * @param task the one that the summary is about; null: there is none
 * @param steps what happened, in order of time
 * @param schedule null: what was in force then is not known, or nothing was
 * @param version of the job, which the task belongs to, or which is in force at that instant; null: likewise
 * @param pause at that instant; null: the job was not paused
 * @param attempts all tasks of the occurrence, the parts of a broadcast included
 * @param lost how often the occurrence was lost with its node
 * @param lateness of the task; null: it was not started
 * @param finish null: the job has no end that it is to keep, or the task is none of its schedule
 * @param group null: the job is in none
 * @param nodes those that were there; empty: none was, or it is not known
 * @param next null: nothing more comes of it
 * @param notKnown what would belong here and was not recorded, or is purged
 */
public record Explanation(
        String summary,
        Verdict verdict,
        String namespace,
        String job,
        Instant at,
        Instant now,
        @Nullable Long task,
        List<TimelineStep> steps,
        @Nullable ScheduleFacts schedule,
        @Nullable VersionFacts version,
        @Nullable PauseFacts pause,
        List<AttemptFacts> attempts,
        int lost,
        @Nullable Lateness lateness,
        @Nullable FinishFacts finish,
        @Nullable GroupFacts group,
        List<NodeFacts> nodes,
        @Nullable NextAttempt next,
        List<String> notKnown) {

    public Explanation {
        steps = List.copyOf(steps);
        attempts = List.copyOf(attempts);
        nodes = List.copyOf(nodes);
        notKnown = List.copyOf(notKnown);
    }

    /** Answer in one word. */
    public enum Verdict {
        /** The task was started, and has ended. */
        RAN,
        EXECUTING,
        /** The task is due, and is held, or no node has taken it. */
        WAITING,
        DID_NOT_RUN,
        /** Its time has not come. */
        TO_COME,
        /** The schedule does not ask for this instant. */
        NOT_ASKED_FOR,
        /** There was no such job then. */
        NO_JOB,
        NOT_KNOWN
    }

    /** Kind of step. */
    public enum What {
        VERSION,
        PAUSED,
        FIRE_TIME,
        DUE,
        NODES_GONE,
        PREPARED,
        HELD,
        FREED,
        TAKEN_OVER,
        STARTED,
        ENDED,
        CHANGED,
        RESUMED,
        DELETED,
        NEXT
    }

    /** @param detail for people */
    public record TimelineStep(Instant at, What what, String detail) {}

    /**
     * Schedule, and what it says about the instant.
     *
     * @param expression in its normal form, line by line
     * @param zone of the line that asks for the instant
     * @param description of that line, if one does
     * @param asksForIt whether {@code at} is a fire time of the schedule in force then
     * @param local {@code at} as the clocks show it where the schedule is meant
     * @param before the fire time before it; null: none is, while this schedule was in force
     * @param after the fire time after it; null: there is none
     * @param clockChange what a change of the clocks does to fire times close by; null: nothing
     */
    public record ScheduleFacts(
            String expression,
            String zone,
            String description,
            boolean asksForIt,
            String local,
            @Nullable Instant before,
            @Nullable Instant after,
            @Nullable String clockChange) {}

    /**
     * Deadline of an occurrence.
     *
     * @param finishedAt when it had succeeded or declined; null: it has not
     * @param marginMs how long before the deadline that was, or now is; negative: after it
     */
    public record FinishFacts(Instant by, @Nullable Instant finishedAt, long marginMs) {}

    /**
     * @param changedBy null: Rowlock itself, as at the end of a pause, or that is not recorded
     * @param until null: it is in force
     */
    public record VersionFacts(
            int version,
            Instant from,
            @Nullable Instant until,
            @Nullable String changedBy) {}

    /**
     * @param since at the latest, if {@code exact} is false
     * @param until when it was to end by itself; null: when somebody resumes the job
     * @param resumedAt null: it has not ended
     */
    public record PauseFacts(
            Instant since,
            boolean exact,
            @Nullable Instant until,
            @Nullable String reason,
            @Nullable Instant resumedAt) {}

    /**
     * Task, as far as it explains something; {@code GET /tasks/{id}} shows all of it.
     *
     * @param dueAt since when it could start: its hold, if there was one, was over
     * @param waitedFor what held it last, by a policy
     * @param preparedBy the node that prepared it
     * @param takenOverFrom that node, if another one started it
     */
    public record AttemptFacts(
            long id,
            int attempt,
            String cause,
            Origin origin,
            String state,
            @Nullable String outcome,
            @Nullable String reason,
            @Nullable String hold,
            Instant fireTime,
            Instant lastFireTime,
            long occurrences,
            @Nullable Instant dueAt,
            @Nullable Instant queuedAt,
            @Nullable String waitedFor,
            @Nullable Instant preparedAt,
            @Nullable String preparedBy,
            @Nullable String takenOverFrom,
            @Nullable Instant startedAt,
            @Nullable String node,
            @Nullable Instant endedAt,
            @Nullable Long durationMs,
            @Nullable Long supersededBy,
            @Nullable Long replacedBy) {}

    /**
     * Delay of a start, and its parts, which add up to the whole.
     *
     * @param holdMs for what its policy says: others of its job, its group, a node
     * @param nobodyMs no node was in contact with the database: none ran, or the database was away
     * @param slotMs its nodes executed as much as they may
     * @param takeoverMs the node that had prepared it did not start it
     * @param otherMs what else the nodes took
     * @param processMs what the command took beyond its own duration: until there was a process, and until its end was
     *     seen. It comes after the lateness. Null: not known
     */
    public record Lateness(
            long totalMs,
            long holdMs,
            long nobodyMs,
            long slotMs,
            long takeoverMs,
            long otherMs,
            @Nullable Long processMs) {}

    /**
     * @param limit now; null: there is no such group any more
     * @param heldBy tasks that had its slots when the task began to wait for one
     */
    public record GroupFacts(String name, @Nullable Integer limit, List<Long> heldBy) {}

    /**
     * @param matches whether it could run the task, by its labels and as it takes work
     * @param why it could not; null: it could
     * @param executing how many tasks it executed, at least; null: that does not matter here
     */
    public record NodeFacts(
            String node,
            String session,
            boolean matches,
            @Nullable String why,
            int capacity,
            @Nullable Long executing) {}

    /**
     * @param task the next attempt at the occurrence; null: there is none
     * @param at when that is, or was, due
     * @param fireTime the next one of the job
     * @param noFurtherAttempt why there is none; null: there is, or nothing went wrong
     */
    public record NextAttempt(
            @Nullable Long task,
            @Nullable Instant at,
            @Nullable Instant fireTime,
            @Nullable String noFurtherAttempt) {}
}
