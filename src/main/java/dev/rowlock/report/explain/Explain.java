package dev.rowlock.report.explain;

import dev.rowlock.audit.AuditQueries;
import dev.rowlock.cluster.store.SessionLog;
import dev.rowlock.definition.Group;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.job.store.JobLives;
import dev.rowlock.job.store.JobLives.JobLife;
import dev.rowlock.report.explain.Explanation.FinishFacts;
import dev.rowlock.report.explain.Explanation.GroupFacts;
import dev.rowlock.report.explain.Explanation.Lateness;
import dev.rowlock.report.explain.Explanation.NextAttempt;
import dev.rowlock.report.explain.Explanation.NodeFacts;
import dev.rowlock.report.explain.Explanation.PauseFacts;
import dev.rowlock.report.explain.Explanation.ScheduleFacts;
import dev.rowlock.report.explain.Explanation.Verdict;
import dev.rowlock.report.explain.NothingRecorded.VerdictText;
import dev.rowlock.report.explain.Presence.PresenceGap;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.store.Trails;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explanations why a job did, or did not, run: at any instant of the past that history covers, and at any of the
 * future. Only reads, takes no lock, and decides nothing. Thread-safe.
 */
public final class Explain {

    /** Longest time after which a session that lost a task is removed from the table. */
    private static final Duration NOTICED = Duration.ofMinutes(5);

    private static final int MOST_HOLDERS = 10;

    private final JobLives lives;
    private final TaskQueries tasks;
    private final Trails trails;
    private final SessionLog sessions;
    private final GroupStore groups;
    private final EvidenceLoader gathering;

    /** @param audit tells who asked for a run */
    public Explain(
            JobLives lives,
            TaskQueries tasks,
            Trails trails,
            SessionLog sessions,
            GroupStore groups,
            AuditQueries audit) {
        this.lives = lives;
        this.tasks = tasks;
        this.trails = trails;
        this.sessions = sessions;
        this.groups = groups;
        this.gathering = new EvidenceLoader(lives, tasks, trails, audit);
    }

    /**
     * Explains why a job did or will run at an instant, or why not.
     *
     * @param at null: now, by the database's clock
     * @return empty: there is no such job, and nothing is kept of one
     */
    public Optional<Explanation> at(JobKey job, @Nullable Instant at) {
        return gathering.of(job, at).map(this::explain);
    }

    /** Returns the database's time. */
    public Instant now() {
        return lives.clock().now();
    }

    /** Returns the zone of a job's present or last schedule; UTC if it is not known. */
    public ZoneId zone(JobKey job) {
        return gathering.zone(job);
    }

    /** Explains why a task did, or did not, run. Empty if there is no such task. */
    public Optional<Explanation> task(long id) {
        return gathering.of(id).map(this::explain);
    }

    private Explanation explain(Evidence found) {
        @Nullable ScheduleFacts schedule = ScheduleSaid.schedule(found).orElse(null);
        @Nullable PauseFacts pause = ScheduleSaid.pause(found).orElse(null);
        Presence presence = presence(found);
        Optional<LatenessParts> parts = LatenessParts.of(found.main(), presence);
        NodesThere there = NodesThere.of(found, presence, moment(found));
        List<NodeFacts> nodes = nodes(found, presence, parts, there);
        @Nullable
        Lateness lateness = parts.map(it -> it.facts(isFull(found, nodes))).orElse(null);
        int runs = runs(found);
        AdjacentFireTimes neighbours = new AdjacentFireTimes(found, gathering, runs);
        @Nullable
        NextAttempt next = WhatNext.of(found, following(found, neighbours)).orElse(null);
        @Nullable PresenceGap gap = presence.goingOn(found.now());
        Optional<FinishFacts> finish = FinishSaid.of(found);
        Blockers ahead = inTheWay(found, pause, there);
        VerdictText said = found.main() == null
                ? withoutTask(found, schedule, circumstances(found, runs, neighbours, ahead, gap))
                : new Summary(found, found.main(), lateness, gap)
                        .said(
                                schedule,
                                ahead,
                                full(found, nodes)
                                        + FinishSaid.text(finish, zone(found.key()))
                                        + Predecessor.text(found.main(), gathering::attempt)
                                        + WhatNext.text(next, found.main()));
        return new Explanation(
                said.text(),
                said.verdict(),
                found.key().namespace(),
                found.key().name(),
                found.at(),
                found.now(),
                found.main() == null ? null : found.main().id(),
                TaskTimeline.of(found, presence, schedule, pause),
                schedule,
                ScheduleSaid.version(found).orElse(null),
                pause,
                found.attempts().stream().map(Attempt::facts).toList(),
                (int) found.sameOrigin().stream().filter(Attempt::isLost).count(),
                lateness,
                finish.orElse(null),
                group(found).orElse(null),
                nodes,
                next,
                said.verdict() == Verdict.NO_JOB ? List.of() : notKnown(found, presence, lateness));
    }

    /** Returns the fire time after the last one of the task. */
    private static @Nullable Instant following(Evidence found, AdjacentFireTimes neighbours) {
        @Nullable Attempt main = found.main();
        Instant last = main == null || main.task().occurrences() == 1
                ? found.at()
                : main.task().lastFireTime();
        return neighbours.after(last).orElse(null);
    }

    /** Returns the number of occurrences started, if that is limited; otherwise 0. */
    private int runs(Evidence found) {
        boolean limited = Stream.concat(found.version().stream(), found.newest().stream())
                .anyMatch(version -> version.stored().definition().maxRuns() != null);
        @Nullable JobLife life = limited ? found.life() : null;
        return life == null ? 0 : lives.runs(life.jobId());
    }

    private VerdictText withoutTask(
            Evidence found, @Nullable ScheduleFacts schedule, NothingRecorded.Circumstances circumstances) {
        VerdictText said = new NothingRecorded(found, schedule, circumstances).said();
        return schedule == null || schedule.asksForIt() || found.isAhead()
                ? said
                : new VerdictText(
                        said.verdict(), said.text() + circumstances.neighbours().before(schedule));
    }

    private NothingRecorded.Circumstances circumstances(
            Evidence found, int runs, AdjacentFireTimes neighbours, Blockers ahead, @Nullable PresenceGap gap) {
        return new NothingRecorded.Circumstances(
                runs, neighbours, found.isAhead() ? Optional.empty() : cursor(found), ahead, gap);
    }

    private Blockers inTheWay(Evidence found, @Nullable PauseFacts pause, NodesThere there) {
        return new Blockers(
                pause,
                found.isAhead() ? there.noneMatches() : Optional.empty(),
                found.definition()
                        .map(JobDefinition::group)
                        .flatMap(groups::find)
                        .orElse(null));
    }

    /** Returns the live task of an earlier fire time, from which later ones will be made. */
    private Optional<Attempt> cursor(Evidence found) {
        return Stream.of(TaskState.IDLE, TaskState.PREPARED)
                .flatMap(state -> tasks
                        .page(new TaskFilter(
                                found.key().namespace(),
                                found.key().name(),
                                state.name(),
                                null,
                                null,
                                null,
                                found.at(),
                                null,
                                MOST_HOLDERS))
                        .stream())
                .filter(task -> task.origin().isSchedule())
                .map(task -> new Attempt(task, null))
                .min(Attempt.ORDER);
    }

    private Presence presence(Evidence found) {
        List<Instant> moments = new ArrayList<>();
        Stream.of(found.sameOrigin(), found.otherOrigins(), found.parts())
                .flatMap(List::stream)
                .forEach(attempt -> {
                    TaskView task = attempt.task();
                    Stream.of(attempt.dueSince(), task.startedAt(), task.endedAt(), task.fireTime())
                            .filter(t -> t != null && !t.isAfter(found.now()))
                            .forEach(moments::add);
                    if (!task.isEnded()) {
                        moments.add(found.now());
                    }
                });
        if (moments.isEmpty()) {
            moments.add(moment(found));
        }
        Instant first = moments.stream().min(Instant::compareTo).orElseThrow();
        Instant last = moments.stream().max(Instant::compareTo).orElseThrow();
        return Presence.between(sessions, first, Presence.earlier(found.now(), last.plus(NOTICED)));
    }

    /** Returns the moment at which it mattered which nodes were alive. */
    private static Instant moment(Evidence found) {
        @Nullable Attempt main = found.main();
        if (main == null || !main.task().isEnded()) {
            return Presence.earlier(main == null ? found.at() : found.now(), found.now());
        }
        Instant begun = main.task().startedAt() == null
                ? main.task().fireTime()
                : main.task().startedAt();
        @Nullable Instant ended = main.task().endedAt();
        return ended == null ? begun : Presence.earlier(begun, ended);
    }

    private List<NodeFacts> nodes(Evidence found, Presence presence, Optional<LatenessParts> parts, NodesThere there) {
        if (isDueAndFree(found)) {
            return there.facts(trails, found.now());
        }
        boolean unexplained = parts.isPresent()
                && parts.get().rest() >= LatenessParts.NOTABLE
                && found.main() != null
                && !found.main().wasTakenOver();
        return unexplained
                ? NodesThere.of(found, presence, parts.get().free())
                        .facts(trails, parts.get().free())
                : there.facts();
    }

    private static boolean isDueAndFree(Evidence found) {
        @Nullable Attempt main = found.main();
        return main != null
                && !main.task().isEnded()
                && !main.task().isExecuting()
                && main.task().hold() == null
                && main.task().dueAt() != null
                && !main.task().dueAt().isAfter(found.now());
    }

    /** Returns whether the node that ran it, or every node that could have, had no free slot. */
    private static boolean isFull(Evidence found, List<NodeFacts> nodes) {
        @Nullable String by = found.main() == null ? null : found.main().task().node();
        List<NodeFacts> could = nodes.stream().filter(NodeFacts::matches).toList();
        return could.stream().anyMatch(node -> node.node().equals(by) && isFull(node))
                || (!could.isEmpty() && could.stream().allMatch(Explain::isFull));
    }

    private static boolean isFull(NodeFacts node) {
        return node.executing() != null && node.executing() >= node.capacity();
    }

    /** Names the nodes without a free slot, for a task that is due and waits for one. */
    private static String full(Evidence found, List<NodeFacts> nodes) {
        List<String> full = nodes.stream()
                .filter(node -> node.matches() && isFull(node))
                .map(node -> node.node() + " (" + node.executing() + " of " + node.capacity() + ")")
                .toList();
        return isDueAndFree(found) && !full.isEmpty()
                ? " Nodes without a free slot: " + String.join(", ", full) + "."
                : "";
    }

    private Optional<GroupFacts> group(Evidence found) {
        Optional<String> name = found.main() != null && found.main().task().group() != null
                ? Optional.ofNullable(found.main().task().group())
                : found.definition().map(JobDefinition::group);
        return name.map(group ->
                new GroupFacts(group, groups.find(group).map(Group::limit).orElse(null), holders(group, found.main())));
    }

    private List<Long> holders(String group, @Nullable Attempt main) {
        @Nullable Instant since = main == null ? null : main.task().queuedAt();
        if (main == null || since == null || !main.waitedForGroup()) {
            return List.of();
        }
        Instant until = main.task().startedAt() == null
                ? since.plus(NOTICED)
                : main.task().startedAt();
        return trails.heldSlots(group, since, until, MOST_HOLDERS);
    }

    private static List<String> notKnown(Evidence found, Presence presence, @Nullable Lateness lateness) {
        List<String> notKnown = new ArrayList<>();
        if (found.version().isEmpty()) {
            notKnown.add("which version of the job was in force");
        } else if (found.version().get().changedBy() == null) {
            notKnown.add("who changed the job");
        }
        if (!presence.isKnownAt(moment(found))) {
            notKnown.add("which nodes there were");
        }
        @Nullable Attempt main = found.main();
        if (main != null && main.task().queuedAt() != null && main.waitedFor() == null) {
            notKnown.add("what held it");
        }
        if (lateness != null && lateness.otherMs() >= LatenessParts.NOTABLE) {
            notKnown.add("what the node waited for");
        }
        return notKnown;
    }
}
